package condition

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/nearest"
	"github.com/trammel-dev/trammel/plan"
)

// aboutCall looks for names of what only tool calls have, in hooks whose events have none.
func (m *mistakes) aboutCall(n *ast.IdentifierNode) {
	if !m.aboutTools && slices.Contains([]string{"args", "commands", "effects", "input", "interactive", "path", "paths", "program"}, n.Value) {
		m.never("%s is about a tool call, and the hook's events have none", n.Value)
	}
}

// arguments are those of agents' own tools, as the agents call them.
const arguments = "absolute_path command content contents description destination dir_path directory dirPath file_path file_text " +
	"filePath include limit new_source new_str new_string newString newText notebook_path offset old_str old_string oldString path " +
	"pattern prompt query replace_all run_in_background source subagent_type timeout workdir working_directory"

// argumentOf looks for a misspelled argument of agents' own tools.
func (m *mistakes) argumentOf(n *ast.MemberNode, tools map[string]trammel.ActionKind) {
	if !isName(n.Node, "input") || len(m.matched.Tools) == 0 || slices.ContainsFunc(m.matched.Tools, func(name string) bool {
		return tools[name] == trammel.OtherAction || tools[name] == trammel.MCPAction
	}) {
		return
	}
	name := textOf(n.Property)
	if meant := nearest.Typo(name, strings.Fields(arguments)); meant != "" {
		m.found = append(m.found, Mistake{Code: "misspelled", Fix: "write input." + meant,
			Text: fmt.Sprintf("no known tool of an agent has an argument %q; did you mean %s?", name, meant)})
	}
}

// MistakenArguments finds misspelled arguments of agents' own tools that a rule rewrites.
func MistakenArguments(rewritten map[string]string, m *plan.Match, tools map[string]trammel.ActionKind) (found []Mistake) {
	foreign := func(tool string) bool { _, ok := tools[tool]; return !ok }
	if len(m.Tools)+len(m.Programs)+len(m.Actions) == 0 || slices.ContainsFunc(m.Tools, foreign) {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(rewritten)) {
		if meant := nearest.Typo(name, strings.Fields(arguments)); meant != "" {
			found = append(found, Mistake{Code: "misspelled", Fix: "write " + meant,
				Text: fmt.Sprintf("no known tool of an agent has an argument %q; did you mean %s?", name, meant)})
		}
	}
	return found
}

// MistakenTool finds names of tools that no agent has, or in another system's spelling. tools
// are those of all agents. A rule for some hosts may use their own spelling.
func MistakenTool(name string, tools map[string]trammel.ActionKind, forSome bool) []Mistake {
	rest, own := strings.CutPrefix(name, "mcp_")
	if server, tool, ok := strings.Cut(rest, "_"); ok && own && !forSome && server != "" {
		return []Mistake{{Code: "unknown-tool", Fix: fmt.Sprintf("tool: %q", "mcp__"+server+"__"+tool),
			Text: fmt.Sprintf("%q is how some agents spell it, and means no tool under the others", name)}}
	}
	if _, ok := tools[name]; !ok && !strings.ContainsAny(name, "*?_/:.-") {
		text := fmt.Sprintf("no known agent has a tool %q", name)
		if meant := nearest.Word(name, slices.Sorted(maps.Keys(tools))); meant != "" {
			text += fmt.Sprintf(", did you mean %q?", meant)
		}
		return []Mistake{{Code: "unknown-tool", Text: text}}
	}
	if name == "external_directory" || name == "doom_loop" {
		return []Mistake{{Code: "unknown-tool", Fix: "say what such a call does, with action and path",
			Text: fmt.Sprintf("%q is a permission, and no tool", name)}}
	}
	text, at := strings.CutPrefix(name, "@")
	if !at {
		text = strings.TrimPrefix(text, "mcp:")
	}
	server, tool, ok := cutAny(text, "/:")
	if !ok || server == "" || tool == "" || strings.ContainsAny(text, "*?") && !at || strings.Count(text, "/") > 1 {
		return nil
	}
	return []Mistake{{Code: "unknown-tool", Fix: fmt.Sprintf("tool: %q", "mcp__"+server+"__"+tool),
		Text: fmt.Sprintf("%q is no name of a tool of an MCP server here", name)}}
}

func cutAny(text, chars string) (before, after string, ok bool) {
	i := strings.IndexAny(text, chars)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}
