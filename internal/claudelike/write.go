package claudelike

import (
	"maps"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Common writes the parts of an event that all these systems write alike.
func Common(w *strict.Writer, ev *trammel.Event) {
	if p := ev.Prompt; p != nil {
		w.Key("prompt")
		w.String(p.Text)
		w.Text("command_name", p.Command)
	}
	if c := ev.Compaction; c != nil {
		w.Text("trigger", c.Reason)
		w.Text("custom_instructions", c.Instructions)
		w.Text("compact_summary", c.Summary)
	} else {
		w.Text("source", ev.Source)
	}
	w.Text("reason", ev.Reason)
	if n := ev.Notice; n != nil {
		w.Text("notification_type", n.Kind)
		w.Text("title", n.Title)
		w.Text("message", n.Message)
	}
}

// Rest writes the host's own fields that no part holds. Those of a foreign
// host must not stand where this system has fields of its own.
func Rest(w *strict.Writer, ev *trammel.Event, taken []string) {
	for _, key := range slices.Sorted(maps.Keys(ev.Fields)) {
		if slices.Contains(taken, key) {
			continue
		}
		w.Key(key)
		w.Value(ev.Fields[key])
	}
}

// Taken lists the fields that are written by this system for a foreign host's
// event. An event of its own has no field in the way.
func (r *Reader) Taken(ev *trammel.Event) []string {
	if ev.Host == r.Host {
		return nil
	}
	return append(r.Known(), "custom_instructions", "compact_summary", "notification_type", "title", "message")
}
