package full

import (
	"encoding/json"
	"slices"

	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/handlers/approval"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
)

// Variants makes configurations that differ from one in a single hook. They are
// not stored for other programs.
type Variants struct {
	Hooks []plan.Hook // of the configuration itself

	program  *Program
	from     pipeline.Config
	settings plan.Settings
}

// Variants prepares variants of a configuration.
func (p *Program) Variants(c pipeline.Config) (*Variants, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.encode(c.Set); err != nil {
		return nil, err
	}
	return &Variants{slices.Clone(p.Compiled.Hooks), p, c, p.Compiled.Settings}, nil
}

// With returns the configuration with hook number i replaced, or removed if h is
// nil.
func (v *Variants) With(i int, h *plan.Hook) (pipeline.Config, error) {
	hooks := slices.Clone(v.Hooks)
	if h == nil {
		hooks = slices.Delete(hooks, i, i+1)
	} else {
		hooks[i] = *h
		if err := v.program.annotateForIndex(&hooks[i]); err != nil {
			return pipeline.Config{}, err
		}
	}
	return v.of(hooks)
}

// Asking returns the configuration itself, except that every hook with a match
// runs, even if the index knows that its condition is false.
func (v *Variants) Asking() (pipeline.Config, error) {
	hooks := slices.Clone(v.Hooks)
	for i := range hooks {
		hooks[i].Prefilter = match.Prefilter{}
	}
	return v.of(hooks)
}

func (v *Variants) of(hooks []plan.Hook) (pipeline.Config, error) {
	compiled, err := plan.Decode(plan.Encode(hooks, v.settings, v.from.Set.Digest, nil), v.from.Set.Digest)
	return pipeline.Config{Set: v.from.Set, Plan: compiled}, err
}

// RuleOf returns the rule of a hook; ok is false if it has none.
func RuleOf(h *plan.Hook) (c rule.Config, ok bool) {
	data := h.Config
	switch h.Kind {
	case "rule":
	case "approval":
		a, err := approval.Read(data)
		if err != nil {
			return c, false
		}
		data = a.Rule
	default:
		return c, false
	}
	c, err := rule.Read(data)
	return c, err == nil
}

// WithRule returns the hook with another rule, compiled.
func WithRule(h plan.Hook, c rule.Config) (plan.Hook, error) {
	if err := condition.Prepare(&c); err != nil {
		return h, err
	}
	data, err := c.JSON()
	if err == nil && h.Kind == "approval" {
		var a approval.Config
		if a, err = approval.Read(h.Config); err == nil {
			a.Rule = data
			data, err = json.Marshal(a)
		}
	}
	h.Config = data
	return h, err
}
