// Package stopgoalfit is the policy stop-goal-fit: an agent that wants to end
// while its Flow Agents task is not what it says is warned, or kept at work
// (FLOW-32).
package stopgoalfit

import (
	"context"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/flow"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy declares it.
func Policy() trammel.Policy {
	return option.Policy("stop-goal-fit", trammel.Guard,
		"warns or blocks when the agent ends although its Flow Agents task is open, unproven or contradicted",
		Options{MaxBlocks: 3, Environment: true}, build, trammel.Stop)
}

// Options are what can be set.
type Options struct {
	Mode            string `json:"mode,omitempty" enum:"off,warn,block" jsonschema:"What findings do; without it FLOW_AGENTS_GOAL_FIT_MODE or _STRICT decide, else they warn."`
	MaxBlocks       int    `json:"max_blocks,omitempty" jsonschema:"How often in a row the same findings may keep the agent at work; contradictions of the record are never let go."`
	RequireSidecars bool   `json:"require_sidecars,omitempty" jsonschema:"Whether state.json and proof must be there; FLOW_AGENTS_REQUIRE_SIDECARS=true requires it, too."`
	RequireCritique bool   `json:"require_critique,omitempty" jsonschema:"Whether a critique must be there; FLOW_AGENTS_REQUIRE_CRITIQUE=true requires it, too."`
	Environment     bool   `json:"environment,omitempty" jsonschema:"Whether variables of the environment may decide what is not set here."`
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	if o.MaxBlocks < 1 {
		return nil, &option.Error{Key: "max_blocks", Message: "found " + strconv.Itoa(o.MaxBlocks), Expected: "at least 1"}
	}
	return &policy{o, spec.State}, nil
}

type policy struct {
	Options
	state trammel.State
}

func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Kind != trammel.Stop {
		return trammel.Answer{}, nil
	}
	o := p.resolved(world.Getenv(ev))
	if o.Mode == "off" {
		return trammel.Answer{}, nil
	}
	s, ok := flow.Open(ev).Session(ev, world.Getenv(ev))
	if !ok {
		return trammel.Answer{}, nil
	}
	blocks := flow.Remember(p.state, ev, s, "stops", "streak")
	told := flow.Remember(p.state, ev, s, "stops", "told")
	r := examine(s, o)
	if len(r.found) == 0 {
		blocks.Forget(ctx)
		told.Forget(ctx)
		return trammel.Answer{}, nil
	}
	a := trammel.Answer{Findings: r.findings()}
	if o.Mode == "block" && r.blocks() {
		n, err := blocks.Streak(ctx, r.identity())
		if err != nil {
			return trammel.Answer{}, err
		}
		if n <= o.MaxBlocks || r.hard() {
			a.Decision, a.Reason = trammel.Deny, r.blocked(n, o.MaxBlocks)
			return a, nil
		}
		a.Notice = r.released(o.MaxBlocks)
	} else {
		blocks.Forget(ctx)
		a.Notice = r.warning()
	}
	// The person sees it whenever the agent ends, the model once until it changes.
	if told.Changed(ctx, r.identity()) {
		a.Context = []string{a.Notice}
	}
	return a, nil
}

// resolved adds what the environment says to what is set.
func (p *policy) resolved(getenv func(string) string) Options {
	o := p.Options
	if !o.Environment {
		getenv = func(string) string { return "" }
	}
	if o.Mode == "" {
		switch mode := strings.ToLower(strings.TrimSpace(getenv("FLOW_AGENTS_GOAL_FIT_MODE"))); mode {
		case "off", "warn", "block":
			o.Mode = mode
		default:
			o.Mode = "warn"
			if isTrue(getenv("FLOW_AGENTS_GOAL_FIT_STRICT")) {
				o.Mode = "block"
			}
		}
	}
	if n, err := strconv.Atoi(getenv("FLOW_AGENTS_GOAL_FIT_MAX_BLOCKS")); err == nil && n > o.MaxBlocks {
		o.MaxBlocks = n
	}
	o.RequireSidecars = o.RequireSidecars || isTrue(getenv("FLOW_AGENTS_REQUIRE_SIDECARS"))
	o.RequireCritique = o.RequireCritique || isTrue(getenv("FLOW_AGENTS_REQUIRE_CRITIQUE"))
	return o
}

func isTrue(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "true") || s == "1" }
