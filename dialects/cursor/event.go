package cursor

import (
	"cmp"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dialect is the language of Cursor, towards the host.
var Dialect = dialect{decode.Reader{Host: &Host, Foreign: true, Read: read,
	Known: []string{"hook_event_name", "conversation_id", "session_id", "generation_id", "model", "workspace_roots", "user_email",
		"transcript_path", "cwd", "tool_name", "tool_input", "tool_output", "tool_use_id", "command", "output", "file_path", "content",
		"edits", "result_json", "prompt", "text", "error_message", "duration", "loop_count", "status", "reason", "trigger",
		"subagent_type", "composer_mode"}}}

type dialect struct{ decode.Reader }

func readSession(f *strict.Fields, s *trammel.Session) {
	s.ID, s.Turn, s.Model = f.String("conversation_id"), f.String("generation_id"), f.String("model")
	if id := f.String("session_id"); s.ID == "" {
		s.ID = id
	}
	s.Dir, s.User, s.Transcript = f.String("cwd"), f.String("user_email"), f.String("transcript_path")
	if roots := f.Strings("workspace_roots"); len(roots) > 0 {
		s.Project = roots[0]
	}
	s.Dir = cmp.Or(s.Dir, s.Project)
}

func read(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	readSession(f, &ev.Session)
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PostToolUse, trammel.PostToolFailure:
		readTool(r, f, ev)
	case trammel.UserPromptSubmit:
		ev.Prompt = decode.Prompt(f, "prompt")
	case trammel.Stop, trammel.SubagentStop:
		ev.Stop = &trammel.StopInfo{Active: f.Int("loop_count") > 0}
		ev.Reason, ev.Session.Agent = f.String("status"), f.String("subagent_type")
	case trammel.SubagentStart:
		ev.Session.Agent = f.String("subagent_type")
	case trammel.SessionEnd:
		ev.Reason = f.String("reason")
	case trammel.SessionStart:
		ev.Session.Mode = f.String("composer_mode")
	case trammel.PreCompact:
		ev.Source = f.String("trigger")
		ev.Compaction = &trammel.Compaction{Reason: ev.Source}
	case trammel.AfterLLMCall:
		ev.Model = &trammel.ModelCall{Response: f.String("text")}
	}
}

// readTool reads a tool call. The events for one sort of tool do not name it;
// they get the name under which the general event has it.
func readTool(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{ID: f.String("tool_use_id"), Name: f.String("tool_name")}
	switch ev.Name {
	case "beforeShellExecution", "afterShellExecution":
		t.Name, t.Input = "Shell", pick(f, "command")
	case "beforeReadFile", "beforeTabFileRead":
		t.Name, t.Input = "Read", pick(f, "file_path")
	case "afterFileEdit", "afterTabFileEdit":
		t.Name, t.Input = "Edit", pick(f, "file_path", "edits")
	case "beforeMCPExecution", "afterMCPExecution":
		if t.Name != "" {
			t.Name = mcp + strings.TrimPrefix(t.Name, mcp)
		}
		t.Input = arguments(f)
	default:
		t.Input = arguments(f)
	}
	r.Tool(f, ev, t, "tool_name", "tool_input")
	if tool, ok := strings.CutPrefix(t.Name, mcp); ok {
		ev.Tools[t.Name] = decode.MCP("", tool)
		t.Action = ev.Tools.Action(t)
	}
	if ev.Kind == trammel.PreToolUse {
		return
	}
	t.Done, t.Failed = true, ev.Kind == trammel.PostToolFailure
	for _, key := range []string{"tool_output", "output", "result_json"} {
		if text := f.String(key); text != "" {
			t.Response, t.Output = text, text
		}
	}
	t.Error = f.String("error_message")
	t.Duration = time.Duration(f.Float("duration") * float64(time.Millisecond))
}

// pick makes arguments of fields.
func pick(f *strict.Fields, keys ...string) map[string]any {
	input := map[string]any{}
	for i, key := range keys {
		value := f.Any(key)
		if _, ok := value.(string); i == 0 && !ok {
			f.Refuse(key, "a string")
			return nil
		}
		input[key] = value
	}
	return input
}

// arguments reads a tool's arguments; for tools of MCP servers they are JSON in
// a string.
func arguments(f *strict.Fields) map[string]any {
	text, ok := f.Rest()["tool_input"].(string)
	if !ok {
		return f.Object("tool_input")
	}
	f.Any("tool_input")
	input, err := strict.Object([]byte(text), strict.Limits{})
	if err == nil {
		err = strict.FoldedTwins(input)
	}
	if err == nil {
		err = strict.NUL(input)
	}
	f.Fail(err)
	return input
}
