package native

import (
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeEvent writes an event so that DecodeEvent reads the same. Hooks that
// observe are also told what came of it, under outcome, and all hooks what
// earlier ones computed, under facts; neither is taken from a host.
func (d Dialect) EncodeEvent(ev *trammel.Event) ([]byte, error) {
	var w strict.Writer
	w.Open()
	w.Text("event", eventName(ev))
	if ev.Name != eventName(ev) {
		w.Text("name", ev.Name)
	}
	if ev.Host != d.Name() {
		w.Text("host", ev.Host)
	}
	part(&w, "session", func() { writeSession(&w, &ev.Session) })
	if ev.Tool != nil {
		part(&w, "tool", func() { writeTool(&w, ev.Tool) })
	}
	if p := ev.Prompt; p != nil {
		part(&w, "prompt", func() { w.Text("text", p.Text); w.Flag("synthetic", p.Synthetic); w.Text("command", p.Command) })
	}
	if ev.Model != nil {
		part(&w, "model", func() { writeModel(&w, ev.Model) })
	}
	if s := ev.Stop; s != nil {
		part(&w, "stop", func() { w.Text("message", s.Message); w.Flag("active", s.Active) })
	}
	if c := ev.Compaction; c != nil {
		part(&w, "compaction", func() {
			w.Text("reason", c.Reason)
			w.Text("instructions", c.Instructions)
			w.Number("input_tokens", c.InputTokens)
			w.Number("output_tokens", c.OutputTokens)
			w.Number("context_limit", c.ContextLimit)
			w.Text("summary", c.Summary)
		})
	}
	if s := ev.Switch; s != nil {
		part(&w, "switch", func() { w.Text("kind", s.Kind); w.Text("from", s.From); w.Text("to", s.To) })
	}
	if n := ev.Notice; n != nil {
		part(&w, "notice", func() {
			w.Text("level", n.Level)
			w.Text("kind", n.Kind)
			w.Text("title", n.Title)
			w.Text("message", n.Message)
		})
	}
	if a := ev.Approval; a != nil {
		part(&w, "approval", func() { w.Text("decision", a.Decision); w.Text("source", a.Source); w.Text("label", a.Label) })
	}
	if t := ev.Task; t != nil {
		part(&w, "task", func() {
			w.Text("id", t.ID)
			w.Text("subject", t.Subject)
			w.Text("description", t.Description)
			w.Text("status", t.Status)
		})
	}
	w.Text("source", ev.Source)
	w.Text("reason", ev.Reason)
	if !ev.Time.IsZero() {
		w.Text("time", ev.Time.Format(time.RFC3339Nano))
	}
	w.Map("fields", ev.Fields)
	if len(ev.Facts) > 0 {
		facts := make(map[string]any, len(ev.Facts))
		for hook, f := range ev.Facts {
			facts[hook] = f
		}
		w.Map("facts", facts)
	}
	if o := ev.Outcome; o != nil {
		part(&w, "outcome", func() { w.Text("decision", o.Decision.String()); w.Text("reason", o.Reason) })
	}
	return w.Line()
}

// eventName is how the event is called in JSON. One that the catalogue does not
// know keeps its host's name, unless that could be taken for another event.
func eventName(ev *trammel.Event) string {
	if ev.Kind == trammel.Other && ev.Name != "" {
		if _, known := trammel.ParseKind(ev.Name); !known {
			return ev.Name
		}
	}
	return ev.Kind.String()
}

func part(w *strict.Writer, key string, write func()) {
	w.Key(key)
	w.Open()
	write()
	w.Close()
}

func writeSession(w *strict.Writer, s *trammel.Session) {
	w.Text("id", s.ID)
	w.Text("dir", s.Dir)
	w.Text("project", s.Project)
	w.Text("agent", s.Agent)
	w.Text("agent_id", s.AgentID)
	w.List("parents", s.Parents)
	w.Text("model", s.Model)
	w.Text("mode", s.Mode)
	w.Flag("bypass", s.Bypass)
	w.Text("user", s.User)
	w.Text("org", s.Org)
	w.Text("transcript", s.Transcript)
	w.Text("turn", s.Turn)
}

func writeTool(w *strict.Writer, t *trammel.ToolCall) {
	w.Text("id", t.ID)
	w.Text("name", t.Name)
	w.Map("input", t.Input)
	part(w, "action", func() { writeAction(w, t) })
	w.Text("output", t.Output)
	if t.Response != nil {
		w.Any("response", t.Response)
	}
	w.Text("error", t.Error)
	w.Flag("failed", t.Failed)
	w.Number("duration_ms", t.Duration.Milliseconds())
	w.Text("category", t.Category)
	w.Flag("confirm", t.Confirm)
}

func writeAction(w *strict.Writer, t *trammel.ToolCall) {
	a := &t.Action
	w.Text("kind", a.Kind.String())
	w.Text("command", a.Command)
	w.Text("dir", a.Dir)
	w.List("paths", a.Paths)
	w.Text("content", a.Content)
	w.Text("url", a.URL)
	w.Text("query", a.Query)
	w.Text("server", a.Server)
	w.Text("tool", a.Tool)
	w.Text("agent", a.Agent)
}

func writeModel(w *strict.Writer, m *trammel.ModelCall) {
	w.Text("id", m.ID)
	if m.Messages != nil {
		w.Any("messages", m.Messages)
	}
	w.Number("iteration", int64(m.Iteration))
	w.Text("response", m.Response)
	w.Text("last_prompt", m.LastPrompt)
	if u := m.Usage; u != (trammel.Usage{}) {
		part(w, "usage", func() {
			w.Number("input", u.Input)
			w.Number("output", u.Output)
			w.Number("cached_input", u.CachedInput)
			w.Number("cached_write", u.CachedWrite)
		})
	}
	if m.Cost != 0 {
		w.Any("cost", m.Cost)
	}
}
