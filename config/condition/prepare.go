package condition

import (
	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/handlers/rule"
)

// Prepare checks the rule, compiles its expressions, and derives from its
// condition what can be decided without evaluating it.
//
// Only terms joined by && at the top level are used: if one of them is false, so
// is the whole condition. Their order does not matter: a term that is false
// decides, even if another one cannot be evaluated.
func Prepare(c *rule.Config) error {
	code, err := compileAll(c)
	if err != nil {
		return err
	}
	c.Prepared, c.Each, c.Whole, c.Needs, c.Code = true, false, true, nil, code
	if c.When == "" {
		return nil
	}
	tree, err := parse(c.When, settings())
	if err != nil {
		return err
	}
	v := &perCommand{}
	ast.Walk(&tree.Node, v)
	c.Each = v.found
	take(c, tree.Node)
	return nil
}

func take(c *rule.Config, node ast.Node) {
	if b, ok := node.(*ast.BinaryNode); ok && (b.Operator == "&&" || b.Operator == "and") {
		take(c, b.Left)
		take(c, b.Right)
		return
	}
	if n, ok := needOf(node); ok {
		c.Needs = append(c.Needs, n)
	} else {
		c.Whole = false
	}
}

func needOf(node ast.Node) (match.Need, bool) {
	switch n := node.(type) {
	case *ast.BinaryNode:
		return comparison(n)
	case *ast.CallNode:
		m, ok := n.Callee.(*ast.MemberNode)
		if !ok || m.Optional || !isName(m.Node, "args") || textOf(m.Property) != "has" {
			return match.Need{}, false
		}
		values, ok := texts(n.Arguments)
		return match.Need{Field: "args", Op: match.Has, Values: values}, ok
	}
	return match.Need{}, false
}

func comparison(n *ast.BinaryNode) (match.Need, bool) {
	var op match.Op
	switch n.Operator {
	case "||", "or":
		left, ok := needOf(n.Left)
		right, also := needOf(n.Right)
		if !ok || !also || left.Field != right.Field || left.Op != right.Op {
			return match.Need{}, false
		}
		left.Values = append(left.Values, right.Values...)
		return left, true
	case "in":
		list, ok := n.Right.(*ast.ArrayNode)
		field, also := fieldOf(n.Left)
		if !ok || !also {
			return match.Need{}, false
		}
		values, ok := texts(list.Nodes)
		return match.Need{Field: field, Op: match.Eq, Values: values}, ok
	case "==":
		op = match.Eq
	case "contains":
		op = match.Contains
	case "startsWith":
		op = match.Prefix
	case "endsWith":
		op = match.Suffix
	default:
		return match.Need{}, false
	}
	left, right := n.Left, n.Right
	if _, turned := left.(*ast.StringNode); turned && op == match.Eq {
		left, right = right, left
	}
	field, ok := fieldOf(left)
	values, also := texts([]ast.Node{right})
	return match.Need{Field: field, Op: op, Values: values}, ok && also
}

func fieldOf(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		switch n.Value {
		case "command", "prompt", "host", "event", "program":
			return n.Value, true
		}
	case *ast.MemberNode:
		name := textOf(n.Property)
		switch {
		case n.Optional || name == "":
		case isName(n.Node, "input"):
			return "input." + name, true
		case isName(n.Node, "tool") && name == "name":
			return "tool", true
		case isName(n.Node, "action") && name == "command":
			return "command", true
		case isName(n.Node, "action") && name == "kind":
			return "action", true
		}
	}
	return "", false
}

func isName(node ast.Node, name string) bool {
	n, ok := node.(*ast.IdentifierNode)
	return ok && n.Value == name
}

func textOf(node ast.Node) string {
	if n, ok := node.(*ast.StringNode); ok {
		return n.Value
	}
	return ""
}

func texts(nodes []ast.Node) ([]string, bool) {
	var out []string
	for _, node := range nodes {
		n, ok := node.(*ast.StringNode)
		if !ok {
			return nil, false
		}
		out = append(out, n.Value)
	}
	return out, len(out) > 0
}

// perCommand looks for names that are bound to one command at a time.
type perCommand struct{ found bool }

func (v *perCommand) Visit(node *ast.Node) {
	if isName(*node, "program") || isName(*node, "args") || isName(*node, "interactive") {
		v.found = true
	}
}
