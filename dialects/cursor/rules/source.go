// Package rules reads the permissions of Cursor, so that they can be imported
// (TEAM-30).
package rules

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/cursor"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source are the lists of the editor, which only allow, and the permissions of the
// command line, in which a denial counts first.
var Source = importers.Source{
	Name:  cursor.Host.System,
	Host:  cursor.Host.System,
	Files: []string{".cursor/permissions.json", ".cursor/cli.json", "~/.cursor/permissions.json", "~/.cursor/cli-config.json"},
	Read:  importers.Settings(read),
}

func read(root *document.Node, _ importers.File) (out []importers.Rule, err error) {
	for _, l := range []struct {
		keys     []string
		decision trammel.Decision
		mean     func(r importers.Rule, text string) importers.Rule
	}{{[]string{"terminalAllowlist"}, trammel.Allow, terminal}, {[]string{"mcpAllowlist"}, trammel.Allow, server},
		{[]string{"permissions", "deny"}, trammel.Deny, permission}, {[]string{"permissions", "allow"}, trammel.Allow, permission}} {
		n := root.Get(l.keys...)
		if err := n.Want(strings.Join(l.keys, "."), document.List); err != nil {
			return nil, err
		}
		for _, item := range n.Many() {
			r := importers.Rule{Line: item.Line, Text: item.Text, Decision: l.decision}
			if item.Kind != document.Text {
				out = append(out, r.Ignore("it is not text, so the agent ignores it"))
				continue
			}
			out = append(out, l.mean(r, r.Text))
		}
	}
	return out, nil
}
