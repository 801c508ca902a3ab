package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// seeks judges searching a home directory or the machine for names of secrets.
// Within the project that is ordinary.
func (j *judge) seeks(i int) {
	r := &j.set.Runs[i]
	switch r.Program {
	case "locate", "mlocate", "plocate":
		if namesSecret(r.Args) {
			j.add("seeks_secrets", j.line(i))
		}
	case "mdfind":
		if w := programs.Parse(r); namesSecret(r.Args) && (!w.Has("onlyin") || j.wide(i)) {
			j.add("seeks_secrets", j.line(i))
		}
	case "grep", "egrep", "fgrep", "rg": // find ~/Library | grep cookies.sqlite
		if r.From < 0 || !namesSecret(r.Args) {
			return
		}
		for _, f := range j.searched(r.From) {
			if f.Path.Known() && !paths.Within(f.Path.Abs, j.ground.Project) && !j.ground.Scratch(f.Path) {
				j.add("seeks_secrets", j.line(i))
			}
		}
	case "find", "fd", "fdfind", "gfind", "bfs", "get-childitem", "gci", "dir", "where":
		if namesSecret(r.Args) && j.wide(i) {
			j.add("seeks_secrets", j.line(i))
			j.readsFound(i)
		}
	case "trufflehog", "noseyparker", "detect-secrets", "gitleaks", "ggshield", "whispers", "kingfisher", "titus":
		if j.wide(i) {
			j.add("seeks_secrets", j.line(i))
		}
	}
}

// readsFound judges a search for secrets that also reads what it finds: fd
// credentials ~ -x cat.
func (j *judge) readsFound(i int) {
	for k := range j.set.Files {
		f := &j.set.Files[k]
		if f.Op != effects.Read || f.Run < 0 || f.Login {
			continue
		}
		by := j.set.Runs[f.Run].By
		if by == i || by >= 0 && j.set.Runs[by].Program == "xargs" && j.set.Runs[by].From == i {
			j.add("reads_secret", j.line(f.Run))
			return
		}
	}
}

// wide reports whether a run searches a home directory, or a tree of the machine.
func (j *judge) wide(i int) bool {
	for _, f := range j.searched(i) {
		if paths.Within(f.Path.Abs, j.ground.Project) {
			continue
		}
		if _, extent := j.ground.System(f.Path); extent == paths.Itself || j.ground.HomeOf(f.Path) >= paths.All {
			return true
		}
	}
	return false
}

// namesSecret reports whether a word asks for files that hold secrets.
func namesSecret(args []effects.Word) bool {
	for _, a := range args {
		text := strings.ToLower(strings.Trim(a.Text, "*?'\" "))
		switch {
		case text == "" || text[0] == '-' || strings.HasPrefix(text, "/"):
		case paths.TellingName(path.Base(strings.ToLower(a.Text))), paths.TellingName(text):
			return true
		default:
			for _, sign := range [...]string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "passw", "credential", "secret", ".kdbx", ".pem", ".ovpn",
				"wallet", "private_key", "keychain"} {
				if strings.Contains(text, sign) {
					return true
				}
			}
		}
	}
	return false
}
