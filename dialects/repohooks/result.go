package repohooks

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// HookResult is what a script prints (AIC-40).
type HookResult struct {
	Logs          []string
	UsageRecorded bool
	Signals       []HookSignal
	Error         *ResultError
	// Ignored counts signals that came too late: they are dropped, because
	// nothing can act on them (AIC-45).
	Ignored int
}

// ResultError is a failure that a script reports itself.
type ResultError struct{ Code, Message string }

// HookSignal is a typed message that the agent may see (AIC-41).
type HookSignal struct {
	SourceEvent EventType      `json:"source_event"`
	HookID      string         `json:"hook_id"`
	Kind        SignalKind     `json:"kind"`
	Code        string         `json:"code"`
	Severity    string         `json:"severity,omitempty"`
	Payload     map[string]any `json:"payload"`
}

// SignalKind is what a signal is about.
type SignalKind string

// The kinds of signals.
const (
	RoutingHint      SignalKind = "routing_hint"
	NormalizedIntent SignalKind = "normalized_intent"
	AbilityPreflight SignalKind = "ability_preflight"
	AbilityGuard     SignalKind = "ability_guard"
)

// The codes that decide (AIC-43, AIC-44).
const (
	Available     = "ABILITY_AVAILABLE"
	Unavailable   = "ABILITY_UNAVAILABLE"
	RequiresHuman = "ABILITY_REQUIRES_HUMAN"
	Denied        = "ABILITY_DENIED"
	Allowed       = "ABILITY_ALLOWED"
)

// Event is the only event that signals of this kind belong to (AIC-42).
func (k SignalKind) Event() EventType {
	switch k {
	case RoutingHint, NormalizedIntent:
		return PromptSubmitEvent
	case AbilityPreflight:
		return PreAbilityCreateEvent
	case AbilityGuard:
		return PreAbilityCallEvent
	}
	return ""
}

// readResult reads what the script of a hook printed on an event. hook is the
// id that signals must have; "" accepts any. Errors have CodeMalformed or
// CodeUnknownField, and then nothing of the result is used.
func readResult(raw []byte, hook string, event EventType) (*HookResult, error) {
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return nil, malformed(err)
	}
	f := strict.FieldsOf(obj, "")
	r := &HookResult{Logs: f.Strings("logs"), UsageRecorded: f.Bool("usage_recorded")}
	f.Part("error", func(f *strict.Fields) { r.Error = &ResultError{f.String("code"), f.String("message")} })
	signals := f.List("hook_signals")
	if err := f.Done(); err != nil {
		return nil, malformed(err)
	}
	if !event.SignalsAgent() {
		r.Ignored = len(signals)
		return r, nil
	}
	for _, v := range signals {
		s, err := readSignal(v, hook, event)
		if err != nil {
			return nil, malformed(err)
		}
		r.Signals = append(r.Signals, s)
	}
	return r, nil
}

func readSignal(v any, hook string, event EventType) (s HookSignal, err error) {
	obj, ok := v.(map[string]any)
	if !ok {
		return s, trammel.Fail(trammel.CodeMalformed, "a signal is not an object")
	}
	f := strict.FieldsOf(obj, "hook_signals")
	s = HookSignal{EventType(f.String("source_event")), f.String("hook_id"), SignalKind(f.String("kind")), f.String("code"),
		f.String("severity"), f.Object("payload")}
	if err := f.Done(); err != nil {
		return s, err
	}
	switch {
	case s.SourceEvent != event:
		return s, trammel.Fail(trammel.CodeMalformed, "a signal says that it comes from the event %q, but this is %s", s.SourceEvent, event)
	case s.HookID == "" || hook != "" && s.HookID != hook:
		return s, trammel.Fail(trammel.CodeMalformed, "a signal says that it comes from the hook %q, but this is %q", s.HookID, hook)
	case s.Kind.Event() == "":
		return s, trammel.Fail(trammel.CodeMalformed, "unknown kind of signal %q", s.Kind)
	case s.Kind.Event() != event:
		return s, trammel.Fail(trammel.CodeMalformed, "signals of kind %s belong to %s, and this is %s", s.Kind, s.Kind.Event(), event)
	case s.Code == "":
		return s, trammel.Fail(trammel.CodeMalformed, "a signal has no code")
	case s.Severity != "" && s.Severity != "info" && s.Severity != "warning" && s.Severity != "error":
		return s, trammel.Fail(trammel.CodeMalformed, "found the severity %q, expected info, warning or error", s.Severity)
	case s.Payload == nil:
		return s, trammel.Fail(trammel.CodeMalformed, "a signal has no payload, expected an object")
	}
	return s, s.check()
}

// Decision is what a signal means for its event. An unknown code denies.
func (s *HookSignal) Decision() trammel.Decision {
	human, _ := s.Payload["require_human"].(bool)
	switch {
	case s.Kind != AbilityPreflight && s.Kind != AbilityGuard:
		return trammel.None
	case s.Kind == AbilityPreflight && s.Code == Available, s.Kind == AbilityGuard && s.Code == Allowed:
		if human { // it contradicts itself
			return trammel.Ask
		}
		return trammel.None
	case s.Code == RequiresHuman, human && (s.Code == Denied || s.Code == Unavailable):
		return trammel.Ask
	}
	return trammel.Deny
}

// Text is a field of the payload that is text, "" if it is not there.
func (s *HookSignal) Text(key string) string {
	text, _ := s.Payload[key].(string)
	return text
}

func malformed(err error) error {
	if trammel.CodeOf(err) == trammel.CodeUnknownField {
		return err
	}
	return trammel.Fail(trammel.CodeMalformed, "%w", err)
}
