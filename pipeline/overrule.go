package pipeline

import (
	"context"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/overrule"
	"github.com/trammel-dev/trammel/plan"
)

// Overruling is a person's permission for a denied call to pass once (TEAM-25).
type Overruling struct {
	// Use spends the permission on the call that is about to run. An error
	// means that it cannot be used.
	Use func(ctx context.Context, ev *trammel.Event) error
	ID  string
	Who string // who allowed it, and why
}

// deniers returns the hooks that block a call; yield is false if a person cannot
// override all of them.
func deniers(v *trammel.Verdict) (hooks []string, yield bool) {
	ev := v.Event
	if ev == nil || ev.Tool == nil || !ev.Kind.FailsClosed() || ev.Rehearsal || v.Canceled {
		return nil, false
	}
	for i := range v.Runs {
		r := &v.Runs[i]
		if !r.Blocked && (r.Code != "" || r.Answer.Decision < trammel.Ask) {
			continue
		}
		if !r.Hook.Yields {
			return nil, false
		}
		hooks = append(hooks, r.Hook.ID)
	}
	slices.Sort(hooks)
	return slices.Compact(hooks), len(hooks) > 0
}

// mayBeOverruled reports whether the verdict is a denial that a person can
// override. With cannotAsk, a question counts as a denial.
func (p *Program) mayBeOverruled(v *trammel.Verdict, cannotAsk bool) bool {
	if v.Decision < trammel.Ask || v.Decision == trammel.Ask && !cannotAsk {
		return false
	}
	_, yield := deniers(v)
	return yield && overrule.Open(p.Dirs.State, time.Now())
}

// overruled judges an event again without the hooks that denied it, if a person
// has allowed this exact call. All other hooks still count; if anything goes
// wrong, the denial stays.
func (p *Program) overruled(ctx context.Context, r *Request, denied *Judged) *Judged {
	hooks, _ := deniers(denied.Verdict)
	o, err := p.Overrule(ctx, denied, hooks)
	if err != nil {
		denied.Verdict.Diagnostics = append(denied.Verdict.Diagnostics, "whether a person has allowed this is unknown: "+err.Error())
		return denied
	}
	if o == nil {
		return denied
	}
	again := *r
	again.Config, again.without = &denied.Config, hooks
	judged, err := p.Judge(ctx, &again)
	if err != nil || judged.Verdict.Decision > trammel.Allow || judged.Verdict.Canceled {
		return denied
	}
	v := judged.Verdict
	if err := o.Use(ctx, v.Event); err != nil {
		denied.Verdict.Diagnostics = append(denied.Verdict.Diagnostics, "a person has allowed this, but that failed: "+err.Error())
		return denied
	}
	v.Diagnostics = append(v.Diagnostics, o.ID+": allowed once by "+o.Who)
	v.Findings = append(v.Findings, trammel.Finding{Code: "allowed_once", Severity: "warning", Target: o.ID})
	for i := range denied.Verdict.Runs {
		if run := &denied.Verdict.Runs[i]; slices.Contains(hooks, run.Hook.ID) {
			v.Runs = append(v.Runs, *run) // their answers stay on record
		}
	}
	return judged
}

// except removes hooks that a person has overridden.
func except(hooks []plan.Hook, without []string) []plan.Hook {
	if len(without) == 0 {
		return hooks
	}
	return slices.DeleteFunc(hooks, func(h plan.Hook) bool { return slices.Contains(without, h.ID) })
}

// offer is added to a denial that a person can override. Nothing in it is of use
// to the model.
const offer = "\nIf it is still right, a person can let this one call pass with `trammel allow`, in their own terminal. " +
	"Ask them; do not run it yourself."

// offered adds the offer, if a person has set overriding up.
func (p *Program) offered(v *trammel.Verdict) {
	if v.Decision != trammel.Deny {
		return
	}
	if _, yield := deniers(v); yield && overrule.Possible(p.Dirs.State) {
		v.Reason += offer
	}
}

// cannotAsk reports whether the host would turn a question to the user into a
// denial.
func (j *job) cannotAsk(judged *Judged) bool {
	return !judged.Plan.Settings.AskPeople && !dialects.PowersFor(j.dialect, judged.Event, judged.Verdict).Can.Any(trammel.CanAsk)
}
