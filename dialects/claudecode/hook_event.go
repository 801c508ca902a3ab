package claudecode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeEvent writes an event of any host as Claude Code would have sent it:
// with its names for events and, where the action is known, for tools and their
// arguments.
func (*dialect) EncodeEvent(ev *trammel.Event) ([]byte, error) {
	w, s := encode.Begin(ev)
	w.Texts("prompt_id", s.Turn, "permission_mode", modeOf(s), "agent_id", s.AgentID, "agent_type", s.Agent,
		"hook_event_name", Host.Nearest(ev))
	writeParts(w, ev)
	encode.Rest(w, ev, Host.System, append(Dialect.Fields(), "from_model", "to_model", "task_id", "task_subject", "task_description")...)
	return w.Line()
}

// modeOf translates another host's permission mode, as far as it matters.
func modeOf(s *trammel.Session) string {
	switch s.Mode {
	case "default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "":
		return s.Mode
	}
	if s.Bypass {
		return "bypassPermissions"
	}
	return "default"
}

func writeParts(w *strict.Writer, ev *trammel.Event) {
	if ev.Tool != nil {
		writeTool(w, ev)
	}
	encode.Prompt(w, ev)
	if s := ev.Stop; s != nil {
		if ev.Kind != trammel.StopFailure {
			w.Any("stop_hook_active", s.Active)
		}
		w.Text("last_assistant_message", s.Message)
	}
	if c := ev.Compaction; c != nil {
		w.Texts("trigger", c.Reason, "custom_instructions", c.Instructions, "compact_summary", c.Summary)
	} else if ev.Kind == trammel.Setup {
		w.Text("trigger", ev.Source)
	} else {
		w.Text("source", ev.Source)
	}
	w.Text("reason", ev.Reason)
	if ev.Kind == trammel.SessionStart {
		w.Text("model", ev.Session.Model)
	}
	if s := ev.Switch; s != nil && s.Kind == "model" {
		w.Texts("from_model", s.From, "to_model", s.To)
	}
	if n := ev.Notice; n != nil {
		writeNotice(w, ev.Kind, n)
	}
	if t := ev.Task; t != nil {
		w.Texts("task_id", t.ID, "task_subject", t.Subject, "task_description", t.Description)
	}
}

func writeNotice(w *strict.Writer, kind trammel.Kind, n *trammel.NoticeInfo) {
	switch kind {
	case trammel.StopFailure:
		w.Texts("error", n.Kind, "error_details", n.Message)
	case trammel.Elicitation:
		w.Texts("mcp_server_name", n.Title, "message", n.Message, "mode", n.Kind)
	default:
		w.Texts("message", n.Message, "title", n.Title, "notification_type", n.Kind)
	}
}

func writeTool(w *strict.Writer, ev *trammel.Event) {
	t := ev.Tool
	call := present(ev)
	encode.Tool(w, call, response(ev, call.Name))
	w.Texts("tool_use_id", t.ID, "error", t.Error)
	w.Number("duration_ms", t.Duration.Milliseconds())
}

// present writes a tool call in Claude Code's terms. A call of Claude Code
// itself stays as it is, and so does one that its programs understand: the same
// name alone is not enough, because the arguments may have other names.
func present(ev *trammel.Event) encode.Call {
	t, a := ev.Tool, &ev.Tool.Action
	if ev.Host == Host.System || encode.Understood(Host.Shapes(), t) {
		return encode.OwnCall(t)
	}
	if a.Kind == trammel.AgentAction {
		return encode.Renamed(t, "Agent", map[string]string{"subagent_type": a.Agent, "prompt": a.Content})
	}
	names := encode.Tools{Shell: "Bash", Write: "Write", Edit: "Edit", Read: "Read", Fetch: "WebFetch"}
	return names.Present(t)
}

// response is the output of a tool that has succeeded, in the shape that the
// tool has in Claude Code.
func response(ev *trammel.Event, name string) any {
	t := ev.Tool
	if !t.Done || t.Failed {
		return nil
	}
	if ev.Host == Host.System && t.Response != nil {
		if t.Output == outputText(t.Response) {
			return t.Response
		}
		if changed := reshape(t, t.Output); changed != nil {
			return changed
		}
	}
	switch name {
	case "Bash":
		return map[string]any{"stdout": t.Output, "stderr": "", "interrupted": false, "isImage": false}
	case "Read":
		return map[string]any{"type": "text", "file": map[string]any{"filePath": encode.OnePath(&t.Action), "content": t.Output}}
	}
	return t.Output
}

// Environ returns what programs for Claude Code expect in their environment.
func (*dialect) Environ(ev *trammel.Event) []string {
	return []string{"CLAUDECODE=1", "CLAUDE_PROJECT_DIR=" + ev.Session.Place()}
}

// Ceiling is what Claude Code lets a hook do: approve before a call, otherwise
// what the event can. For events that it does not have, there is no further
// limit.
func (d *dialect) Ceiling(kind trammel.Kind) trammel.Authority {
	if !d.Has(kind) {
		return dialects.Authority(kind.Can())
	}
	return max(dialects.Authority(d.Powers(kind).Can), dialects.Authority(kind.Can()&trammel.Inject))
}
