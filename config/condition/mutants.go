package condition

import (
	"reflect"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"github.com/trammel-dev/trammel/internal/expression"
)

// Mutant is a condition that was changed in one place.
type Mutant struct {
	Operand      // what was changed
	Negated bool // it was negated; otherwise it was left out
	// Stricter is true if the condition matches less without the part: the part is
	// joined by ||, or by && under a not.
	Stricter bool
	Source   string // the changed condition; "" is always true
}

// Mutants are the conditions that leave out one part of this one, or negate one
// operand. If a condition cannot be printed again, only the whole is left out.
func Mutants(source string) ([]Mutant, error) {
	tree, err := checked(source, reflect.Bool)
	if err != nil {
		return nil, err
	}
	m := mutator{root: &tree.Node, at: translator{source: source}}
	whole := []Mutant{{Operand: m.operand(tree.Node)}}
	if !faithful(tree, source) {
		return whole, nil
	}
	if b, ok := tree.Node.(*ast.BinaryNode); !ok || !isAnd(b.Operator) {
		m.out = whole
	}
	m.leaveOut(m.root)
	eachOperand(m.root, m.negate)
	return m.out, nil
}

// faithful reports whether a condition still means the same after it is printed.
// The printer of the expr package writes 1.0 as 1, and drops parentheses around
// let.
func faithful(tree *parser.Tree, source string) bool {
	was, err := compile(source, reflect.Bool)
	if err != nil {
		return false
	}
	is, err := compile(tree.Node.String(), reflect.Bool)
	return err == nil && same(was, is)
}

func same(a, b *expression.Node) bool {
	if a.Op != b.Op || a.Text != b.Text || len(a.Kids) != len(b.Kids) {
		return false
	}
	for i := range a.Kids {
		if !same(&a.Kids[i], &b.Kids[i]) {
			return false
		}
	}
	return true
}

type mutator struct {
	root  *ast.Node
	at    translator
	under bool // inside a not
	out   []Mutant
}

func (m *mutator) operand(n ast.Node) Operand {
	line, column := m.at.place(leftmost(n))
	return Operand{n.String(), line, column}
}

// put adds the condition with one part replaced.
func (m *mutator) put(slot *ast.Node, with, changed ast.Node, negated bool) {
	old := *slot
	o := m.operand(changed)
	*slot = with
	b, ok := old.(*ast.BinaryNode)
	stricter := ok && !negated && isAnd(b.Operator) == m.under
	m.out = append(m.out, Mutant{Operand: o, Negated: negated, Stricter: stricter, Source: asCondition((*m.root).String())})
	*slot = old
}

// asCondition turns the remaining source into a condition. Its type may be known
// only at run time, as in input.yes.
func asCondition(source string) string {
	if _, err := checked(source, reflect.Bool); err != nil {
		return "!(!(" + source + "))"
	}
	return source
}

// leaveOut removes each operand of && or || in turn. Nested uses of the same
// operator count as one longer list, and are not removed as a whole.
func (m *mutator) leaveOut(slot *ast.Node) {
	switch n := (*slot).(type) {
	case *ast.BinaryNode:
		if !joins(n) {
			return
		}
		if !joinedAlike(n, n.Left) {
			m.put(slot, n.Right, n.Left, false)
		}
		m.leaveOut(&n.Left)
		if !joinedAlike(n, n.Right) {
			m.put(slot, n.Left, n.Right, false)
		}
		m.leaveOut(&n.Right)
	case *ast.UnaryNode:
		if isNot(n) {
			m.under = !m.under
			m.leaveOut(&n.Node)
			m.under = !m.under
		}
	case *ast.ConditionalNode:
		m.leaveOut(&n.Cond)
		m.leaveOut(&n.Exp1)
		m.leaveOut(&n.Exp2)
	case *ast.VariableDeclaratorNode:
		m.leaveOut(&n.Expr)
	}
}

func joinedAlike(n *ast.BinaryNode, part ast.Node) bool {
	b, ok := part.(*ast.BinaryNode)
	return ok && joins(b) && isAnd(b.Operator) == isAnd(n.Operator)
}

func (m *mutator) negate(slot *ast.Node) {
	if n, ok := (*slot).(*ast.UnaryNode); ok && isNot(n) {
		m.put(slot, n.Node, n, true)
		return
	}
	m.put(slot, &ast.UnaryNode{Operator: "!", Node: *slot}, *slot, true)
}
