package condition

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// LooseAllow finds parts of the condition of an allow rule that other commands satisfy,
// too: a command that contains npm test may be any command. Without a condition, it finds
// programs that run any code they are given.
func LooseAllow(when string, m *plan.Match) (found []Mistake) {
	if when == "" {
		return looseMatch(m)
	}
	tree, err := parse(when, settings())
	if err != nil {
		return nil
	}
	negated := map[ast.Node]bool{}
	ast.Walk(&tree.Node, visitor(func(node ast.Node) {
		if n, ok := node.(*ast.UnaryNode); ok && (n.Operator == "!" || n.Operator == "not") {
			ast.Walk(&n.Node, visitor(func(below ast.Node) { negated[below] = true }))
		}
	}))
	ast.Walk(&tree.Node, visitor(func(node ast.Node) {
		switch n := node.(type) {
		case *ast.BinaryNode:
			if text := textOf(n.Right); n.Operator == "contains" || n.Operator == "matches" && !strings.HasPrefix(strings.TrimLeft(text, "("), "^") {
				found = append(found, looseText(n, text, negated[n])...)
			}
		case *ast.CallNode:
			found = append(found, narrowTask(n, m, negated[n])...)
		}
	}))
	return found
}

// looseText finds a text that is looked for anywhere in a command, an address or a path.
func looseText(n *ast.BinaryNode, text string, negated bool) []Mistake {
	of := n.Left.String()
	what, fix := "", ""
	switch {
	case of == "command" || of == "action.command" || of == "input.command" || of == "args.text":
		what, fix = "command", "write match.program, and args.begins"
	case negated:
	case of == "action.url" || of == "input.url":
		what, fix = "address", "write match.to"
	case of == "path" || of == "input.file_path" || of == "input.path":
		if n.Operator == "contains" || !strings.HasSuffix(text, "$") {
			what, fix = "path", "write match.path"
		}
	}
	if what == "" {
		return nil
	}
	return []Mistake{{Code: "loose-allow", Fix: fix, Text: fmt.Sprintf("it allows any %s with such a text somewhere: %s", what, n)}}
}

// narrowTask finds a task that an allow rule names by the program that runs it, although
// what the task runs is not named: npm test, where package.json says vitest.
func narrowTask(n *ast.CallNode, m *plan.Match, negated bool) []Mistake {
	tasks := map[string][]string{"npm": {"test", "run", "start"}, "pnpm": {"test", "run", "start"}, "yarn": {"test", "run", "start"},
		"bun": {"run"}, "make": nil, "just": nil, "task": nil, "rake": nil}
	if negated || n.Callee.String() != "args.begins" || len(n.Arguments) == 0 || len(m.Programs) == 0 {
		return nil
	}
	for _, name := range m.Programs {
		if words, ok := tasks[name]; !ok || words != nil && !slices.Contains(words, textOf(n.Arguments[0])) {
			return nil
		}
	}
	words := []string{fmt.Sprintf("%q", m.Programs[0])}
	for _, a := range n.Arguments {
		words = append(words, a.String())
	}
	return []Mistake{{Code: "narrow-allow", Fix: "leave the match out, and write runs(" + strings.Join(words, ", ") + ")",
		Text: "it does not cover what the task runs, which is not among the programs of the match"}}
}

// looseMatch finds what a match without a condition allows completely.
func looseMatch(m *plan.Match) []Mistake {
	if slices.Contains(m.Tools, "*") && len(m.Paths)+len(m.To)+len(m.Actions)+len(m.Programs) == 0 {
		return []Mistake{{Code: "loose-allow", Fix: "name the tools", Text: "it allows every tool"}}
	}
	if len(m.Paths)+len(m.To)+len(m.Tools)+len(m.Agents)+len(m.Projects) > 0 {
		return nil
	}
	if len(m.Programs)+len(m.Actions) == 0 {
		return []Mistake{{Code: "loose-allow", Fix: "write match, or when", Text: "it allows every call"}}
	}
	if len(m.Programs) == 0 && slices.Contains(m.Actions, trammel.ShellAction) {
		return []Mistake{{Code: "loose-allow", Fix: "write match.program, and args.begins", Text: "it allows every command"}}
	}
	for _, name := range m.Programs {
		if fits, _ := path.Match(name, "bash"); fits && name != "bash" {
			return []Mistake{{Code: "loose-allow", Fix: "name the programs", Text: name + " is also bash, which runs whatever it is told"}}
		}
		switch name {
		case "sh", "bash", "zsh", "fish", "dash", "ksh", "python", "python3", "node", "ruby", "perl", "php", "pwsh", "powershell", "cmd", "sudo",
			"doas", "ssh", "xargs", "env", "docker", "podman":
			return []Mistake{{Code: "loose-allow", Fix: "write when, with args.begins", Text: name + " runs whatever it is told"}}
		case "curl", "wget", "nc", "scp", "rsync":
			return []Mistake{{Code: "loose-allow", Fix: "write match.to as well", Text: name + " talks to any host, and may send anything"}}
		}
	}
	return nil
}
