package condition

import (
	"reflect"

	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel/internal/expression"
)

func (t *translator) binary(n *ast.BinaryNode) expression.Node {
	both := func(op expression.Op) expression.Node { return t.op(op, n, "", n.Left, n.Right) }
	switch n.Operator {
	case "==":
		return t.equal(n)
	case "!=":
		same := t.equal(n)
		return expression.Node{Op: expression.Not, Column: same.Column, Kids: []expression.Node{same}}
	case "??":
		return t.alternative(n)
	case "in":
		t.whole(n.Left)
		t.whole(n.Right)
		return both(expression.In)
	case "matches":
		if text, ok := n.Right.(*ast.StringNode); ok {
			return t.op(expression.Pattern, n, text.Value, n.Left)
		}
		return both(expression.Matches)
	}
	if op, ok := comparisons[n.Operator]; ok {
		return both(relation(n, op))
	}
	if op, ok := operators[n.Operator]; ok {
		return both(op)
	}
	return t.refuse(n, "the operator "+n.Operator+" is not available", "")
}

// operators are those whose meaning does not depend on their operands, unlike
// comparisons.
var (
	operators = map[string]expression.Op{"&&": expression.And, "and": expression.And, "||": expression.Or, "or": expression.Or,
		"contains": expression.Contains, "startsWith": expression.StartsWith, "endsWith": expression.EndsWith,
		"+": expression.Add, "-": expression.Subtract, "*": expression.Multiply, "/": expression.Divide, "%": expression.Modulo,
		"**": expression.Power, "^": expression.Power, "..": expression.Range}
	comparisons = map[string]expression.Op{"<": expression.Less, "<=": expression.LessEqual, ">": expression.More, ">=": expression.MoreEqual}
)

// relation chooses between two meanings of an ordering. If the type of a side is
// known only at run time, as with a tool's arguments (input.amount > 50000), the
// comparison is false when a side is missing (nil), in both directions, so that a
// rule about an argument does not apply to calls without it. Sides that cannot be
// compared ("ten" > 5) are an error, and a guard then blocks.
//
// Everything else is as in expr: == and != take nil, contains, startsWith,
// endsWith, matches and in are false with nil, and a field of nil
// (input.missing.field) is an error; input.missing?.field is nil.
func relation(n *ast.BinaryNode, op expression.Op) expression.Op {
	if untyped(n.Left) || untyped(n.Right) {
		return op - expression.Less + expression.MaybeLess
	}
	return op
}

func untyped(n ast.Node) bool {
	t := n.Type()
	return t == nil || t.Kind() == reflect.Interface
}

// equal compares two values of the same type faster, and does not accept nil.
func (t *translator) equal(n *ast.BinaryNode) expression.Node {
	t.whole(n.Left)
	t.whole(n.Right)
	op := expression.Equal
	if kind := n.Left.Type().Kind(); kind == n.Right.Type().Kind() && !untyped(n.Left) {
		switch kind {
		case reflect.Int:
			op = expression.SameInt
		case reflect.String:
			op = expression.SameText
		}
	}
	return t.op(op, n, "", n.Left, n.Right)
}

// alternative is ??, which checks itself whether a chain next to it ended.
func (t *translator) alternative(n *ast.BinaryNode) expression.Node {
	out := t.op(expression.Else, n, "", n.Left, n.Right)
	for i := range out.Kids {
		if out.Kids[i].Op == expression.Chain {
			out.Kids[i].Op = expression.Link
		}
	}
	return out
}
