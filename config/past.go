package config

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/handlers/builtin"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/plan"
)

// past are the kinds of facts about earlier calls of a session that the hooks
// in force need.
func (c *compiler) past() string {
	var out []string
	for i := range c.out.Hooks {
		for _, sort := range c.remembers(&c.out.Hooks[i]) {
			if !slices.Contains(out, string(sort)) {
				out = append(out, string(sort))
			}
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func (c *compiler) remembers(h *plan.Hook) []trammel.PastSort {
	switch h.Kind {
	case "builtin":
		if use, err := builtin.Read(h.Config); err == nil {
			p, _ := c.reg.Policy(use.Use)
			return p.Remembers
		}
	case "rule":
		if r, err := rule.Read(h.Config); err == nil {
			return r.Remembers()
		}
	}
	return nil
}
