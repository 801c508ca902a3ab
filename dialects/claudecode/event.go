package claudecode

import (
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// known are the fields whose meaning we rely on. One that looks like them and
// is not them is refused.
var known = [...]string{"hook_event_name", "session_id", "transcript_path", "cwd", "prompt_id", "permission_mode", "agent_id",
	"agent_type", "model",
	"tool_name", "tool_input", "tool_use_id", "tool_response", "error", "duration_ms", "prompt", "command_name",
	"stop_hook_active", "last_assistant_message", "source", "reason", "trigger"}

// names are the events, by name.
var names = strict.Names{Kind: kindOf, Exact: exact}

// DecodeEvent reads what Claude Code sent.
func (Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	ev := &trammel.Event{Host: Name, Name: name, Raw: raw}
	ev.Kind, _ = kindOf(name)
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		names.Guess(ev, strict.Peek(raw, "hook_event_name")...)
		return ev, err
	}
	said, _ := obj["hook_event_name"].(string)
	names.Guess(ev, said)
	if err := check(obj, ev.Kind, name, said); err != nil {
		return ev, err
	}
	f := strict.FieldsOf(obj, "")
	ev.Name = f.String("hook_event_name")
	readSession(f, &ev.Session)
	readParts(f, ev)
	if rest := f.Rest(); len(rest) > 0 {
		ev.Fields = rest
	}
	return ev, f.Err()
}

func check(obj map[string]any, kind trammel.Kind, name, said string) error {
	if err := strict.CaseVariant(obj, known[:]...); err != nil {
		return err
	}
	if said == "" {
		return trammel.Fail(trammel.CodeInput, `found no "hook_event_name", expected the name of an event`)
	}
	if err := names.Agree(name, said); err != nil {
		return err
	}
	return strict.Call(obj, obj["tool_input"], kind)
}

// exact knows an event only as the host writes it.
func exact(name string) (trammel.Kind, bool) {
	kind, ok := kindOf(name)
	return kind, ok && nameOf(kind) == name
}

func readSession(f *strict.Fields, s *trammel.Session) {
	s.ID, s.Dir, s.Transcript = f.String("session_id"), f.String("cwd"), f.String("transcript_path")
	s.Turn, s.Mode = f.String("prompt_id"), f.String("permission_mode")
	s.Agent, s.AgentID, s.Model = f.String("agent_type"), f.String("agent_id"), f.String("model")
	switch s.Mode {
	case "bypassPermissions", "dontAsk", "auto":
		s.Bypass = true
	}
	if s.AgentID != "" && s.ID != "" { // a sub-agent has its parent's session id
		s.Parents = []string{s.ID}
	}
}

func readParts(f *strict.Fields, ev *trammel.Event) {
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PermissionRequest, trammel.PostToolUse, trammel.PostToolFailure, trammel.PermissionDenied:
		readTool(f, ev)
		ev.Reason = f.String("reason")
	case trammel.UserPromptSubmit, trammel.UserPromptExpansion:
		if _, there := f.Rest()["prompt"]; !there {
			f.Refuse("prompt", "the prompt")
		}
		ev.Prompt = &trammel.Prompt{Text: f.String("prompt"), Command: f.String("command_name")}
	case trammel.SessionStart, trammel.ConfigChange, trammel.DirectoryAdded:
		ev.Source = f.String("source")
	case trammel.Setup:
		ev.Source = f.String("trigger")
	case trammel.SessionEnd:
		ev.Reason = f.String("reason")
	case trammel.Stop, trammel.SubagentStop:
		ev.Stop = &trammel.StopInfo{Message: f.String("last_assistant_message"), Active: f.Bool("stop_hook_active")}
	case trammel.StopFailure:
		ev.Stop = &trammel.StopInfo{Message: f.String("last_assistant_message")}
		ev.Notice = &trammel.NoticeInfo{Level: "error", Kind: f.String("error"), Message: f.String("error_details")}
	case trammel.PreCompact, trammel.PostCompact:
		ev.Source = f.String("trigger")
		ev.Compaction = &trammel.Compaction{Reason: ev.Source, Instructions: f.String("custom_instructions"),
			Summary: f.String("compact_summary")}
	case trammel.PreModelSwitch, trammel.PostModelSwitch:
		ev.Source = f.String("source")
		ev.Switch = &trammel.Switch{Kind: "model", From: f.String("from_model"), To: f.String("to_model")}
	case trammel.Notification:
		ev.Notice = &trammel.NoticeInfo{Kind: f.String("notification_type"), Title: f.String("title"), Message: f.String("message")}
	case trammel.Elicitation:
		ev.Notice = &trammel.NoticeInfo{Kind: f.String("mode"), Title: f.String("mcp_server_name"), Message: f.String("message")}
	case trammel.TaskCreated, trammel.TaskCompleted:
		ev.Task = &trammel.TaskInfo{ID: f.String("task_id"), Subject: f.String("task_subject"), Description: f.String("task_description")}
	}
}

func readTool(f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{ID: f.String("tool_use_id"), Name: f.String("tool_name"), Input: f.Object("tool_input")}
	ev.Tool, ev.Tools = t, tools()
	if t.Name == "" {
		f.Refuse("tool_name", "the name of a tool")
	}
	if t.Input == nil && ev.Kind.FailsClosed() {
		f.Refuse("tool_input", "an object")
	}
	t.Action = ev.Tools.Action(t)
	if ev.Kind == trammel.PostToolUse || ev.Kind == trammel.PostToolFailure {
		t.Done = true
		t.Failed = ev.Kind == trammel.PostToolFailure
		t.Response, t.Error = f.Any("tool_response"), strings.TrimSpace(f.String("error"))
		t.Output = outputText(t.Response)
		t.Duration = time.Duration(f.Float("duration_ms") * float64(time.Millisecond))
	}
}
