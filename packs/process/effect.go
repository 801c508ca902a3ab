package process

import (
	"context"
	"fmt"
	"time"
)

// Materialization is one exact effect that is allowed.
type Materialization struct {
	ID     string         `json:"effect_id"`
	Mode   string         `json:"mode"`
	Action string         `json:"action"`
	Scope  map[string]any `json:"scope"`
	Digest string         `json:"effect_hash"` // over the action, the mode, the payload and the run
}

// effect is a stored materialization.
type effect struct {
	Materialization
	Allowed time.Time `json:"allowed_at"`
	Done    time.Time `json:"done_at,omitzero"`
}

// preflight checks that the payload has the scope of the effect.
func (c *call) preflight(a *Action) (*Materialization, *Response) {
	if a.Mode == "" {
		return nil, nil
	}
	m := &Materialization{ID: newID("eff_"), Mode: a.Mode, Action: a.ID, Scope: map[string]any{}, Digest: c.effectDigest(a)}
	var lacking []string
	for _, field := range a.ScopeFields {
		if missing(c.req.Payload, field) {
			lacking = append(lacking, field)
			continue
		}
		m.Scope[field], _ = lookUp(c.req.Payload, field)
	}
	if len(lacking) > 0 || len(a.ScopeFields) == 0 {
		out := c.nok(CodeScope, Blocked, "the scope of the effect cannot be verified")
		for _, field := range lacking {
			out.Diagnostics = append(out.Diagnostics, "the payload has no "+field)
		}
		return nil, out
	}
	return m, nil
}

func (c *call) effectDigest(a *Action) string {
	return digestOf(map[string]any{"action": a.ID, "mode": a.Mode, "payload": c.req.Payload, "run_id": c.run.ID,
		"profile_hash": c.d.Digest})
}

// route is the route of an action that all gates let pass.
func (a *Action) route() Route {
	switch {
	case a.Mode == "real":
		return MaterializeAllowed
	case a.Mode != "":
		return MaterializeMock
	case a.Completes:
		return Complete
	}
	return Continue
}

// Preflight is called right before an effect, with the run, the action and the
// payload of the effect. It says ok once for each effect that a control call
// has allowed, if it is exactly that effect and the profile has not changed.
func (p *Process) Preflight(ctx context.Context, req Request) (Response, error) {
	c := p.call(ctx, req)
	c.rule, c.preflights = c.last, true
	if req.Run == "" {
		c.rule = func() *Response { return c.nok(CodeUnknownRun, Blocked, "an effect belongs to a run") }
	}
	c.req.Key = ""
	return c.respond()
}

// last finds the allowed effect, and marks it as used.
func (c *call) last() *Response {
	action := c.d.Profile.Action(c.req.Action)
	if action == nil || action.Mode == "" {
		return c.nok(CodeEffect, Blocked, fmt.Sprintf("%.60q has no effect", c.req.Action))
	}
	digest, used := c.effectDigest(action), false
	for i := range c.run.Effects {
		e := &c.run.Effects[i]
		if e.Digest != digest {
			continue
		}
		if used = true; e.Done.IsZero() {
			e.Done = c.now
			return &Response{Status: StatusOK, Route: action.route(), Effect: &e.Materialization}
		}
	}
	if used {
		return c.nok(CodeEffect, Blocked, "the effect was allowed once, and was already carried out")
	}
	return c.nok(CodeEffect, Blocked, "this exact effect was not allowed")
}
