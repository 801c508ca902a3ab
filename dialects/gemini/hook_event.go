package gemini

import (
	"maps"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeEvent writes an event of any host as Gemini CLI would have sent it:
// with its names for events and, where the action is known, for tools and their
// arguments.
func (*dialect) EncodeEvent(ev *trammel.Event) ([]byte, error) {
	w, _ := encode.Begin(ev)
	w.Text("hook_event_name", Host.Nearest(ev))
	if ev.Host != Host.System {
		foreign(w, ev)
	}
	if ev.Tool != nil {
		encode.Tool(w, present(ev), response(ev))
	}
	encode.Common(w, ev)
	if s := ev.Stop; s != nil {
		w.Text("prompt_response", s.Message)
		w.Any("stop_hook_active", s.Active)
	}
	encode.Rest(w, ev, Host.System, append(Dialect.Fields(), "timestamp")...)
	return w.Line()
}

// foreign writes what the payload of Gemini's own events holds among its
// fields, for events of hosts that have it elsewhere or not at all.
func foreign(w *strict.Writer, ev *trammel.Event) {
	if !ev.Time.IsZero() {
		w.Text("timestamp", ev.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
	m := ev.Model
	if m == nil {
		return
	}
	messages := m.Messages
	if messages == nil {
		messages = []any{}
	}
	w.Map("llm_request", map[string]any{"model": ev.Session.Model, "messages": messages})
	if ev.Kind == trammel.AfterLLMCall {
		w.Map("llm_response", map[string]any{"text": m.Response})
	}
}

// present writes a tool call in Gemini's terms.
func present(ev *trammel.Event) encode.Call {
	if ev.Host == Host.System || encode.Understood(Host.Shapes(), ev.Tool) {
		return encode.OwnCall(ev.Tool)
	}
	names := encode.Tools{Shell: "run_shell_command", Write: "write_file", Edit: "replace", Read: "read_file", Fetch: "web_fetch"}
	return names.Present(ev.Tool)
}

// response is the output of a tool that has run, in Gemini's shape.
func response(ev *trammel.Event) any {
	t := ev.Tool
	if !t.Done {
		return nil
	}
	own, _ := t.Response.(map[string]any)
	if ev.Host == Host.System && own != nil {
		if t.Output == decode.OutputText(t.Response) {
			return own
		}
		changed := maps.Clone(own)
		changed["llmContent"] = t.Output
		return changed
	}
	out := map[string]any{"llmContent": t.Output, "returnDisplay": t.Output}
	if t.Failed {
		out["error"] = map[string]any{"message": t.Error}
	}
	return out
}

// Environ returns what programs for Gemini CLI expect in their environment.
func (*dialect) Environ(ev *trammel.Event) []string {
	project := ev.Session.Place()
	return []string{"GEMINI_PROJECT_DIR=" + project, "CLAUDE_PROJECT_DIR=" + project, "GEMINI_SESSION_ID=" + ev.Session.ID,
		"GEMINI_CWD=" + ev.Session.Dir}
}
