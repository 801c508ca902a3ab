package options

import (
	"slices"
	"strings"
)

// Explains reports whether one of these options is given, as a flag.
func (a *Args) Explains(names ...string) bool {
	g := a.Last(names)
	return g != nil && !g.Apart && !Negative(g.Value.Text) && !g.Off
}

// Negative reports whether the value of an option turns it off: --dry-run=false.
func Negative(value string) bool {
	switch strings.ToLower(value) {
	case "false", "f", "no", "n", "none", "off", "0", "never", "disabled":
		return true
	}
	return false
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
