// Package rules reads Claude Code's permission rules and hooks, so that they can
// be imported (TEAM-30).
package rules

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/claudecode"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source are the settings of Claude Code. Denials come before questions, and
// questions before what is allowed, however specific the rules are.
var Source = importers.Source{
	Name:  claudecode.Host.System,
	Host:  claudecode.Host.System,
	Files: []string{".claude/settings.json", ".claude/settings.local.json", "~/.claude/settings.json"},
	Read:  importers.Settings(read),
}

func read(root *document.Node, f importers.File) ([]importers.Rule, error) {
	permissions := root.Get("permissions")
	if err := permissions.Want("permissions", document.Map); err != nil {
		return nil, err
	}
	var out []importers.Rule
	for _, m := range permissions.Entries() {
		decision, known := map[string]trammel.Decision{"deny": trammel.Deny, "ask": trammel.Ask, "allow": trammel.Allow}[m.Key]
		if !known {
			if note := setting(m); note != nil {
				out = append(out, *note)
			}
			continue
		}
		items, err := m.Value.Listed("permissions."+m.Key, "a rule")
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			r := importers.Rule{Line: item.Line, Text: item.Text, Decision: decision}
			out = append(out, permission(r, f.User)...)
		}
	}
	more, err := hooks(root.Get("hooks"))
	return append(out, more...), err
}

// setting reports settings beside the rules that change what is allowed.
func setting(m document.Member) *importers.Rule {
	r := importers.Rule{Line: m.Line, Text: strings.TrimSpace(m.Key + " " + m.Value.String())}
	switch m.Key {
	case "defaultMode":
		if m.Value.String() == "default" {
			return nil
		}
		r = r.Refuse("a mode of the agent is not a rule; it stays in its own settings")
	case "additionalDirectories":
		r = r.Refuse("directories that the agent may use stay in its own settings")
	case "disableBypassPermissionsMode", "disableAutoMode":
		r = r.Refuse("a lock of the agent stays in its own settings")
	default:
		r = r.Ignore("there is no such list of rules")
	}
	return &r
}
