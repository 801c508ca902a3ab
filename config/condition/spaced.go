package condition

import (
	"strings"

	"github.com/expr-lang/expr/ast"
)

// Spaced are the texts with a blank inside that a condition compares with single
// arguments: args.has("git push"). Where a person means one that is quoted, an
// option gives it: --message="two words".
func Spaced(when string) (out []string) {
	tree, err := parse(when, settings())
	if when == "" || err != nil {
		return nil
	}
	ast.Walk(&tree.Node, visitor(func(node ast.Node) {
		call, _ := node.(*ast.CallNode)
		if call == nil {
			return
		}
		m, ok := call.Callee.(*ast.MemberNode)
		if !ok || !isAbout(textOf(m.Property)) || isName(m.Node, "session") {
			return
		}
		for _, a := range call.Arguments {
			if text := textOf(a); len(strings.Fields(text)) > 1 && !strings.Contains(text, "=") {
				out = append(out, text)
			}
		}
	}))
	return out
}
