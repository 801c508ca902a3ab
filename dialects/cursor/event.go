package cursor

import (
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// known are the fields whose meaning we rely on. One that looks like them and
// is not them is refused.
var known = [...]string{"hook_event_name", "conversation_id", "session_id", "generation_id", "model", "workspace_roots", "user_email",
	"transcript_path", "cwd",
	"tool_name", "tool_input", "tool_output", "tool_use_id", "command", "output", "file_path", "content", "edits", "result_json", "prompt",
	"text",
	"error_message", "duration", "loop_count", "status", "reason", "trigger", "subagent_type", "composer_mode"}

// names are the events, by name.
var names = strict.Names{Kind: kindOf, Exact: exact}

// DecodeEvent reads what Cursor sent.
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

func readSession(f *strict.Fields, s *trammel.Session) {
	s.ID, s.Turn, s.Model = f.String("conversation_id"), f.String("generation_id"), f.String("model")
	if id := f.String("session_id"); s.ID == "" {
		s.ID = id
	}
	s.Dir, s.User, s.Transcript = f.String("cwd"), f.String("user_email"), f.String("transcript_path")
	if roots := f.Strings("workspace_roots"); len(roots) > 0 {
		s.Project = roots[0]
	}
	if s.Dir == "" {
		s.Dir = s.Project
	}
}

func readParts(f *strict.Fields, ev *trammel.Event) {
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PostToolUse, trammel.PostToolFailure:
		readTool(f, ev)
	case trammel.UserPromptSubmit:
		if _, there := f.Rest()["prompt"]; !there {
			f.Refuse("prompt", "the prompt")
		}
		ev.Prompt = &trammel.Prompt{Text: f.String("prompt")}
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
func readTool(f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{ID: f.String("tool_use_id"), Name: f.String("tool_name")}
	ev.Tool, ev.Tools = t, tools()
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
	if t.Name == "" {
		f.Refuse("tool_name", "the name of a tool")
	}
	if t.Input == nil && ev.Kind.FailsClosed() {
		f.Refuse("tool_input", "an object")
	}
	t.Action = action(t)
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
