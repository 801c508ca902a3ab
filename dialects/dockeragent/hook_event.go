package dockeragent

import (
	"cmp"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeEvent writes an event of any host as docker-agent would have sent it:
// its fields in its order, what is empty left out (DA-02), no newline at the
// end.
func (*dialect) EncodeEvent(ev *trammel.Event) ([]byte, error) {
	var w strict.Writer
	s := &ev.Session
	w.Open()
	w.Key("session_id")
	w.String(s.ID)
	w.Key("cwd")
	w.String(s.Dir)
	w.Texts("hook_event_name", Host.Nearest(ev), "agent_name", s.Agent)
	if ev.Tool != nil {
		w.Text("tool_category", ev.Tool.Category)
	}
	w.Text("model_id", s.Model)
	writeModel(&w, ev)
	if ev.Tool != nil {
		writeTool(&w, ev)
	}
	w.Texts("safety_policy", modeOf(s), "source", ev.Source, "reason", ev.Reason)
	if ev.Stop != nil {
		w.Text("stop_response", ev.Stop.Message)
	}
	if ev.Prompt != nil && ev.Kind == trammel.UserSteeringSubmit {
		w.Any("steering_messages", []any{ev.Prompt.Text})
	} else if ev.Prompt != nil {
		w.Text("prompt", ev.Prompt.Text)
	}
	if len(s.Parents) > 0 {
		w.Text("parent_session_id", s.Parents[0])
	}
	writeRest(&w, ev)
	if ev.Host == Host.System { // fields of its own that we do not read
		encode.Rest(&w, ev, Host.System)
	}
	w.Close()
	return w.Bytes(), w.Err()
}

// modeOf translates another host's permission mode, as far as it matters.
func modeOf(s *trammel.Session) string {
	if s.Bypass {
		return "autonomous"
	}
	switch s.Mode {
	case "strict", "balanced", "autonomous":
		return s.Mode
	}
	return ""
}

func writeModel(w *strict.Writer, ev *trammel.Event) {
	m := ev.Model
	if m == nil {
		return
	}
	w.Number("iteration", int64(m.Iteration))
	w.Text("last_user_message", m.LastPrompt)
	if len(m.Messages) > 0 {
		w.Any("messages", m.Messages)
	}
	w.Text("stop_response", m.Response)
	if ev.Kind == trammel.AfterLLMCall {
		w.Key("usage")
		w.Value(map[string]any{"input_tokens": m.Usage.Input, "output_tokens": m.Usage.Output,
			"cached_input_tokens": m.Usage.CachedInput, "cached_write_tokens": m.Usage.CachedWrite})
		if m.Cost != 0 {
			w.Any("cost", m.Cost)
		}
	}
}

func writeTool(w *strict.Writer, ev *trammel.Event) {
	t := ev.Tool
	call := present(ev)
	w.Texts("tool_name", call.Name, "tool_use_id", t.ID)
	if len(call.Input) > 0 {
		w.Map("tool_input", call.Input)
	}
	if t.Done {
		text := cmp.Or(t.Output, t.Error)
		if t.Response != nil && ev.Host == Host.System && decode.Text(t.Response) == t.Output {
			w.Any("tool_response", t.Response)
		} else {
			w.Text("tool_response", text)
		}
		w.Flag("tool_error", t.Failed)
	}
}

func writeRest(w *strict.Writer, ev *trammel.Event) {
	if n := ev.Notice; n != nil {
		w.Texts("notification_level", n.Level, "notification_message", n.Message)
	}
	if s := ev.Switch; s != nil && s.Kind != "model" {
		w.Texts("from_agent", s.From, "to_agent", s.To, "agent_switch_kind", s.Kind)
		writeModels(w, s.Models)
	}
	if a := ev.Approval; a != nil {
		w.Texts("approval_decision", a.Decision, "approval_source", a.Source, "safety_label", a.Label)
	}
	if c := ev.Compaction; c != nil {
		w.Number("input_tokens", c.InputTokens)
		w.Number("output_tokens", c.OutputTokens)
		w.Number("context_limit", c.ContextLimit)
		w.Text("compaction_reason", c.Reason)
		if ev.Kind != trammel.BeforeCompaction {
			w.Text("summary", c.Summary)
		}
	}
}

func writeModels(w *strict.Writer, models []trammel.ServedModel) {
	var list []any
	for _, m := range models {
		obj := map[string]any{}
		for key, text := range map[string]string{"provider": m.Provider, "model": m.Name, "base_url": m.URL, "unload_api": m.Unload} {
			if text != "" {
				obj[key] = text
			}
		}
		list = append(list, obj)
	}
	if list != nil {
		w.Any("from_agent_models", list)
	}
}

// present writes a tool call in docker-agent's terms. A call of docker-agent
// itself, or of a tool with the same name, stays as it is.
func present(ev *trammel.Event) encode.Call {
	t, a := ev.Tool, &ev.Tool.Action
	path := encode.OnePath(a)
	switch {
	case ev.Host == Host.System || a.Kind != trammel.ShellAction && encode.Understood(Host.Shapes(), t):
	case a.Kind == trammel.ShellAction:
		return encode.Renamed(t, "shell", map[string]string{"cmd": a.Command})
	case a.Kind == trammel.WriteAction && path != "":
		return encode.Renamed(t, "write_file", map[string]string{"path": path, "content": a.Content})
	case a.Kind == trammel.EditAction && path != "":
		return encode.Renamed(t, "edit_file", map[string]string{"path": path})
	case a.Kind == trammel.ReadAction && path != "":
		return encode.Renamed(t, "read_file", map[string]string{"path": path})
	}
	return encode.OwnCall(t)
}

// Environ adds nothing: docker-agent sets no variables for its hooks.
func (*dialect) Environ(*trammel.Event) []string { return nil }
