package condition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// does is what tools of a kind can do. Others may do anything.
var does = map[trammel.ActionKind][]trammel.ActionKind{
	trammel.ReadAction:   {trammel.ReadAction},
	trammel.SearchAction: {trammel.SearchAction, trammel.ReadAction},
	trammel.WriteAction:  {trammel.WriteAction, trammel.EditAction},
	trammel.EditAction:   {trammel.WriteAction, trammel.EditAction, trammel.DeleteAction, trammel.ReadAction}, // a patch
	trammel.DeleteAction: {trammel.DeleteAction},
	trammel.FetchAction:  {trammel.FetchAction},
}

// Impossible finds tools that cannot do what the other keys of the match name.
func Impossible(m *plan.Match, tools map[string]trammel.ActionKind) []Mistake {
	if len(m.Tools) == 0 {
		return nil
	}
	files, fetches := false, false
	for _, name := range m.Tools {
		can, known := does[tools[name]]
		if !known {
			return nil
		}
		fetches = fetches || slices.Contains(can, trammel.FetchAction)
		files = files || !slices.Contains(can, trammel.FetchAction)
	}
	able := len(m.Actions) == 0 || slices.ContainsFunc(m.Tools, func(name string) bool {
		return slices.ContainsFunc(does[tools[name]], func(a trammel.ActionKind) bool { return slices.Contains(m.Actions, a) })
	})
	text := ""
	switch {
	case !able:
		text = fmt.Sprintf("%s never does this: %s", m.Tools[0], m.Actions[0])
	case len(m.To) > 0 && !fetches:
		text = m.Tools[0] + " contacts no host"
	case len(m.Paths) > 0 && !files:
		text = m.Tools[0] + " touches no file"
	default:
		return nil
	}
	return []Mistake{{Code: "never-matches", Fix: "leave one of the two out", Text: text}}
}

// LooseAllow finds parts of the condition of an allow rule that other commands satisfy,
// too: a command that contains npm test may be any command. Without a condition, it finds
// programs that do whatever they are told.
func LooseAllow(when string, m *plan.Match) (found []Mistake) {
	tree, err := parse(when, settings())
	if when == "" {
		return looseMatch(m)
	}
	if err != nil {
		return nil
	}
	ast.Walk(&tree.Node, visitor(func(node ast.Node) {
		n, ok := node.(*ast.BinaryNode)
		if !ok || n.Operator != "contains" && (n.Operator != "matches" || strings.HasPrefix(strings.TrimLeft(textOf(n.Right), "("), "^")) {
			return
		}
		if of := n.Left.String(); of == "command" || of == "action.command" || of == "input.command" || of == "args.text" {
			found = append(found, Mistake{Code: "loose-allow", Fix: "write match.program, and args.begins",
				Text: fmt.Sprintf("it allows any command with such a text somewhere: %s", n)})
		}
	}))
	return found
}

// looseMatch finds what a match without a condition allows completely.
func looseMatch(m *plan.Match) []Mistake {
	if len(m.Paths)+len(m.To)+len(m.Tools)+len(m.Agents)+len(m.Projects) > 0 {
		return nil
	}
	if len(m.Programs) == 0 && slices.Contains(m.Actions, trammel.ShellAction) {
		return []Mistake{{Code: "loose-allow", Fix: "write match.program, and args.begins", Text: "it allows every command"}}
	}
	for _, name := range m.Programs {
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
