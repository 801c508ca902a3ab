package paths

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
)

// Secret reports whether a file is one that holds credentials: private keys,
// tokens, passwords, environment files, histories. Public halves and examples
// are none. A pattern is one if a known name fits it.
func (g *Ground) Secret(p Path) bool {
	place := p.Abs
	if !p.Known() { // the name of $DIR/.env is known
		if place = strings.Trim(p.Text, `"`); strings.IndexByte(place, '/') < 0 || strings.ContainsAny(path.Base(place), "$`*?") {
			return false
		}
	}
	if base, ok := strings.CutSuffix(p.Abs, "/**"); ok && p.Glob && g.Secret(Path{Text: p.Text, Abs: base}) {
		return true // find FILE
	}
	dir, name := path.Split(strings.ToLower(slashes(place)))
	l := secretLists()
	switch {
	case environment(name), inFolder(l.folders, dir), strings.HasSuffix(dir, "/**/") && strings.HasPrefix(name, "id_"):
	case strings.HasSuffix(dir, "/.ssh/"):
		if name == "known_hosts" || name == "config" || name == "authorized_keys" || name == "known_hosts.old" {
			return false
		}
	case p.Glob && (strings.Contains(dir, "/.gnupg/") || strings.HasSuffix(dir, "/.aws/") || strings.HasSuffix(dir, "/.kube/") ||
		strings.HasSuffix(dir, "/.docker/")):
	case l.fitsPattern(dir, name, g.Homes()), l.fitsName(dir, name), p.Glob && picksName(l.names, dir, name):
		if g.harmlessCopy(p, name) {
			return false
		}
	default:
		return false
	}
	return !l.isPublic(dir, name)
}

// Holds reports whether what an effect reads is a secret: by its name, behind a
// link, somewhere below a tree, or because an earlier call has put one there.
func (g *Ground) Holds(f *model.File) bool {
	if real := f.Path.Real; real != "" && real != f.Path.Abs && g.Secret(Path{Abs: real}) {
		return true
	}
	if g.Secret(f.Path) || (f.Tree || f.Path.Glob) && g.SecretTree(f.Path) {
		return true
	}
	if g.world == nil {
		return false
	}
	_, copied, _ := g.world.Recall(trammel.HoldsSecret, &f.Path)
	return copied
}

// CopiedBelow reports whether an earlier call has put a secret somewhere into a folder,
// unless it is gone.
func (g *Ground) CopiedBelow(dir *Path) bool {
	if g.world == nil || g.world.Past == nil || !dir.Known() || dir.Glob {
		return false
	}
	all, _ := g.world.Past.Recall(trammel.HoldsSecret)
	return slices.ContainsFunc(all.Items, func(r trammel.Remembered) bool {
		if !Below(r.What, dir.Real) && !Below(r.What, dir.Abs) {
			return false
		}
		if _, err := g.world.Lstat(path.Dir(r.What)); err != nil {
			return true
		}
		_, err := g.world.Lstat(r.What)
		return !errors.Is(err, fs.ErrNotExist)
	})
}

// SecretName reports whether a file of this name may be a secret in some folder.
func SecretName(name string) bool { return mayBeSecret(name, false) }

// TellingName is SecretName without the endings that tell something in certain folders
// alone: *.json.
func TellingName(name string) bool { return mayBeSecret(name, true) }

func mayBeSecret(name string, telling bool) bool {
	name = strings.ToLower(name)
	l := secretLists()
	for i := range l.patterns {
		if p := &l.patterns[i]; p.fits(name) && !(telling && p.in != "" && p.head == "" && p.tail[0] == '.') {
			return true
		}
	}
	if environment(name) {
		return true
	}
	_, ok := l.named(name)
	return ok
}

// environment reports whether a name is that of an environment file: .env,
// .env.local, .env-prod, .env*, or a pattern that fits it in find: *.env.
func environment(name string) bool {
	rest, ok := strings.CutPrefix(name, ".env")
	return ok && (rest == "" || strings.IndexByte(".*-?[", rest[0]) >= 0) || strings.HasSuffix(name, "*.env")
}

