package process

import (
	"time"
)

// Materialization is what may be done to the world: one exact effect.
type Materialization struct {
	ID     string         `json:"effect_id"`
	Mode   string         `json:"mode"`
	Action string         `json:"action"`
	Scope  map[string]any `json:"scope"`
	Digest string         `json:"effect_hash"` // over the action, the mode, the payload and the run
}

// effect is a materialization as it is kept.
type effect struct {
	Materialization
	Allowed time.Time `json:"allowed_at"`
	Done    time.Time `json:"done_at,omitzero"`
}

// preflight looks whether the effect of an action says what it is about.
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

// route is where an action leads that all gates let pass.
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
