// Package rules reads the permissions of Copilot CLI, so that they can be
// imported (TEAM-30).
package rules

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/copilot"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source reads what an administrator has set, and lists of tools as in the
// program's options. Denials come first.
var Source = importers.Source{
	Name:  "copilot",
	Host:  copilot.Host.System,
	Files: []string{".github/copilot/settings.json", "~/.copilot/settings.json", "~/.copilot/config.json"},
	Read:  importers.Settings(read),
}

// lists are the keys that hold rules, without - and _, in lower case. Rules of
// the program's options have a grammar of their own.
var lists = map[string]struct {
	decision trammel.Decision
	options  bool
}{"deny": {trammel.Deny, false}, "ask": {trammel.Ask, false}, "allow": {trammel.Allow, false},
	"denytool": {trammel.Deny, true}, "denytools": {trammel.Deny, true}, "deniedtools": {trammel.Deny, true},
	"allowtool": {trammel.Allow, true}, "allowtools": {trammel.Allow, true}, "allowedtools": {trammel.Allow, true}}

func read(root *document.Node, _ importers.File) (out []importers.Rule, err error) {
	blocks := []*document.Node{root}
	if p := root.Get("permissions"); p != nil {
		if err := p.Want("permissions", document.Map); err != nil {
			return nil, err
		}
		blocks = append(blocks, p)
	}
	for _, block := range blocks {
		for _, m := range block.Entries() {
			l, known := lists[strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(m.Key))]
			if !known {
				if strings.HasPrefix(m.Key, "disable") {
					out = append(out, importers.Rule{Line: m.Line, Text: m.Key}.Refuse("a lock of the agent stays in its own settings"))
				}
				continue
			}
			items, err := m.Value.Listed(m.Key, "a rule")
			if err != nil {
				return nil, err
			}
			for _, item := range items {
				r := importers.Rule{Line: item.Line, Text: item.Text, Decision: l.decision}
				if l.options || item.Text != "" && strings.ToLower(item.Text[:1]) == item.Text[:1] {
					out = append(out, option(r))
				} else {
					out = append(out, managed(r))
				}
			}
		}
	}
	return out, nil
}