// picksName reports whether a pattern that is more than an ending picks one of
// the names: .e?v, cred*.
func picksName(names, dir, pattern string) bool {
	if fixed := strings.Trim(pattern, "*?"); len(fixed) < 3 || pattern[0] == '*' {
		return false
	}
	if ok, err := path.Match(pattern, ".env"); ok || err != nil {
		return ok
	}
	for line := range strings.SplitSeq(names, "\n") {
		if name, in, _ := strings.Cut(line, "\t"); name != "" && inOneOf(in, dir) {
			if ok, _ := path.Match(pattern, name); ok {
				return true
			}
		}
	}
	return false
}

// inOneOf reports whether a directory ends like one of the folders.
func inOneOf(folders, dir string) bool {
	if folders == "" {
		return true
	}
	dir = strings.TrimSuffix(dir, "/")
	if strings.HasSuffix(dir, "/**") { // find: any folder
		return true
	}
	for folder := range strings.SplitSeq(folders, " ") {
		switch {
		case folder[0] == '/':
			if dir == folder || dir == "/private"+folder || strings.HasPrefix(dir, folder+"/") ||
				len(dir) > 2 && dir[1] == ':' && dir[2:] == folder {
				return true
			}
		case strings.HasPrefix(folder, "C/"):
			if standsIn(dir, folder[2:], "/.config", "/application_support", "/application support", "/appdata/roaming", "/appdata/local") {
				return true
			}
		case strings.HasPrefix(folder, "S/"):
			if standsIn(dir, folder[2:], "/.local/share", "/application_support", "/application support", "/appdata/roaming", "/appdata/local") {
				return true
			}
		case strings.HasSuffix(dir, "/"+folder):
			return true
		}
	}
	return false
}

func standsIn(dir, folder string, roots ...string) bool {
	above, ok := strings.CutSuffix(dir, "/"+folder)
	return ok && slices.ContainsFunc(roots, func(root string) bool { return strings.HasSuffix(above, root) })
}

// harmlessCopy reports whether a file that belongs to the project has a name
// that packages use for settings with and without tokens, and has none.
func (g *Ground) harmlessCopy(p Path, name string) bool {
	switch name {
	case ".npmrc", ".yarnrc.yml", "nuget.config", "pip.conf":
	default:
		return false
	}
	if g.world == nil || g.Project == "" || !Within(p.Abs, g.Project) {
		return false
	}
	data, err := g.world.ReadFile(p.Abs, 1<<16)
	if err != nil {
		return false
	}
	text := strings.ToLower(string(data))
	return !slices.ContainsFunc([]string{"authtoken", "_auth=", "_password", "password", "npmauth", "://"}, func(sign string) bool {
		at := strings.Index(text, sign)
		return at >= 0 && (sign != "://" || strings.Contains(text[at:], "@"))
	})
}

// SecretTree reports whether a folder is one that holds secrets, so that who
// takes all of it takes them, too.
func (g *Ground) SecretTree(p Path) bool {
	r := reachOf(p)
	if r.base == "/" {
		return true
	}
	if homes := g.Homes(); len(homes) > 0 && (slices.Contains(homes, r.base) || r.base == "/home" || r.base == "/Users") {
		return true
	}
	switch path.Base(r.base) {
	case ".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", "gcloud", ".password-store", "Keychains", "keyrings", ".oci", ".chef",
		".terraform.d", ".electrum", ".bitcoin", "google-chrome", "BraveSoftware", ".mozilla", ".thunderbird":
		return true
	case "gh", "glab-cli", "hub", "op", "rclone", "doctl", "hcloud", "stripe", "heroku", "flyctl", "netlify", "fly": // logins of command lines
		if path.Base(path.Dir(r.base)) == ".config" {
			return true
		}
	}
	return inFolder(secretLists().folders, strings.ToLower(r.base)+"/")
}
