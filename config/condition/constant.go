package condition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/handlers/rule"
)

type anyName struct{ found bool }

func (v *anyName) Visit(node *ast.Node) {
	_, named := (*node).(*ast.IdentifierNode)
	v.found = v.found || named
}

// Contradiction says which terms of a prepared condition can never both be
// true: a field that would need two values at once, or a program that the match
// excludes.
func Contradiction(c *rule.Config) string {
	for i := range c.Needs {
		n := &c.Needs[i]
		if n.Op != match.Eq {
			continue
		}
		if n.Field == "program" && len(c.Match.Programs) > 0 && !slices.ContainsFunc(c.Match.Programs, func(p string) bool {
			return strings.ContainsAny(p, "*?[/") || slices.Contains(n.Values, p)
		}) {
			return fmt.Sprintf("program is %s in the match and %s in the condition", strings.Join(c.Match.Programs, " or "),
				strings.Join(n.Values, " or "))
		}
		for k := range c.Needs[:i] {
			o := &c.Needs[k]
			if o.Op == match.Eq && o.Field == n.Field && !slices.ContainsFunc(n.Values, func(v string) bool {
				return slices.Contains(o.Values,
					v)
			}) {
				return fmt.Sprintf("%s cannot be both %s and %s", n.Field, strings.Join(o.Values, " or "), strings.Join(n.Values, " or "))
			}
		}
	}
	return ""
}
