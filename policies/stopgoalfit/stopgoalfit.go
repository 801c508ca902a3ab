// Package stopgoalfit is the policy stop-goal-fit: an agent that wants to stop
// although its Flow Agents task is not in the state it claims is warned, or kept
// working (FLOW-32).
package stopgoalfit

import (
	"context"
	"strconv"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/flow"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("stop-goal-fit", trammel.Guard,
		"warns or blocks when the agent ends although its Flow Agents task is open, unproven or contradicted",
		Options{Environment: true}, build, trammel.Stop)
}

// Options are the policy's options.
type Options struct {
	Mode            string `json:"mode,omitempty" enum:"off,warn,block" jsonschema:"What findings do; without it the committed core.config.json decides, then FLOW_AGENTS_GOAL_FIT_MODE or _STRICT, else they warn."`
	MaxBlocks       *int   `json:"max_blocks,omitempty" jsonschema:"How often in a row the same findings may keep the agent at work, 3 by default; contradictions of the record are never released."`
	Rerun           *bool  `json:"rerun,omitempty" jsonschema:"Whether checks that the project declares, and that are claimed to have passed without being on record, are run; without it the committed core.config.json or FLOW_AGENTS_GOAL_FIT_BACKSTOP=block decide, else they are not."`
	RequireSidecars bool   `json:"require_sidecars,omitempty" jsonschema:"Whether state.json and proof must be there; FLOW_AGENTS_REQUIRE_SIDECARS=true requires it, too."`
	RequireCritique bool   `json:"require_critique,omitempty" jsonschema:"Whether a critique must be there; FLOW_AGENTS_REQUIRE_CRITIQUE=true requires it, too."`
	Environment     bool   `json:"environment,omitempty" jsonschema:"Whether variables of the environment may decide what is not set here."`
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	if o.MaxBlocks != nil && *o.MaxBlocks < 1 {
		return nil, &option.Error{Key: "max_blocks", Message: "found " + strconv.Itoa(*o.MaxBlocks), Expected: "at least 1"}
	}
	return &policy{o, spec.State, spec.Dirs.State}, nil
}

type policy struct {
	Options
	state trammel.State
	locks string // where locks are kept
}

// Waits: git is asked what is committed, and checks may be run.
func (*policy) Waits() bool { return true }

func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Kind != trammel.Stop || p.Mode == "off" {
		return trammel.Answer{}, nil
	}
	getenv := world.Getenv(ev)
	s, ok := flow.Open(ev).Session(ev, getenv)
	if !ok {
		return trammel.Answer{}, nil
	}
	committed, unusable := s.Committed(ctx)
	rules := p.rules(committed, unusable, getenv)
	if rules.mode == "off" {
		return trammel.Answer{}, nil
	}
	blocks := flow.Remember(p.state, ev, s, "stops", "streak")
	told := flow.Remember(p.state, ev, s, "stops", "told")
	e := examiner{Session: s, rules: rules, report: &report{}, at: ev.Now(), locks: p.locks, rehearsal: ev.Rehearsal}
	if unusable != nil {
		e.uncommitted(unusable)
	}
	r := e.examine(ctx)
	if len(r.found) == 0 {
		blocks.Forget(ctx)
		told.Forget(ctx)
		return trammel.Answer{}, nil
	}
	a := trammel.Answer{Findings: r.findings()}
	if rules.mode == "block" && r.blocks() {
		n, err := blocks.Streak(ctx, r.identity())
		if err != nil {
			return trammel.Answer{}, err
		}
		if n <= rules.maxBlocks || r.hard() {
			a.Decision, a.Reason = trammel.Deny, r.blocked(n, rules.maxBlocks)
			return a, nil
		}
		a.Notice = r.released(rules.maxBlocks)
	} else {
		blocks.Forget(ctx)
		a.Notice = r.warning()
	}
	// The person sees it whenever the agent stops, the model only when it has changed.
	if told.Changed(ctx, r.identity()) {
		a.Context = []string{a.Notice}
	}
	return a, nil
}
