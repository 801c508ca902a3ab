package pipeline

import (
	"context"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
)

// announce tells the proxy in front of an MCP server about a call, so that the
// proxy recognizes it (MCP-35). If that fails, the proxy judges it like any other.
func (p *Program) announce(ctx context.Context, j *Judged) {
	v := j.Verdict
	ev := v.Event
	if p.State == nil || ev == nil || ev.Tool == nil || ev.Kind != trammel.PreToolUse || v.Decision == trammel.Deny {
		return
	}
	a := ev.Tool.Action
	if a.Kind == trammel.OtherAction && a.Server == "" {
		a = ev.Tools.Action(ev.Tool)
	}
	if a.Server == "" {
		return
	}
	seen := trammel.Seen{Record: j.ID, Asked: v.Decision == trammel.Ask}
	for i := range v.Runs {
		seen.Hooks = append(seen.Hooks, v.Runs[i].Hook.ID)
	}
	_ = state.Calls{State: p.State}.Leave(ctx, ev, &a, seen)
}

// consented lets a call pass if the agent's user has already been asked the
// questions of all hooks that ask.
func consented(v *trammel.Verdict) {
	seen := v.Event.Seen
	if v.Decision != trammel.Ask || seen == nil || !seen.Asked {
		return
	}
	for i := range v.Runs {
		if r := &v.Runs[i]; r.Answer.Decision == trammel.Ask && !slices.Contains(seen.Hooks, r.Hook.ID) {
			return
		}
	}
	v.Decision = trammel.Allow
	v.Diagnostics = append(v.Diagnostics, "the agent has asked its user about this call: "+seen.Record)
}
