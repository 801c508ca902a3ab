package condition

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// textName is the name of what a comparison is about: a text, an argument of a
// tool, the value of an option, or a length; "" if it is something else.
func textName(node ast.Node) string {
	if isLength(node) || isValue(node) {
		return node.String()
	}
	if kind := kindOf(node); kind != reflect.String && kind != reflect.Interface {
		return ""
	}
	name := dotted(node)
	if name == "action.command" {
		return "command"
	}
	return name
}

// dotted is a name with its fields, "" if it is not one.
func dotted(node ast.Node) string {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		return n.Value
	case *ast.MemberNode:
		if base, field := dotted(n.Node), textOf(n.Property); base != "" && field != "" && !n.Optional {
			return base + "." + field
		}
	}
	return ""
}

// isLength reports whether a node counts something, and so is never negative.
func isLength(node ast.Node) bool {
	n, ok := node.(*ast.BuiltinNode)
	return ok && (n.Name == "len" || n.Name == "count")
}

// isValue reports whether a node is the value of an option: args.value("--context").
func isValue(node ast.Node) bool {
	n, ok := node.(*ast.CallNode)
	if !ok {
		return false
	}
	callee, ok := n.Callee.(*ast.MemberNode)
	return ok && isName(callee.Node, "args") && textOf(callee.Property) == "value"
}

func kindOf(node ast.Node) reflect.Kind {
	if t := node.Type(); t != nil {
		return t.Kind()
	}
	return reflect.Interface
}

// literal is a value as an expression spells it, "" if the node is not one.
func literal(node ast.Node) string {
	switch n := node.(type) {
	case *ast.StringNode:
		return strconv.Quote(n.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NilNode:
		return n.String()
	case *ast.UnaryNode:
		if _, number := n.Node.(*ast.IntegerNode); number && n.Operator == "-" {
			return n.String()
		}
	case *ast.ArrayNode:
		var list []string
		for _, item := range n.Nodes {
			text := literal(item)
			if text == "" {
				return ""
			}
			list = append(list, text)
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return ""
}

// literals are the values that a comparison names.
func literals(n *ast.BinaryNode) (out []string) {
	list, ok := n.Right.(*ast.ArrayNode)
	if !ok || n.Operator != "in" {
		return []string{literal(n.Left) + literal(n.Right)} // one of the two is a name
	}
	for _, item := range list.Nodes {
		out = append(out, literal(item))
	}
	return out
}
