package native

import (
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeEvent writes an event so that DecodeEvent reads the same. Observers
// also get the outcome, and all hooks get the facts of earlier ones; neither is
// read from a host.
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
	w.Part("session", func() { writeSession(&w, &ev.Session) })
	if ev.Tool != nil {
		w.Part("tool", func() { writeTool(&w, ev.Tool) })
	}
	if p := ev.Prompt; p != nil {
		w.Part("prompt", func() { w.Text("text", p.Text); w.Flag("synthetic", p.Synthetic); w.Text("command", p.Command) })
	}
	if ev.Model != nil {
		w.Part("model", func() { writeModel(&w, ev.Model) })
	}
	if s := ev.Stop; s != nil {
		w.Part("stop", func() { w.Text("message", s.Message); w.Flag("active", s.Active) })
	}
	if c := ev.Compaction; c != nil {
		w.Part("compaction", func() {
			w.Texts("reason", c.Reason, "instructions", c.Instructions)
			w.Number("input_tokens", c.InputTokens)
			w.Number("output_tokens", c.OutputTokens)
			w.Number("context_limit", c.ContextLimit)
			w.Text("summary", c.Summary)
		})
	}
	if s := ev.Switch; s != nil {
		w.Part("switch", func() { w.Text("kind", s.Kind); w.Text("from", s.From); w.Text("to", s.To) })
	}
	if n := ev.Notice; n != nil {
		w.Part("notice", func() { w.Texts("level", n.Level, "kind", n.Kind, "title", n.Title, "message", n.Message) })
	}
	if a := ev.Approval; a != nil {
		w.Part("approval", func() { w.Text("decision", a.Decision); w.Text("source", a.Source); w.Text("label", a.Label) })
	}
	if t := ev.Task; t != nil {
		w.Part("task", func() { w.Texts("id", t.ID, "subject", t.Subject, "description", t.Description, "status", t.Status) })
	}
	w.Texts("source", ev.Source, "reason", ev.Reason)
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
		w.Part("outcome", func() { w.Text("decision", o.Decision.String()); w.Text("reason", o.Reason) })
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

func writeSession(w *strict.Writer, s *trammel.Session) {
	w.Texts("id", s.ID, "dir", s.Dir, "project", s.Project, "agent", s.Agent, "agent_id", s.AgentID)
	w.List("parents", s.Parents)
	w.Texts("model", s.Model, "mode", s.Mode)
	w.Flag("bypass", s.Bypass)
	w.Texts("user", s.User, "org", s.Org, "transcript", s.Transcript, "turn", s.Turn)
}

func writeTool(w *strict.Writer, t *trammel.ToolCall) {
	w.Texts("id", t.ID, "name", t.Name)
	w.Map("input", t.Input)
	w.Part("action", func() { writeAction(w, t) })
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
	w.Texts("kind", a.Kind.String(), "command", a.Command, "dir", a.Dir)
	w.List("paths", a.Paths)
	w.Texts("content", a.Content, "url", a.URL, "query", a.Query, "server", a.Server, "tool", a.Tool, "agent", a.Agent)
}

func writeModel(w *strict.Writer, m *trammel.ModelCall) {
	w.Text("id", m.ID)
	if m.Messages != nil {
		w.Any("messages", m.Messages)
	}
	w.Number("iteration", int64(m.Iteration))
	w.Texts("response", m.Response, "last_prompt", m.LastPrompt)
	if u := m.Usage; u != (trammel.Usage{}) {
		w.Part("usage", func() {
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
