package claudelike

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// eventKey is the field that says what happened.
const eventKey = "hook_event_name"

// known are the fields whose meaning we rely on. One that looks like them and
// is not them is refused.
var known = [...]string{eventKey, "session_id", "transcript_path", "cwd", "permission_mode", "agent_id", "agent_type", "model",
	"tool_name", "tool_input", "tool_use_id", "tool_response", "error", "duration_ms", "prompt", "command_name",
	"stop_hook_active", "last_assistant_message", "source", "reason", "trigger"}

// Reader reads the payloads of one host.
type Reader struct {
	Host   string
	Events Events
	Tools  func() trammel.Shapes
	// Bypass are the permission modes in which the host asks nobody.
	Bypass []string
	// Own are further fields that this host has and Read takes.
	Own []string
	// Read, if set, takes what only this host has, after all else is read.
	Read func(f *strict.Fields, ev *trammel.Event)
}

// Event reads what the host sent, as HostDialect.DecodeEvent demands it.
func (r *Reader) Event(raw []byte, name string) (*trammel.Event, error) {
	ev := &trammel.Event{Host: r.Host, Name: name, Raw: raw}
	ev.Kind, _ = r.Events.Kind(name)
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		r.names().Guess(ev, strict.Peek(raw, eventKey)...)
		return ev, err
	}
	said, _ := obj[eventKey].(string)
	r.names().Guess(ev, said)
	if err := r.check(obj, ev.Kind, name, said); err != nil {
		return ev, err
	}
	f := strict.FieldsOf(obj, "")
	ev.Name = f.String(eventKey)
	r.session(f, &ev.Session)
	r.parts(f, ev)
	if r.Read != nil {
		r.Read(f, ev)
	}
	if rest := f.Rest(); len(rest) > 0 {
		ev.Fields = rest
	}
	return ev, f.Err()
}

// Known lists the fields that are read, so that whoever writes a payload does
// not write one of them twice.
func (r *Reader) Known() []string { return append(known[:len(known):len(known)], r.Own...) }

// names are the events of the host.
func (r *Reader) names() strict.Names {
	return strict.Names{Kind: r.Events.Kind, Exact: func(name string) (trammel.Kind, bool) {
		kind, ok := r.Events.Kind(name)
		return kind, ok && r.Events.Name(kind) == name
	}}
}

func (r *Reader) check(obj map[string]any, kind trammel.Kind, name, said string) error {
	if err := strict.CaseVariant(obj, r.Known()...); err != nil {
		return err
	}
	if said == "" {
		return trammel.Fail(trammel.CodeInput, "found no %q, expected the name of an event", eventKey)
	}
	if err := r.names().Agree(name, said); err != nil {
		return err
	}
	return strict.Call(obj, obj["tool_input"], kind)
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
