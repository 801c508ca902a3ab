package repohooks

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/secret"
)

// collect says a verdict in the words of the contract.
func collect(event EventType, v *trammel.Verdict) *Result {
	r := &Result{Signals: []HookSignal{}, Ran: []Ran{}, Input: v.Input, Output: v.Output}
	for i := range v.Runs {
		run := &v.Runs[i]
		r.Ran = append(r.Ran, ran(run))
		if run.Code != "" {
			r.Errors = append(r.Errors, HookError{run.Hook.ID, run.Code, run.Detail})
		}
		if run.Hook.Trial {
			continue
		}
		r.Logs = append(r.Logs, run.Answer.Diagnostics...)
		r.UsageRecorded = r.UsageRecorded || run.Answer.Facts["usage_recorded"] == true
		if event.SignalsAgent() {
			r.take(v.Event, run)
		} else if run.Answer.Decision > trammel.Allow || run.Answer.Reason != "" {
			r.Warnings = append(r.Warnings, run.Answer.Reason)
		}
	}
	if event.SignalsAgent() {
		r.decide(v)
	}
	if v.Notice != "" {
		r.Warnings = append(r.Warnings, strings.Split(v.Notice, "\n")...)
	}
	r.redact()
	return r
}

// redact takes secrets out of everything that is said: it goes to models, to
// terminals and into files. What hooks made of arguments and output stays.
func (r *Result) redact() {
	r.Reason, r.Suggestion = secret.Clean(r.Reason), secret.Clean(r.Suggestion)
	for _, list := range [][]string{r.Context, r.Warnings, r.Logs} {
		for i := range list {
			list[i] = secret.Clean(list[i])
		}
	}
	for i := range r.Errors {
		r.Errors[i].Message = secret.Clean(r.Errors[i].Message)
	}
	for i := range r.Signals {
		r.Signals[i].Payload, _ = canonical.MapTexts(r.Signals[i].Payload, secret.Clean).(map[string]any)
	}
}

// take adds the signals of a run. One that decided without any, a policy or a
// failure that blocks, gets the signal that says so.
func (r *Result) take(ev *trammel.Event, run *trammel.Run) {
	decided := false
	if run.Code == "" {
		for _, s := range run.Answer.Signals {
			signal := HookSignal{SourceEvent: repohooks.EventOf(ev.Kind), HookID: run.Hook.ID, Kind: repohooks.SignalKind(s.Kind), Code: s.Code,
				Severity: s.Severity, Payload: s.Payload}
			r.Signals = append(r.Signals, signal)
			decided = decided || signal.Decision() >= trammel.Ask
			if signal.Decision() == trammel.None && (s.Severity == "warning" || s.Severity == "error") && signal.Text("reason") != "" {
				r.Warnings = append(r.Warnings, signal.Text("reason"))
			}
		}
		if len(run.Answer.Signals) == 0 {
			r.Context = append(r.Context, run.Answer.Context...)
		}
	}
	decision, reason := run.Answer.Decision, run.Answer.Reason
	if run.Code != "" {
		decision, reason = trammel.None, run.Detail
		if run.Blocked {
			decision = trammel.Deny
		}
	}
	if decided || decision < trammel.Ask {
		return
	}
	if s, ok := repohooks.Objection(ev, run.Hook.ID, decision, reason); ok {
		r.Signals = append(r.Signals, s)
	}
}

// decide takes over what the hooks together came to, in the words of the first
// that said it.
func (r *Result) decide(v *trammel.Verdict) {
	r.Decision, r.Reason = v.Decision, v.Reason
	if v.Decision < trammel.Ask {
		r.Reason = ""
		return
	}
	for i := range v.Runs {
		run := &v.Runs[i]
		if run.Hook.Trial || run.Code == "" && run.Answer.Decision != v.Decision || run.Code != "" && !run.Blocked {
			continue
		}
		r.HookID = run.Hook.ID
		break
	}
	for i := range r.Signals {
		s := &r.Signals[i]
		if s.HookID == r.HookID && s.Decision() == v.Decision {
			if reason := s.Text("reason"); reason != "" {
				r.Reason = reason
			}
			r.Suggestion = s.Text("suggestion")
			return
		}
	}
}

func ran(run *trammel.Run) Ran {
	out := Ran{HookID: run.Hook.ID, Status: "success", DurationMS: run.Took.Milliseconds()}
	switch {
	case run.Code != "":
		out.Status = "failure"
		if run.Blocked {
			out.Decision = decisionWord(trammel.Deny)
		}
	case run.Answer.Decision > trammel.Allow:
		out.Decision = decisionWord(run.Answer.Decision)
	}
	return out
}
