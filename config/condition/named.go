package condition

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel"
)

// modes are the permission modes that agents report, as they call them.
var modes = [...]string{"default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "yolo", "auto-edit", "auto_edit",
	"autoEdit", "agent", "ask", "edit", "chat", "debug", "autonomous", "balanced", "strict", "interactive", "print", "tui", "json", "rpc"}

// named looks at a name that is compared exactly, as agents write it.
func (m *mistakes) named(field, text string) {
	switch {
	case text == "" || strings.TrimSpace(text) != text: // what is said of blanks is enough
	case field == "tool.name" && strings.ContainsAny(text, "()"):
		m.never("tool.name is the name alone, and %q has arguments: trammel explain says what such a call does", text)
	case field == "tool.name":
		m.tools = append(m.tools, text)
	case field == "session.mode" && !slices.Contains(modes[:], text):
		meant := ""
		for _, mode := range modes {
			if strings.EqualFold(mode, text) {
				meant = fmt.Sprintf(", did you mean %q", mode)
			}
		}
		m.found = append(m.found, Mistake{Code: "never-matches", Text: fmt.Sprintf("no known agent has a permission mode %q%s", text, meant),
			Fix: "write it as the agent sends it, or session.bypass for all modes in which nobody is asked"})
	}
}

// unknownTools looks at the names that tool.name is compared with. Unlike those of a
// match they are compared exactly, also in case.
func (m *mistakes) unknownTools(tools map[string]trammel.ActionKind) {
	for _, text := range m.tools {
		var others []string
		for _, name := range slices.Sorted(maps.Keys(tools)) {
			if strings.EqualFold(name, text) && name != text {
				others = append(others, name)
			}
		}
		_, known := tools[text]
		meant := ""
		switch {
		case len(tools) == 0 || slices.ContainsFunc(others, func(name string) bool { return slices.Contains(m.tools, name) }):
			continue
		case len(others) > 0 && !known:
			meant = fmt.Sprintf(", did you mean %q", others[0])
		case len(others) > 0 && text == strings.ToLower(text) && len(m.matched.Hosts) == 0:
			m.found = append(m.found, Mistake{Code: "unknown-tool", Fix: fmt.Sprintf("match: { tool: %s }, which means both", text),
				Text: fmt.Sprintf("tool.name is compared exactly, and other agents write %q", others[0])})
			continue
		case known || strings.ContainsAny(text, "*?_/:.-"): // a tool of an MCP server, or somebody's own
			continue
		}
		m.found = append(m.found, Mistake{Code: "unknown-tool", Text: fmt.Sprintf("no known agent has a tool %q%s", text, meant)})
	}
}

// empty looks at what is compared with the empty text.
func (m *mistakes) empty(n *ast.BinaryNode) {
	text, ok := n.Right.(*ast.StringNode)
	if ok && text.Value == "" && slices.Contains([]string{"contains", "startsWith", "endsWith", "matches"}, n.Operator) {
		m.found = append(m.found, Mistake{Code: "always-true", Fix: "write the text that is meant, or leave it out",
			Text: fmt.Sprintf(`%s %s "" is true of every text`, n.Left, n.Operator)})
	}
}

// FactsOf are the hooks for whose facts a condition asks.
func FactsOf(when string) (ids []string) {
	tree, err := parse(when, settings())
	if when == "" || err != nil {
		return nil
	}
	ast.Walk(&tree.Node, visitor(func(node ast.Node) {
		if n, ok := node.(*ast.MemberNode); ok && isName(n.Node, "facts") && textOf(n.Property) != "" {
			ids = append(ids, textOf(n.Property))
		}
	}))
	return ids
}
