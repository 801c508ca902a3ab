package trammel

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// Verdict is the answers of all hooks to one event, merged, with how each run
// went. Merging: deny > ask > allow > none, ties keep the first reason in
// order; contexts and notices are concatenated in order; the first summary
// wins; diagnostics, signals and findings are all kept; facts are kept under
// the id of their hook.
type Verdict struct {
	Answer
	// Granted is true when the decision is Allow and a hook with the authority
	// to grant said so: the host need not ask its user.
	Granted bool
	// Canceled is true when the caller gave up before all hooks had answered.
	// It is not a denial, and it is not a permission either.
	Canceled bool
	// Runs are the hooks that matched, in the order in which they count.
	Runs []Run
	// Degraded says what the host could not do as wanted, and what became of it.
	Degraded []Degradation
	// Event is the event as it stands after all rewrites.
	Event *Event
	// Took is how long the dispatch lasted.
	Took time.Duration
}

// Run is one hook's part in a verdict.
type Run struct {
	Hook   *Hook
	Phase  Phase
	Answer Answer
	// Code is "" when the hook answered. Otherwise Detail says what went
	// wrong, Blocked whether it blocks the event, and Answer is not counted.
	Code    Code
	Detail  string
	Blocked bool
	// Round counts how often a guard was asked, because arguments were
	// rewritten after it had answered.
	Round int
	Took  time.Duration
	// Would is what a hook on trial answered, or one whose objection an Exception
	// covers. It had no effect.
	Would     *Answer
	Exception *Exception

	bound   *bound
	saw     int  // how often the call had been changed when the hook was asked, its own rewrite as a program included
	changed bool // it changed the call
	dropped bool // it rewrote what another hook had rewritten meanwhile
}

// Degradation records that a host could not do what a verdict wanted.
type Degradation struct {
	Wanted string // ask, rewrite input, rewrite output, context, block, grant
	Became string // deny, deferred, notice, nothing
	Why    string
}

// Proceed reports whether the event may proceed: nobody denied it, nobody wants
// a human to decide, and the dispatch was not canceled.
func (v *Verdict) Proceed() bool { return v.Decision < Ask && !v.Canceled }

// Apply returns the tool's arguments with the verdict's rewrites. The given
// map is not changed.
func (v *Verdict) Apply(input map[string]any) map[string]any {
	if v.Input == nil {
		return input
	}
	return patched(input, v.Input)
}

// Failures lists what went wrong, in words.
func (v *Verdict) Failures() []string {
	var out []string
	for i := range v.Runs {
		if r := &v.Runs[i]; r.Code != "" {
			out = append(out, fmt.Sprintf("hook %q: %s: %s", r.Hook.ID, r.Code, r.Detail))
		}
	}
	return out
}

func patched(input, patch map[string]any) map[string]any {
	out := make(map[string]any, len(input)+len(patch))
	maps.Copy(out, input)
	maps.Copy(out, patch)
	return out
}

// merge takes one run into the verdict.
func (v *Verdict) merge(r *Run, authority Authority) {
	if r.Code != "" {
		v.mergeFailure(r)
		return
	}
	a := &r.Answer
	if a.Decision > v.Decision {
		v.Decision, v.Reason = a.Decision, a.Reason
		v.Granted = false
	}
	if a.Decision == Allow && v.Decision == Allow && authority >= Grant {
		v.Granted = true
	}
	v.Context = append(v.Context, a.Context...)
	v.addNotice(a.Notice)
	if v.Summary == "" {
		v.Summary = a.Summary
	}
	v.Signals = append(v.Signals, a.Signals...)
	v.Diagnostics = append(v.Diagnostics, a.Diagnostics...)
	v.Findings = append(v.Findings, a.Findings...)
	if len(a.Facts) > 0 {
		if v.Facts == nil {
			v.Facts = map[string]any{}
		}
		v.Facts[r.Hook.ID] = a.Facts
	}
}

// confirm asks a human about a tool that wants one, unless a gate or a hook that
// may grant has already agreed to this call (FIM-20).
func (v *Verdict) confirm(ev *Event) {
	if ev.Kind != PreToolUse || ev.Tool == nil || !ev.Tool.Confirm || v.Decision >= Ask || v.Granted || v.Canceled {
		return
	}
	for i := range v.Runs {
		if r := &v.Runs[i]; r.Phase == Gates && r.Code == "" && r.Answer.Decision == Allow {
			return
		}
	}
	v.Decision, v.Reason = Ask, fmt.Sprintf("The tool %s wants a person's consent.", ev.Tool.Name)
	v.Findings = append(v.Findings, Finding{Code: "requires_confirmation", Severity: "warning", Target: ev.Tool.Name})
}

func (v *Verdict) mergeFailure(r *Run) {
	v.Diagnostics = append(v.Diagnostics, r.Answer.Diagnostics...)
	switch r.Hook.onErrorFor(v.Event.Kind) {
	case BlockOnError:
		r.Blocked = true
		if v.Decision < Deny {
			v.Decision, v.Granted = Deny, false
			v.Reason = fmt.Sprintf("hook %q failed (%s): %s. It guards this event, so the event is blocked.", r.Hook.ID, r.Code, r.Detail)
		}
		v.Findings = append(v.Findings, Finding{Code: string(r.Code), Severity: "error", Target: r.Hook.ID})
	case WarnOnError:
		v.addNotice(fmt.Sprintf("hook %q failed (%s): %s", r.Hook.ID, r.Code, r.Detail))
	}
}

func (v *Verdict) addNotice(s string) {
	switch {
	case s == "":
	case v.Notice == "":
		v.Notice = s
	default:
		v.Notice = strings.Join([]string{v.Notice, s}, "\n")
	}
}

// String helps when a verdict is printed while debugging a hook.
func (v *Verdict) String() string {
	return fmt.Sprintf("%s (%d hooks): %s", v.Decision, len(v.Runs), v.Reason)
}
