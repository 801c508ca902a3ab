package selfprotection

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// packaged judges a package manager, or an agent's own command for plugins, that is
// told to remove the package that guards this session, or to put another version
// in its place.
func (j *judgement) packaged(r *effects.Run) {
	at := slices.IndexFunc(r.Args, func(w effects.Word) bool { return isPackage(w.Text) })
	if at < 0 || r.Remote || standard.Program(r.Program) == nil && !programs.Installs(r) {
		return
	}
	what := r.Program + " " + r.Args[at].Text
	for _, w := range r.Args {
		switch verb := strings.ToLower(w.Text); {
		case isVerb(gone, verb), shortened(r.Program, w.Text, "eRrP"):
			j.add(trammel.Deny, "trammel_program", what, strings.ReplaceAll(reasons[program], "PLACE", r.Args[at].Text))
			return
		case isVerb(put, verb), shortened(r.Program, w.Text, "iUSF"):
			j.add(trammel.Ask, "trammel_program", what, "This puts another "+r.Args[at].Text+
				" in the place of the one that guards this session. A person should decide.")
		}
	}
}

// gone and put are what package managers call removing and installing.
const (
	gone = " uninstall un unin rm r remove purge erase del delete unlink autoremove zap disable unload deactivate unuse unmerge uninst " +
		"deinstall pkg-remove forget untap "
	put = " install i in add reinstall upgrade update up downgrade link ln switch use tap get isntall instal refresh pin global " +
		"localinstall group-install bundle "
)

func isVerb(verbs, word string) bool {
	word = strings.TrimLeft(word, "-")
	return word != "" && strings.IndexByte(word, ' ') < 0 && strings.Contains(verbs, " "+word+" ")
}

// shortened reports whether an option is a cluster that begins with one of these
// letters, for programs whose verbs are options.
func shortened(program, option, letters string) bool {
	switch program {
	case "dpkg", "rpm", "pacman", "yay", "paru", "nix-env", "emerge":
		return len(option) > 1 && option[0] == '-' && strings.IndexByte(letters, option[1]) >= 0
	}
	return false
}

// isPackage reports whether a word is one of our packages, as the package managers
// write them: @trammel/cli, trammel@1.2, trammel_1.2_amd64.deb,
// github.com/trammel-dev/trammel/cmd/trammel-hook@latest.
func isPackage(text string) bool {
	if strings.HasPrefix(text, "-") {
		_, text, _ = strings.Cut(text, "=")
	}
	if len(text) < len("trammel") {
		return false
	}
	for name := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r == '/' || r == '\\' || r == '#' }) {
		name = strings.TrimPrefix(name, "@")
		if i := strings.IndexAny(name, "@=_:~<>!."); i >= 0 {
			name = name[:i]
		}
		for _, ours := range [...]string{"trammel", "trammel-hook", "trammel-dev"} {
			if rest, ok := strings.CutPrefix(name, ours); ok && (rest == "" || len(rest) > 1 && rest[0] == '-' && rest[1] >= '0' && rest[1] <= '9') {
				return true
			}
		}
	}
	return false
}
