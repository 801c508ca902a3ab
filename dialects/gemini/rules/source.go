// Package rules reads the policies of Gemini CLI, so that they can be imported
// (TEAM-30).
package rules

import (
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/gemini"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source are policies in TOML, and the lists of tools in the settings. The rule
// with the highest priority wins, even if it allows what another one denies.
var Source = importers.Source{
	Name:   "gemini",
	Host:   gemini.Host.System,
	Files:  []string{".gemini/policies/*.toml", ".gemini/settings.json", "~/.gemini/policies/*.toml", "~/.gemini/settings.json"},
	Ranked: true,
	Read:   read,
}

func read(f importers.File) ([]importers.Rule, error) {
	if strings.HasSuffix(f.Path, ".json") {
		return importers.Settings(settings)(f)
	}
	root, err := document.TOML(f.Data)
	if err != nil {
		return nil, err
	}
	var out []importers.Rule
	for i, n := range root.Get("rule").Many() {
		rules, err := policy(n, tier(f)-float64(i)*1e-9) // of equals the first counts
		if err != nil {
			return nil, err
		}
		out = append(out, rules...)
	}
	return out, nil
}

// tier is who wrote the file: an administrator has precedence over the user,
// and the user over a project.
func tier(f importers.File) float64 {
	switch {
	case filepath.IsAbs(f.Path) && strings.Contains(filepath.ToSlash(f.Path), "gemini-cli/policies"),
		strings.Contains(f.Path, "GeminiCli"):
		return 5
	case f.User:
		return 4
	}
	return 3
}

// Ranks of the lists in the settings.
const excluded, confirmed, allowed, servers = 4.4, 4.35, 4.3, 4.9

// settings reads the lists of tools in settings.json, in their old and new places.
func settings(root *document.Node, _ importers.File) (out []importers.Rule, err error) {
	for _, l := range []struct {
		keys     []string
		decision trammel.Decision
		rank     float64
	}{{[]string{"tools", "exclude"}, trammel.Deny, excluded}, {[]string{"excludeTools"}, trammel.Deny, excluded},
		{[]string{"tools", "confirmationRequired"}, trammel.Ask, confirmed}, {[]string{"tools", "allowed"}, trammel.Allow, allowed},
		{[]string{"allowedTools"}, trammel.Allow, allowed}, {[]string{"mcp", "excluded"}, trammel.Deny, servers}} {
		items, err := root.Get(l.keys...).Listed(strings.Join(l.keys, "."), "a tool")
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			r := importers.Rule{Line: item.Line, Text: item.Text, Decision: l.decision, Rank: l.rank}
			if l.keys[0] == "mcp" {
				r.Calls.Tools = []string{"mcp__" + item.Text + "__*"}
				out = append(out, r)
			} else {
				out = append(out, listed(r)...)
			}
		}
	}
	for _, keys := range [][]string{{"tools", "core"}, {"coreTools"}, {"mcp", "allowed"}} {
		if n := root.Get(keys...); n != nil {
			out = append(out, importers.Rule{Line: n.Line, Text: strings.Join(keys, ".")}.Refuse(
				"which tools and servers there are at all is left to the agent's own settings"))
		}
	}
	return out, nil
}

// listed is run_shell_command(git), or the name of a tool.
func listed(r importers.Rule) []importers.Rule {
	name, inner, has, ok := importers.Term(r.Text)
	switch {
	case !ok:
		return []importers.Rule{r.Ignore("this is not the name of a tool")}
	case (name == shell || name == "ShellTool") && has && inner != "":
		r.Calls.Command = importers.Prefix(inner)
	case has:
		return []importers.Rule{r.Ignore("only commands of the shell can stand in parentheses")}
	default:
		return tool(r, name, "")
	}
	return []importers.Rule{r}
}
