package pipeline

import (
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/handlers/builtin"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/plan"
)

// terms are what this call adds to the configuration.
func (j *job) terms(deadline time.Time) terms {
	_, own := j.dialect.(dialects.Caller)
	return terms{deadline: deadline, own: own, baseline: j.baselineOf(j.ev), getenv: j.getenv, only: j.call.Only}
}

// baselineOf is what the host of an event expects to run unasked, nil if it
// expects nothing.
func (p *Program) baselineOf(ev *trammel.Event) dialects.Baseliner {
	d, _ := p.Dialects.Host(ev.Host)
	b, _ := d.(dialects.Baseliner)
	return b
}

// withBaseline adds the policies that the host's callers expect and nobody has
// configured. A policy that is configured anywhere is left as it is configured.
func (p *Program) withBaseline(selected []plan.Hook, at *opened, ev *trammel.Event, t *terms) ([]plan.Hook, error) {
	all, err := at.plan.All()
	if err != nil {
		return nil, err
	}
	if t.only != "" {
		selected = slices.DeleteFunc(selected, func(h plan.Hook) bool { return policyOf(&h) != t.only })
	} else if blinds(ev, all) {
		return nil, tooLarge(at.plan.Settings.MaxPayload)
	}
	for _, use := range t.baseline.Baseline(t.switches(&at.plan.Settings.Flow)) {
		if t.only != "" && use.Policy != t.only || slices.ContainsFunc(all, func(h plan.Hook) bool { return policyOf(&h) == use.Policy }) {
			continue
		}
		policy, ok := p.Registry.Policy(use.Policy)
		if !ok {
			return nil, trammel.Fail(trammel.CodeConfig, "%w: no policy is named %q here", trammel.ErrUnknownKind, use.Policy)
		}
		if !slices.Contains(policy.On, ev.Kind) {
			continue
		}
		// What the contract expects of its policies: their failures are told and
		// do not block (FLOW-65).
		selected = append(selected, plan.Hook{ID: ev.Host + "/" + policy.Name, On: policy.On, Kind: "builtin", Config: configOf(use),
			May: policy.May, Rewrites: policy.Rewrites, OnError: trammel.WarnOnError, Source: trammel.Source{Layer: ev.Host}})
	}
	return selected, nil
}

// blinds reports whether an event was cut off that guards have to judge which
// somebody has configured. They cannot, whatever the host's contract makes of
// it; not even which of them match is known.
func blinds(ev *trammel.Event, all []plan.Hook) bool {
	return ev.Fields[dialects.Truncated] == true && ev.Kind.FailsClosed() &&
		slices.ContainsFunc(all, func(h plan.Hook) bool { return h.May >= trammel.Guard && slices.Contains(h.On, ev.Kind) })
}

func (t *terms) switches(s *plan.FlowSettings) dialects.Switches {
	out := dialects.Switches{Profile: s.Profile, Disabled: s.Disabled, Getenv: t.getenv, Fixed: !s.Environment, Called: t.only != ""}
	if out.Fixed || out.Getenv == nil {
		out.Getenv = func(string) string { return "" }
	}
	return out
}

// policyOf is the policy that a hook uses, "" if it uses none.
func policyOf(h *plan.Hook) string {
	if h.Kind != "builtin" {
		return ""
	}
	c, err := builtin.Read(h.Config)
	if err != nil {
		return ""
	}
	return c.Use
}

func configOf(use dialects.Use) []byte {
	out := canonical.AppendString([]byte(`{"use":`), use.Policy)
	if use.With != nil {
		out = append(append(out, `,"with":`...), use.With...)
	}
	return append(out, '}')
}
