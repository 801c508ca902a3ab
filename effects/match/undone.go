package match

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// Certainly is Has where an option counts only if nothing takes it back.
func (w Words) Certainly(any ...string) bool {
	return slices.ContainsFunc(any, func(want string) bool {
		return w.Has(want) && !w.Undone(want)
	})
}

// Undone reports whether one of these options is given and taken back: --dry-run=false,
// --dry-run --no-dry-run, and for a value --dry-run=client --dry-run=none.
func (w Words) Undone(given ...string) bool {
	return slices.ContainsFunc(given, func(option string) bool {
		if len(option) < 2 || option[0] != '-' {
			return false
		}
		if name, value, valued := strings.Cut(option, "="); valued {
			return w.Has(option) && w.Value(name) != value
		}
		for _, name := range append(w.aliases(option), option) {
			for v := range w.attached(name) {
				if optnames.Negative(v) {
					return true
				}
			}
			if bare := strings.TrimLeft(name, "-"); len(bare) > 1 && slices.ContainsFunc(w.args(), func(a effects.Word) bool {
				text, found := strings.CutPrefix(strings.TrimLeft(a.Text, "-"), "no-")
				return found && a.Text[0] == '-' && len(text) > 2 && strings.HasPrefix(bare, text)
			}) {
				return true
			}
		}
		return false
	})
}

// attached lists the values that are given to an option with an equals sign.
func (w Words) attached(option string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, a := range w.args() {
			name, value, ok := strings.Cut(a.Text, "=")
			if a.Text == "--" || ok && isWord(name, option) && !yield(value) {
				return
			}
		}
	}
}
