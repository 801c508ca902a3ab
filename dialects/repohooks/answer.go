package repohooks

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// DecodeAnswer reads a script's HookResult. A script that exits with a code
// other than 0, prints something else, or reports an error has failed.
func (d Dialect) DecodeAnswer(ev *trammel.Event, out trammel.Output) (trammel.Answer, error) {
	event := EventOf(ev.Kind)
	switch {
	case out.Exit != 0:
		return trammel.Answer{}, trammel.Fail(trammel.CodeCrash, "exit code %d, expected 0 and a HookResult", out.Exit)
	case event == "":
		return trammel.Answer{}, trammel.Fail(trammel.CodeConfig, "repository hooks know no event %s", ev.Kind)
	case len(bytes.TrimSpace(out.Stdout)) == 0:
		return trammel.Answer{}, trammel.Fail(trammel.CodeMalformed,
			"the script printed nothing, expected a HookResult as JSON; one without an opinion is {}")
	}
	r, err := readResult(out.Stdout, d.hook, event)
	if err != nil {
		return trammel.Answer{}, err
	}
	if r.Error != nil {
		return trammel.Answer{}, trammel.Fail(trammel.CodeError, "the hook reports %s: %s", r.Error.Code, r.Error.Message)
	}
	for i := range r.Signals {
		if err := d.about(ev, &r.Signals[i]); err != nil {
			return trammel.Answer{}, err
		}
	}
	return d.answer(event, r), nil
}

// MisplacedSignals is the code of the finding about signals that came too late
// (AIC-45).
const MisplacedSignals = "misplaced_signals"

func (d Dialect) answer(event EventType, r *HookResult) trammel.Answer {
	a := trammel.Answer{Diagnostics: r.Logs}
	if r.UsageRecorded {
		a.Facts = map[string]any{"usage_recorded": true}
	}
	if r.Ignored > 0 {
		a.Findings = append(a.Findings, trammel.Finding{Code: MisplacedSignals, Severity: "warning", Target: d.hook})
		a.Diagnostics = append(a.Diagnostics, fmt.Sprintf("misconfiguration: %d signals are ignored, because %s can no longer change "+
			"anything", r.Ignored, event))
	}
	for i := range r.Signals {
		s := &r.Signals[i]
		a.Signals = append(a.Signals, trammel.Signal{Kind: string(s.Kind), Code: s.Code, Severity: s.Severity, Payload: s.Payload})
		d.take(s, &a)
	}
	return a
}

// take adds one signal to the answer. The strictest decision wins, with the
// first reason for it.
func (d Dialect) take(s *HookSignal, a *trammel.Answer) {
	decision := s.Decision()
	switch {
	case decision == trammel.None:
		if text := s.Tell(); text != "" {
			a.Context = append(a.Context, text)
		}
		return
	case d.advisory:
		a.Diagnostics = append(a.Diagnostics, fmt.Sprintf("not blocking, so this is only remarked: %s: %s", s.Code, s.why()))
		return
	case decision > a.Decision:
		a.Decision, a.Reason = decision, s.why()
	}
	severity := cmp.Or(s.Severity, "error")
	a.Findings = append(a.Findings, trammel.Finding{Code: strings.ToLower(s.Code), Severity: severity, Target: s.target()})
}

// why is the reason and what to do instead.
func (s *HookSignal) why() string {
	reason := strings.TrimSpace(s.Text("reason") + " " + s.Text("suggestion"))
	if reason == "" {
		return fmt.Sprintf("The repository hook %s says %s and gives no reason.", s.HookID, s.Code)
	}
	return reason
}

func (s *HookSignal) target() string {
	return cmp.Or(s.reference(), s.Text("ability_id"))
}

// Tell is the text for the model of a signal that decides nothing, with its
// payload as JSON; "" if there is nothing to tell.
func (s *HookSignal) Tell() string {
	if s.Kind != RoutingHint && s.Kind != NormalizedIntent {
		if s.Severity != "warning" && s.Severity != "error" {
			return ""
		}
		return fmt.Sprintf("The repository hook %s warns (%s): %s", s.HookID, s.Code, s.why())
	}
	var b strings.Builder
	if s.Kind == RoutingHint {
		fmt.Fprintf(&b, "The repository hook %s suggests:", s.HookID)
		suggestions(&b, s.Payload["suggested_abilities"], "ability", "id")
		suggestions(&b, s.Payload["suggested_documents"], "document", "path")
	} else {
		fmt.Fprintf(&b, "The repository hook %s understands the request as:", s.HookID)
		for _, key := range [...]string{"intent", "scope", "topic", "stage"} {
			if text := s.Text(key); text != "" {
				fmt.Fprintf(&b, "\n- %s: %s", key, text)
			}
		}
	}
	if data, err := canonical.Append(nil, s.JSON()); err == nil {
		fmt.Fprintf(&b, "\n%s", data)
	}
	return b.String()
}

func suggestions(b *strings.Builder, list any, what, key string) {
	all, _ := list.([]any)
	for _, one := range all {
		obj, _ := one.(map[string]any)
		fmt.Fprintf(b, "\n- %s %v", what, obj[key])
		if confidence, ok := obj["confidence"]; ok {
			fmt.Fprintf(b, " (confidence %v)", confidence)
		}
		if reason, ok := obj["reason"].(string); ok {
			fmt.Fprintf(b, ": %s", reason)
		}
	}
}

// JSON is the signal as scripts print it.
func (s *HookSignal) JSON() map[string]any {
	m := map[string]any{"source_event": string(s.SourceEvent), "hook_id": s.HookID, "kind": string(s.Kind), "code": s.Code,
		"payload": s.Payload}
	if s.Severity != "" {
		m["severity"] = s.Severity
	}
	return m
}

// Objection is the signal for the decision of a hook in another dialect, false
// for events that have no such signal.
func Objection(ev *trammel.Event, hook string, decision trammel.Decision, reason string) (HookSignal, bool) {
	s := HookSignal{SourceEvent: EventOf(ev.Kind), HookID: hook, Severity: "error", Payload: map[string]any{"reason": reason}}
	switch s.SourceEvent {
	case PreAbilityCreateEvent:
		s.Kind, s.Code, s.Payload["ability_ref"] = AbilityPreflight, Unavailable, ev.Fields["ability_ref"]
		if decision == trammel.Ask {
			s.Code = RequiresHuman
		}
	case PreAbilityCallEvent:
		s.Kind, s.Code = AbilityGuard, Denied
		s.Payload["ability_id"], s.Payload["require_human"] = ev.Tool.Name, decision == trammel.Ask
	default:
		return HookSignal{}, false
	}
	return s, true
}
