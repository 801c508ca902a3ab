// Package decode reads what hosts and hook programs send, for all dialects and
// equally strictly. A dialect provides its Host, the fields that it relies on
// and what only its host has. Payloads in snake case with hook_event_name,
// which nearly all hosts send, are read here as a whole.
package decode

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EventKey is the field that says what happened, with nearly all hosts.
const EventKey = "hook_event_name"

// common are the fields that nearly all hosts have.
var common = [...]string{EventKey, "session_id", "transcript_path", "cwd", "permission_mode", "agent_id", "agent_type", "model",
	"tool_name", "tool_input", "tool_use_id", "tool_response", "error", "duration_ms", "prompt", "command_name",
	"stop_hook_active", "last_assistant_message", "source", "reason", "trigger"}

// Reader reads the payloads of one host. A dialect embeds it and so has the
// facts about the host, and DecodeEvent.
type Reader struct {
	*dialects.Host
	// Known are the fields that we rely on, in addition to the common ones: a
	// field that only looks like one of them is refused. Foreign: the host has
	// none of the common fields but the event's name, and Read reads all.
	Known   []string
	Foreign bool
	// Within are the fields that we rely on in objects of the payload.
	Within []Part
	// Bypass are the permission modes in which the host asks nobody.
	Bypass []string
	// Read, if set, reads what only this host has, after everything else.
	Read func(r *Reader, f *strict.Fields, ev *trammel.Event)

	// SentName, if set, finds what a payload calls its event, given the name that the
	// wiring called for, and Peek does in one that cannot be read as a whole.
	SentName func(obj map[string]any, called string) string
	Peek     func(raw []byte) []string
	// Check, if set, refuses what only this host can get wrong.
	Check func(obj map[string]any, sentName string) error
	// Inputs, if set, are where a payload has the arguments of a tool call.
	Inputs func(obj map[string]any) []any
}

// Part is an object in a payload, and the fields of it that we rely on.
type Part struct {
	Name  string
	Known []string
}

// DecodeEvent reads what the host sent.
func (r *Reader) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	ev := &trammel.Event{Host: r.System, Name: name, Raw: raw}
	ev.Kind, _ = r.Kind(name)
	names := strict.Names{Kind: r.Kind, Exact: r.Exact}
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		names.Guess(ev, r.peek(raw)...)
		return ev, err
	}
	if other := r.Reader(obj); other != "" {
		return ev, &dialects.SentBy{Host: other}
	}
	sentName := r.sentName(obj, name)
	names.Guess(ev, sentName)
	if err := r.check(obj, ev.Kind, name, sentName, names); err != nil {
		return ev, err
	}
	f := strict.FieldsOf(obj, "")
	f.Any(EventKey)
	ev.Name = sentName
	if !r.Foreign {
		r.session(f, &ev.Session)
		r.parts(f, ev)
	}
	if r.Read != nil {
		r.Read(r, f, ev)
	}
	if rest := f.Rest(); len(rest) > 0 {
		ev.Fields = rest
	}
	return ev, f.Err()
}

func (r *Reader) sentName(obj map[string]any, called string) string {
	if r.SentName != nil {
		return r.SentName(obj, called)
	}
	sentName, _ := obj[EventKey].(string)
	return sentName
}

func (r *Reader) peek(raw []byte) []string {
	if r.Peek != nil {
		return r.Peek(raw)
	}
	return strict.Peek(raw, EventKey)
}

// Fields lists the fields that are read, so that whoever writes a payload does
// not write one of them twice.
func (r *Reader) Fields() []string {
	if r.Foreign {
		return r.Known
	}
	return append(common[:len(common):len(common)], r.Known...)
}

func (r *Reader) check(obj map[string]any, kind trammel.Kind, name, sentName string, names strict.Names) error {
	if err := strict.CaseVariant(obj, r.Fields()...); err != nil {
		return err
	}
	for _, p := range r.Within {
		part, _ := obj[p.Name].(map[string]any)
		if err := strict.CaseVariant(part, p.Known...); err != nil {
			return err
		}
	}
	if r.Check != nil {
		if err := r.Check(obj, sentName); err != nil {
			return err
		}
	}
	if sentName == "" {
		return trammel.Fail(trammel.CodeInput, "found no %q, expected the name of an event", EventKey)
	}
	if err := names.Agree(name, sentName); err != nil {
		return err
	}
	inputs := []any{obj["tool_input"]}
	if r.Inputs != nil {
		inputs = r.Inputs(obj)
	}
	for _, input := range inputs {
		if err := strict.Call(obj, input, kind); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) session(f *strict.Fields, s *trammel.Session) {
	s.ID, s.Dir, s.Transcript = f.String("session_id"), f.String("cwd"), f.String("transcript_path")
	s.Agent, s.AgentID, s.Model = f.String("agent_type"), f.String("agent_id"), f.String("model")
	s.Mode = f.String("permission_mode")
	s.Bypass = slices.Contains(r.Bypass, s.Mode)
	if s.AgentID != "" && s.ID != "" { // a sub-agent has its parent's session id
		s.Parents = []string{s.ID}
	}
}
