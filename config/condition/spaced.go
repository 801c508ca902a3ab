package condition

import (
	"strings"

	"github.com/expr-lang/expr/ast"
)

// Spaced returns the texts with a blank inside that a condition compares with
// single arguments, as in args.has("git push"). It skips --message="two words",
// where the author probably means one quoted argument.
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
