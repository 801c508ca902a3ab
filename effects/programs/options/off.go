package options

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// Explains reports whether one of these options is given, as a flag.
func (a *Args) Explains(names ...string) bool {
	g := a.Last(names)
	return g != nil && !g.Apart && !optnames.Negative(g.Value.Text) && !g.Off
}

// takenBack reports whether a later option switches one off that no row lists as
// such: --dry-run --no-dry-run.
func (a *Args) takenBack(i int) bool {
	g := &a.Given[i]
	return slices.ContainsFunc(a.Given[i+1:], func(later Given) bool {
		name, ok := strings.CutPrefix(later.Name, "no-")
		return ok && g.is(name)
	})
}
