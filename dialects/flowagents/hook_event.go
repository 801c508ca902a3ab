package flowagents

import (
	"maps"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeEvent writes an event of any host in the terms of the contract:
// tool_name and tool_input with command and file_path, whatever the host calls
// them, so that no policy is inert because a host has other names (FLOW-60).
// There is no newline at the end: programs repeat what they read.
func (dialect) EncodeEvent(ev *trammel.Event) ([]byte, error) {
	var w strict.Writer
	w.Open()
	w.Texts("hook_event_name", hookEventName(ev), "session_id", ev.Session.ID, "cwd", ev.Session.Dir,
		"transcript_path", ev.Session.Transcript, "agent_name", ev.Session.Agent)
	if t := ev.Tool; t != nil {
		w.Text("tool_name", toolName(t))
		w.Any("tool_input", toolInput(t))
		w.Text("tool_use_id", t.ID)
		if t.Done {
			w.Any("tool_response", toolResponse(t))
		}
	}
	if ev.Prompt != nil {
		w.Key("prompt")
		w.String(ev.Prompt.Text)
	}
	if ev.Stop != nil {
		w.Any("stop_hook_active", ev.Stop.Active)
		w.Text("last_assistant_message", ev.Stop.Message)
	}
	w.Texts("source", ev.Source, "reason", ev.Reason)
	w.Close()
	return w.Bytes(), w.Err()
}

// hookEventName is the name that programs of the contract look for. An event
// that it does not have keeps its own.
func hookEventName(ev *trammel.Event) string {
	switch ev.Kind {
	case trammel.PreToolUse, trammel.ToolGuard, trammel.ToolInputTransform:
		return "PreToolUse"
	case trammel.PermissionRequest:
		return "PermissionRequest"
	case trammel.PostToolUse, trammel.PostToolFailure, trammel.ToolResponseTransform:
		return "PostToolUse"
	case trammel.UserPromptSubmit, trammel.UserSteeringSubmit, trammel.UserFollowupSubmit:
		return "UserPromptSubmit"
	case trammel.SessionStart:
		return "SessionStart"
	case trammel.Stop:
		return "Stop"
	case trammel.SubagentStart:
		return "SubagentStart"
	case trammel.SubagentStop:
		return "SubagentStop"
	}
	if ev.Name != "" {
		return ev.Name
	}
	return ev.Kind.String()
}

// toolName is a name by which programs of the contract know what a tool does:
// they exempt readers by name.
func toolName(t *trammel.ToolCall) string {
	switch t.Action.Kind {
	case trammel.ShellAction:
		return "Bash"
	case trammel.WriteAction:
		return "Write"
	case trammel.EditAction:
		return "Edit"
	case trammel.ReadAction:
		return "Read"
	case trammel.SearchAction:
		return "Grep"
	case trammel.FetchAction:
		return "WebFetch"
	}
	return t.Name
}

// toolInput is the arguments as they are, with the command and the path also
// under the names that programs of the contract read.
func toolInput(t *trammel.ToolCall) map[string]any {
	in := maps.Clone(t.Input)
	if in == nil {
		in = map[string]any{}
	}
	if a := &t.Action; a.Command != "" {
		in["command"] = a.Command
	}
	if paths := t.Action.Paths; len(paths) > 0 {
		in["file_path"] = paths[0]
	}
	return in
}

// toolResponse is the host's own response where it is an object, else its text.
func toolResponse(t *trammel.ToolCall) any {
	if obj, ok := t.Response.(map[string]any); ok {
		return obj
	}
	response := map[string]any{"stdout": t.Output}
	if t.Failed {
		response["error"] = t.Error
	}
	return response
}
