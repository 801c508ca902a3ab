package pipeline

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/handlers/builtin"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/plan"
)

// selectHooks selects the hooks for an event: by the plan's index or the
// request's function, plus those that the host's contract expects.
func (p *Program) selectHooks(c *Config, r *Request) (hooks []plan.Hook, err error) {
	if r.Select != nil {
		hooks, err = r.Select(c)
	} else {
		hooks, err = c.Plan.Select(r.Event)
	}
	d, _ := p.Dialects.Host(r.Event.Host)
	if b, ok := d.(dialects.Baseliner); ok && err == nil {
		return p.withBaseline(hooks, b, c, r)
	}
	return hooks, err
}

// withBaseline adds the policies that the host's contract expects, unless they
// are configured already.
func (p *Program) withBaseline(selected []plan.Hook, b dialects.Baseliner, c *Config, r *Request) ([]plan.Hook, error) {
	all, err := c.Plan.All()
	if err != nil {
		return nil, err
	}
	ev := r.Event
	if r.only != "" {
		selected = slices.DeleteFunc(selected, func(h plan.Hook) bool { return policyOf(&h) != r.only })
	} else if guardsMissInput(ev, all) {
		return nil, trammel.Fail(trammel.CodeTooLarge, "the payload is not complete: it was cut off at a limit, or by what sent it")
	}
	for _, use := range b.Baseline(r.switches(&c.Plan.Settings.Flow)) {
		if r.only != "" && use.Policy != r.only || slices.ContainsFunc(all, func(h plan.Hook) bool { return policyOf(&h) == use.Policy }) {
			continue
		}
		policy, ok := p.Registry.Policy(use.Policy)
		if !ok {
			return nil, trammel.Fail(trammel.CodeConfig, "%w: no policy is named %q here", trammel.ErrUnknownKind, use.Policy)
		}
		if !slices.Contains(policy.On, ev.Kind) {
			continue
		}
		// The contract says that failures of its policies are reported and do not
		// block (FLOW-65).
		selected = append(selected, plan.Hook{ID: ev.Host + "/" + policy.Name, On: policy.On, Kind: "builtin", Config: configOf(use),
			May: policy.May, Rewrites: policy.Rewrites, OnError: trammel.WarnOnError, Source: trammel.Source{Layer: ev.Host}})
	}
	return selected, nil
}

// guardsMissInput reports whether the payload of an event with configured guards
// was cut off. Then the guards cannot judge it, whatever the host's contract
// says, and it is not even known which of them match.
func guardsMissInput(ev *trammel.Event, all []plan.Hook) bool {
	return ev.Fields[dialects.Truncated] == true && ev.Kind.FailsClosed() &&
		slices.ContainsFunc(all, func(h plan.Hook) bool { return h.May >= trammel.Guard && slices.Contains(h.On, ev.Kind) })
}

func (o *callOptions) switches(s *plan.FlowSettings) dialects.Switches {
	out := dialects.Switches{Profile: s.Profile, Disabled: s.Disabled, Getenv: o.getenv, Fixed: !s.Environment, Called: o.only != ""}
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
