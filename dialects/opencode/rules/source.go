// Package rules reads the permissions of opencode, so that they can be imported
// (TEAM-30).
package rules

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/opencode"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source reads the permissions of opencode. The last rule that matches wins.
var Source = importers.Source{
	Name:   opencode.Host.System,
	Host:   opencode.Host.System,
	Files:  []string{"~/.config/opencode/opencode.json", "~/.config/opencode/opencode.jsonc", "opencode.json", "opencode.jsonc"},
	Ranked: true,
	Read:   importers.Settings(read),
}

func read(root *document.Node, f importers.File) ([]importers.Rule, error) {
	p := permissions{base: 1}
	if !f.User {
		p.base = 2
	}
	if err := p.block(root.Get("permission"), nil); err != nil {
		return nil, err
	}
	for _, agent := range root.Get("agent").Entries() {
		p.base = 3 // what an agent has of its own comes last
		if err := p.block(agent.Value.Get("permission"), []string{agent.Key}); err != nil {
			return nil, err
		}
	}
	return p.rules, nil
}

type permissions struct {
	base  float64
	rules []importers.Rule
}

// block reads {permission: decision, or {pattern: decision}}, or one decision for
// everything.
func (p *permissions) block(n *document.Node, agents []string) error {
	switch {
	case n == nil:
		return nil
	case n.Kind == document.Text:
		return p.add("*", "*", n, agents)
	case n.Kind != document.Map:
		return document.Wrong(n.Line, "permission is %s, expected a mapping", n.Kind)
	}
	for _, m := range n.Members {
		if m.Value.Kind != document.Map {
			if err := p.add(m.Key, "*", m.Value, agents); err != nil {
				return err
			}
			continue
		}
		for _, inner := range m.Value.Members {
			if err := p.add(m.Key, inner.Key, inner.Value, agents); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *permissions) add(key, pattern string, n *document.Node, agents []string) error {
	decision, known := map[string]trammel.Decision{"allow": trammel.Allow, "ask": trammel.Ask, "deny": trammel.Deny}[n.String()]
	if !known || n.Kind != document.Text {
		return document.Wrong(n.Line, "the decision is %q, expected allow, ask or deny", n.String())
	}
	text := key
	if pattern != "*" {
		text += " " + pattern
	}
	r := importers.Rule{Line: n.Line, Text: text, Decision: decision, Rank: p.base + float64(len(p.rules))*1e-6}
	r.Calls.Agents = agents
	p.rules = append(p.rules, permission(r, key, pattern)...)
	return nil
}
