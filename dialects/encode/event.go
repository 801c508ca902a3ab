package encode

import (
	"maps"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Begin begins a payload with where the session is.
func Begin(ev *trammel.Event) (*strict.Writer, *trammel.Session) {
	w, s := &strict.Writer{}, &ev.Session
	w.Open()
	w.Texts("session_id", s.ID, "transcript_path", s.Transcript, "cwd", s.Dir)
	return w, s
}

// Tool writes a call, and what came of it unless that is nil.
func Tool(w *strict.Writer, c Call, response any) {
	w.Text("tool_name", c.Name)
	w.Any("tool_input", c.Input)
	if response != nil {
		w.Any("tool_response", response)
	}
}

// Prompt writes what the user says, if the event is about that.
func Prompt(w *strict.Writer, ev *trammel.Event) {
	if p := ev.Prompt; p != nil {
		w.Key("prompt")
		w.String(p.Text)
		w.Text("command_name", p.Command)
	}
}

// Common writes the parts of an event that all these systems write alike.
func Common(w *strict.Writer, ev *trammel.Event) {
	Prompt(w, ev)
	if c := ev.Compaction; c != nil {
		w.Texts("trigger", c.Reason, "custom_instructions", c.Instructions, "compact_summary", c.Summary)
	} else {
		w.Text("source", ev.Source)
	}
	w.Text("reason", ev.Reason)
	if n := ev.Notice; n != nil {
		w.Texts("notification_type", n.Kind, "title", n.Title, "message", n.Message)
	}
}

// Rest writes the host's own fields that no part holds. Those of another host
// must not replace this system's own fields, which are in known.
func Rest(w *strict.Writer, ev *trammel.Event, system string, known ...string) {
	var taken []string
	if ev.Host != system {
		taken = append(known, "custom_instructions", "compact_summary", "notification_type", "title", "message")
	}
	for _, key := range slices.Sorted(maps.Keys(ev.Fields)) {
		if slices.Contains(taken, key) {
			continue
		}
		w.Any(key, ev.Fields[key])
	}
}
