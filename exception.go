package trammel

import (
	"fmt"
	"slices"
	"time"
)

// Exception says for which calls a hook's denial or question does not count,
// until when and why (TEAM-27).
type Exception struct {
	// Match must cover the call: its conditions hold only if all that the call
	// does is meant, and not just some of it.
	Match  Match
	Until  time.Time
	Reason string
	Source Source
}

// MaxException is how far ahead an exception may end. One that ends later has no
// effect, whatever the clock was when it was written.
const MaxException = 90 * 24 * time.Hour

// Active reports whether the exception holds at a time.
func (x *Exception) Active(now time.Time) bool {
	return now.Before(x.Until) && x.Until.Sub(now) <= MaxException
}

func (x *Exception) String() string {
	return fmt.Sprintf("exception %s until %s: %s", x.Source, x.Until.UTC().Format(time.RFC3339), x.Reason)
}

// excepted removes an objection that an exception of its hook covers, and
// records both.
func (r *Run) excepted(ev *Event) {
	if len(r.bound.Except) == 0 || r.Answer.Decision < Ask {
		return
	}
	now := ev.Time
	if now.IsZero() {
		now = time.Now()
	}
	i := slices.IndexFunc(r.bound.Except, func(x Exception) bool { return x.Active(now) && x.Match.Matches(ev) })
	if i < 0 {
		r.explainExceptions(ev)
		return
	}
	r.Exception = &r.bound.Except[i]
	would := r.Answer
	r.Would, r.Answer = &would, withoutEffect(&would, "excepted")
	r.Answer.Diagnostics = append(r.Answer.Diagnostics, r.Exception.String())
	r.Answer.Findings = append(slices.Clone(r.Answer.Findings),
		Finding{Code: "excepted", Severity: "warning", Target: r.Exception.Source.String()})
}

// explainExceptions says in a rehearsal why no exception covers the call.
func (r *Run) explainExceptions(ev *Event) {
	if !ev.Rehearsal {
		return
	}
	for i := range r.bound.Except {
		x := &r.bound.Except[i]
		why := x.Match.Why(ev)
		if why == "" {
			why = "it has ended"
		}
		r.Answer.Diagnostics = append(r.Answer.Diagnostics, fmt.Sprintf("%s does not count: %s", x, why))
	}
}
