package condition

import (
	"slices"

	"github.com/expr-lang/expr/ast"
)

// certain makes questions below a "not" ask only about what is certain, because
// doubt must count for the condition, never against it. In args.has("push") &&
// !args.has("--dry-run"), an unknown argument counts as push, but not as
// --dry-run.
func certain(node ast.Node, negated bool) {
	switch n := node.(type) {
	case *ast.UnaryNode:
		certain(n.Node, negated != (n.Operator == "!" || n.Operator == "not"))
	case *ast.BinaryNode:
		certain(n.Left, negated)
		certain(n.Right, negated)
	case *ast.ConditionalNode:
		certain(n.Exp1, negated)
		certain(n.Exp2, negated)
	case *ast.BuiltinNode:
		for _, a := range n.Arguments {
			certain(a, negated != (n.Name == "none"))
		}
	case *ast.PredicateNode:
		certain(n.Node, negated)
	case *ast.CallNode:
		switch callee := n.Callee.(type) {
		case *ast.IdentifierNode:
			if negated && isQuestion(callee.Value) {
				callee.Value = "#" + callee.Value
			}
		case *ast.MemberNode:
			if name, ok := callee.Property.(*ast.StringNode); ok && negated && isAbout(name.Value) {
				name.Value = "#" + name.Value
			}
		}
	}
}

// isAbout reports whether a name is a question about arguments, or about what the
// session did before.
func isAbout(name string) bool {
	return slices.Contains([]string{"has", "starts", "begins", "wrote", "fetched"}, name)
}

// isQuestion reports whether a name is a question about effects.
func isQuestion(name string) bool {
	return slices.Contains([]string{"runs", "reads", "writes", "deletes", "talks_to", "sends"}, name)
}
