package condition

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// shaped finds texts that can never be equal to what they are compared with: a path from
// the project where paths are absolute, capitals where all letters are lower case.
func (m *mistakes) shaped(n *ast.BinaryNode) {
	whole := n.Operator == "==" || n.Operator == "in"
	if whole && isTraps(n.Right) {
		m.trap(textOf(n.Left))
	}
	if n.Operator == "==" && isTraps(n.Left) {
		m.trap(listed(n.Right)...)
	}
	for _, text := range append(listed(n.Right), textOf(n.Right)) {
		switch of := n.Left; {
		case text == "":
		case (whole || n.Operator == "startsWith") && m.isAbsolute(of) && !strings.ContainsAny(text[:1], `/\`) && !strings.Contains(text, ":"):
			m.never("%s is absolute, and %q is not: expected endsWith, contains, or a glob in match or in reads, writes, deletes", of, text)
		case n.Operator == "matches":
			m.pattern(text)
		case whole && isMember(of, "action", "server", "tool") && strings.Contains(text, "__"):
			m.never("%s is one part of the name only, and never %q: the server and the tool of mcp__SERVER__TOOL", of, text)
		case slices.Contains([]string{"==", "in", "contains", "startsWith", "endsWith"}, n.Operator) && letters(of)(text) != text:
			m.never("%s is never %q, because of its capitals: expected %q", of, text, letters(of)(text))
		}
	}
}

// isMember reports whether a node is one of these fields of a name: action.server.
func isMember(node ast.Node, of string, fields ...string) bool {
	n, ok := node.(*ast.MemberNode)
	return ok && isName(n.Node, of) && slices.Contains(fields, textOf(n.Property))
}

// isAbsolute reports whether a text is the whole path of a place.
func (m *mistakes) isAbsolute(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		return n.Value == "project" || n.Value == "path" && m.absolute
	case *ast.MemberNode:
		return ofElement(n, "path") || isName(n.Node, "session") && textOf(n.Property) == "dir"
	}
	return false
}

// letters is how a text is changed before it is compared: hosts are in lower case.
func letters(node ast.Node) func(string) string {
	switch n := node.(type) {
	case *ast.BuiltinNode:
		switch n.Name {
		case "lower":
			return strings.ToLower
		case "upper":
			return strings.ToUpper
		}
	case *ast.MemberNode:
		if ofElement(n, "host") {
			return strings.ToLower
		}
	}
	return func(text string) string { return text }
}

// ofElement reports whether a node is a field of the elements of a list: .host
func ofElement(n *ast.MemberNode, field string) bool {
	_, element := n.Node.(*ast.PointerNode)
	return element && textOf(n.Property) == field
}

// listed are the texts of a list.
func listed(node ast.Node) (out []string) {
	if list, ok := node.(*ast.ArrayNode); ok {
		for _, one := range list.Nodes {
			out = append(out, textOf(one))
		}
	}
	return out
}

func isTraps(node ast.Node) bool {
	n, ok := node.(*ast.MemberNode)
	return ok && isName(n.Node, "effects") && textOf(n.Property) == "traps"
}

// traps looks at what the elements of effects.traps are compared with.
func (m *mistakes) traps(n *ast.BuiltinNode) {
	if len(n.Arguments) != 2 || !isTraps(n.Arguments[0]) {
		return
	}
	ast.Walk(&n.Arguments[1], visitor(func(node ast.Node) {
		if b, ok := node.(*ast.BinaryNode); ok && (b.Operator == "==" || b.Operator == "in") {
			if _, element := b.Left.(*ast.PointerNode); element {
				m.trap(append(listed(b.Right), textOf(b.Right))...)
			}
		}
	}))
}

// trap looks at texts that are meant to be traps: behind the kind, each says what it is about.
func (m *mistakes) trap(texts ...string) {
	for _, text := range texts {
		if text != "" && !strings.Contains(text, " ") {
			m.never("a trap is its kind and what it is about, and never just %q: expected any(effects.traps, # startsWith %q)", text, text)
		}
	}
}
