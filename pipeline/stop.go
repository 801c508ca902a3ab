package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
)

// maxStops is how often the same findings may keep an agent from stopping, on
// hosts that set no limit themselves.
const maxStops = 5

// stops counts how often an agent was kept from stopping.
var stops = trammel.Bucket{Name: "stops", Keep: state.Retention}

// capStops lets an agent stop if the same reason has kept it from stopping too
// often. Reasons are compared by the hooks that deny and the codes of their
// findings, never by their text. If they cannot be counted, the agent may stop:
// an endless loop helps nobody.
func (j *job) capStops(ctx context.Context, ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) {
	if !p.Endless || v.Decision != trammel.Deny || !ev.Kind.Can().Any(trammel.Continue) {
		return
	}
	n, err := state.Counters{Store: state.Store{State: j.State, Bucket: &stops}}.Add(ctx, ev.Host, ev.Session.ID, ev.Kind.String(), denials(v))
	if err == nil && n <= maxStops {
		return
	}
	why := fmt.Sprintf("the same hooks have kept the agent from ending %d times, and this host has no limit", maxStops)
	if err != nil {
		why = fmt.Sprintf("the number of attempts is unknown: %v", err)
	}
	v.Degraded = append(v.Degraded, trammel.Degradation{Wanted: "block stop", Became: "notice", Why: why})
	v.Notice = strings.TrimSpace(v.Notice + "\nTrammel lets the agent end although a hook objects (" + v.Reason + "): " + why + ".")
	v.Decision, v.Reason = trammel.None, ""
}

// denials identifies the objections in a verdict.
func denials(v *trammel.Verdict) string {
	var ids []string
	for i := range v.Runs {
		r := &v.Runs[i]
		if r.Answer.Decision != trammel.Deny && !r.Blocked {
			continue
		}
		ids = append(ids, "hook "+r.Hook.ID+" "+string(r.Code))
		for _, f := range r.Answer.Findings {
			ids = append(ids, "finding "+f.Code+" "+f.Target)
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, "\n")
}

// recognize marks a prompt that repeats the reason of our own stop hook: not
// every host marks such a prompt.
func (j *job) recognize(ctx context.Context, ev *trammel.Event) {
	if ev.Prompt == nil || ev.Prompt.Synthetic {
		return
	}
	for _, reason := range state.StopReasons(j.State, ev).Take(ctx) {
		if reason != "" && strings.Contains(ev.Prompt.Text, reason) {
			ev.Prompt.Synthetic = true
		}
	}
}

// remember stores the reason that the agent gets instead of stopping.
func (j *job) remember(ctx context.Context, ev *trammel.Event, v *trammel.Verdict) {
	if v.Decision == trammel.Deny && ev.Kind.Can().Any(trammel.Continue) {
		state.StopReasons(j.State, ev).Put(ctx, []string{strings.TrimSpace(v.Reason)})
	}
}
