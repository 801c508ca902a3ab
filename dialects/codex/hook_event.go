package codex

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/dialects/encode"
)

// EncodeEvent writes an event of any host as Codex would have sent it: with its
// names for events and, where the action is known, for tools and their
// arguments.
func (*dialect) EncodeEvent(ev *trammel.Event) ([]byte, error) {
	w, s := encode.Begin(ev)
	w.Texts("turn_id", s.Turn, "hook_event_name", Host.Nearest(ev), "model", s.Model, "permission_mode", modeOf(s),
		"agent_id", s.AgentID, "agent_type", s.Agent)
	if t := ev.Tool; t != nil {
		encode.Tool(w, present(ev), response(ev))
		w.Text("tool_use_id", t.ID)
	}
	encode.Common(w, ev)
	if s := ev.Stop; s != nil {
		w.Any("stop_hook_active", s.Active)
		w.Text("last_assistant_message", s.Message)
	}
	encode.Rest(w, ev, Host.System, Dialect.Fields()...)
	return w.Line()
}

// modeOf translates another host's permission mode, as far as it matters.
func modeOf(s *trammel.Session) string {
	switch s.Mode {
	case "default", "plan", "acceptEdits", "dontAsk", "bypassPermissions", "":
		return s.Mode
	}
	if s.Bypass {
		return "bypassPermissions"
	}
	return "default"
}

// present writes a tool call in Codex's terms. Codex changes files only with
// patches, so another host's write, edit or deletion is written as one.
func present(ev *trammel.Event) encode.Call {
	t, a := ev.Tool, &ev.Tool.Action
	path := encode.OnePath(a)
	own := t.Name != patchTool || t.Input["command"] != nil // hooks get a patch as its command
	switch {
	case ev.Host == Host.System || a.Kind != trammel.ShellAction && own && encode.Understood(Host.Shapes(), t):
		return encode.OwnCall(t)
	case a.Kind == trammel.ShellAction:
		return encode.Renamed(t, "Bash", map[string]string{"command": a.Command})
	case path != "" && (a.Kind == trammel.WriteAction || a.Kind == trammel.EditAction || a.Kind == trammel.DeleteAction):
		return encode.Made(patchTool, "command", decode.Patch(a.Kind, path, replaced(t.Input), a.Content))
	case a.Kind == trammel.AgentAction:
		return encode.Renamed(t, "spawn_agent", map[string]string{"agent_type": a.Agent, "message": a.Content})
	}
	return encode.OfServer(t)
}

// replaced is the text that an edit removes, by the names that hosts have for
// it.
func replaced(input map[string]any) string {
	for _, key := range [...]string{"old_string", "oldString", "old_str"} {
		if text, ok := input[key].(string); ok {
			return text
		}
	}
	return ""
}

// response is the output of a tool that has run; in Codex that is a text, even
// after a failure.
func response(ev *trammel.Event) any {
	t := ev.Tool
	switch {
	case !t.Done:
		return nil
	case ev.Host == Host.System && t.Response != nil && t.Output == decode.OutputText(t.Response):
		return t.Response
	case t.Output == "":
		return t.Error
	}
	return t.Output
}

// Environ returns the variables that programs for Codex expect: none.
func (*dialect) Environ(*trammel.Event) []string { return nil }
