package condition

import (
	"reflect"

	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel/internal/expression"
)

// Operand is a part of a condition that is true or false by itself: an operand
// of &&, || or ?:, at any depth.
type Operand struct {
	Text         string
	Line, Column int // its position in the condition, from 1
}

// Operands splits a condition into its operands. The node evaluates the whole,
// and reports the value of each operand under its number.
func Operands(source string) ([]Operand, *expression.Node, error) {
	tree, err := checked(source, reflect.Bool)
	if err != nil {
		return nil, nil, err
	}
	var out []Operand
	at := translator{source: source}
	probes := map[ast.Node]int{}
	eachOperand(&tree.Node, func(slot *ast.Node) {
		probes[*slot] = len(out)
		line, column := at.place(leftmost(*slot))
		out = append(out, Operand{(*slot).String(), line, column})
	})
	node, err := translate(tree, source, probes)
	return out, node, err
}

// eachOperand visits the places of the operands, from left to right.
func eachOperand(slot *ast.Node, visit func(slot *ast.Node)) {
	switch n := (*slot).(type) {
	case *ast.BinaryNode:
		if joins(n) {
			eachOperand(&n.Left, visit)
			eachOperand(&n.Right, visit)
			return
		}
	case *ast.UnaryNode:
		if isNot(n) && compound(n.Node) {
			eachOperand(&n.Node, visit)
			return
		}
	case *ast.ConditionalNode:
		eachOperand(&n.Cond, visit)
		eachOperand(&n.Exp1, visit)
		eachOperand(&n.Exp2, visit)
		return
	case *ast.VariableDeclaratorNode:
		eachOperand(&n.Expr, visit)
		return
	}
	visit(slot)
}

// joins reports whether a node is an && or ||.
func joins(n *ast.BinaryNode) bool {
	return isAnd(n.Operator) || n.Operator == "||" || n.Operator == "or"
}

func isAnd(operator string) bool { return operator == "&&" || operator == "and" }

func isNot(n *ast.UnaryNode) bool { return n.Operator == "!" || n.Operator == "not" }

// compound reports whether a node is made of several operands.
func compound(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.BinaryNode:
		return joins(n)
	case *ast.UnaryNode:
		return isNot(n) && compound(n.Node)
	case *ast.ConditionalNode:
		return true
	}
	return false
}

// leftmost is the part of a node that comes first in the source: the position
// of an operator is not that of its first operand.
func leftmost(node ast.Node) ast.Node {
	first := node
	v := visitor(func(n ast.Node) {
		if n.Location().From < first.Location().From {
			first = n
		}
	})
	ast.Walk(&node, v)
	return first
}

type visitor func(ast.Node)

func (v visitor) Visit(node *ast.Node) { v(*node) }
