package copilot

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// known are the fields whose meaning we rely on, in both languages. One that
// looks like them and is not them is refused.
var known = [...]string{"hook_event_name", "hookName", "sessionId", "session_id", "cwd", "toolName", "tool_name", "toolArgs", "toolInput",
	"tool_input",
	"toolResult", "tool_result", "tool_response", "prompt", "transcriptPath", "transcript_path", "stop_hook_active", "stopReason",
	"stop_reason", "source", "reason"}

// names are the events, by name.
var names = strict.Names{Kind: kindOf}

// DecodeEvent reads what Copilot CLI sent. In the first language most payloads
// do not name their event: then the wiring does, or what the payload holds.
func (Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	ev := &trammel.Event{Host: Name, Name: name, Raw: raw}
	ev.Kind, _ = kindOf(name)
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		names.Guess(ev, append(strict.Peek(raw, "hook_event_name"), strict.Peek(raw, "hookName")...)...)
		return ev, err
	}
	l, said := languageOf(obj), ""
	switch l {
	case flat:
		said = flatName(obj, name)
	case claude:
		said, _ = obj["hook_event_name"].(string)
	}
	names.Guess(ev, said)
	if err := check(obj, ev.Kind, l, name, said); err != nil {
		return ev, err
	}
	ev.Name = said
	f := strict.FieldsOf(obj, "")
	f.Any("hook_event_name")
	f.Any("hookName")
	read(f, ev, l)
	if rest := f.Rest(); len(rest) > 0 {
		ev.Fields = rest
	}
	return ev, f.Err()
}

// languageOf tells the language by how the session is called. A payload that
// has both names belongs to neither.
func languageOf(obj map[string]any) language {
	_, first := obj["sessionId"]
	_, second := obj["session_id"]
	switch {
	case first && !second:
		return flat
	case second && !first:
		return claude
	}
	return untold
}

// flatName finds the event of a payload in the first language: the name that
// is in it, the one of a tool call, the one from the wiring, or else the one
// that only such a payload can have.
func flatName(obj map[string]any, called string) string {
	has := func(key string) bool { _, ok := obj[key]; return ok }
	if said, _ := obj["hookName"].(string); said != "" {
		return said
	}
	if said, _ := obj["hook_event_name"].(string); said != "" {
		kind, _ := exact(said)
		return nameOf(kind, flat)
	}
	calledKind, _ := kindOf(called)
	switch {
	case has("toolResult"):
		return "postToolUse"
	case has("toolName") && has("error"):
		return "postToolUseFailure"
	case has("toolArgs") || has("toolName"):
		return "preToolUse"
	case calledKind != trammel.Other:
		return nameOf(calledKind, flat)
	case called != "":
		return called
	case has("prompt"):
		return "userPromptSubmitted"
	case has("stopReason"):
		return "agentStop"
	case has("source"):
		return "sessionStart"
	case has("reason"):
		return "sessionEnd"
	}
	return ""
}

func check(obj map[string]any, kind trammel.Kind, l language, name, said string) error {
	if err := strict.CaseVariant(obj, known[:]...); err != nil {
		return err
	}
	if l == untold {
		return trammel.Fail(trammel.CodeInput, `expected either "sessionId" or "session_id", which tells the language`)
	}
	if said == "" {
		return trammel.Fail(trammel.CodeInput, "found no event's name, and nothing that tells it")
	}
	saidKind, spelt := exact(said)
	if other, like := kindOf(said); like && spelt != l {
		return trammel.Fail(trammel.CodeInput, "found the event %q, which could be taken for %v", said, other)
	}
	if name != "" {
		if called, known := kindOf(name); called != saidKind || !known && name != said {
			return trammel.Fail(trammel.CodeInput, "called for event %q, but the payload says %q", name, said)
		}
	}
	for _, key := range []string{"toolArgs", "toolInput", "tool_input"} {
		if input, ok := obj[key].(map[string]any); ok {
			if err := strict.FoldedTwins(input); err != nil {
				return err
			}
		}
	}
	if kind.FailsClosed() {
		return strict.NUL(obj)
	}
	return nil
}

func read(f *strict.Fields, ev *trammel.Event, l language) {
	// pick names a field in the language of the payload.
	pick := func(first, second string) string {
		if l == claude {
			return second
		}
		return first
	}
	s := &ev.Session
	s.ID, s.Dir = f.String(pick("sessionId", "session_id")), f.String("cwd")
	s.Transcript = f.String(pick("transcriptPath", "transcript_path"))
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PermissionRequest, trammel.PostToolUse, trammel.PostToolFailure:
		args := pick("toolArgs", "tool_input")
		if ev.Kind == trammel.PermissionRequest {
			args = pick("toolInput", "tool_input")
		}
		readTool(f, ev, pick("toolName", "tool_name"), args)
		if ev.Tool.Done {
			readResult(f, ev.Tool, pick("toolResult", "tool_result"))
		}
	case trammel.UserPromptSubmit:
		if _, there := f.Rest()["prompt"]; !there {
			f.Refuse("prompt", "the prompt")
		}
		ev.Prompt = &trammel.Prompt{Text: f.String("prompt")}
	case trammel.SessionStart:
		ev.Source = f.String("source")
	case trammel.SessionEnd:
		ev.Reason = f.String("reason")
	case trammel.Stop, trammel.SubagentStop:
		ev.Stop = &trammel.StopInfo{Active: f.Bool("stop_hook_active")}
		ev.Reason = f.String(pick("stopReason", "stop_reason"))
		s.Agent = f.String(pick("agentName", "agent_name"))
	case trammel.SubagentStart:
		s.Agent = f.String(pick("agentName", "agent_name"))
	case trammel.PreCompact:
		ev.Source = f.String("trigger")
		ev.Compaction = &trammel.Compaction{Reason: ev.Source}
	case trammel.Notification:
		ev.Notice = &trammel.NoticeInfo{Kind: f.String("notification_type"), Title: f.String("title"), Message: f.String("message")}
	}
}

func readTool(f *strict.Fields, ev *trammel.Event, name, args string) {
	t := &trammel.ToolCall{ID: f.String("tool_use_id"), Name: f.String(name), Input: f.Object(args)}
	ev.Tool, ev.Tools = t, tools()
	if t.Name == "" {
		f.Refuse(name, "the name of a tool")
	}
	if t.Input == nil && ev.Kind.FailsClosed() {
		f.Refuse(args, "an object")
	}
	t.Action = ev.Tools.Action(t)
	t.Done = ev.Kind == trammel.PostToolUse || ev.Kind == trammel.PostToolFailure
	t.Failed = ev.Kind == trammel.PostToolFailure
}

func readResult(f *strict.Fields, t *trammel.ToolCall, key string) {
	t.Response = f.Any(key)
	if t.Response == nil {
		t.Response = f.Any("tool_response")
	}
	t.Output = outputText(t.Response)
	if result, ok := t.Response.(map[string]any); ok && result["resultType"] != nil && result["resultType"] != "success" {
		t.Failed = true
	}
	switch e := f.Any("error").(type) {
	case string:
		t.Error = e
	case map[string]any:
		t.Error, _ = e["message"].(string)
	}
}

// outputText is a tool's result as text: what the model is shown of it, a plain
// string, or else its JSON.
func outputText(result any) string {
	switch r := result.(type) {
	case nil:
		return ""
	case string:
		return r
	case map[string]any:
		for _, key := range []string{"textResultForLlm", "text_result_for_llm"} {
			if text, ok := r[key].(string); ok {
				return text
			}
		}
	}
	text, err := canonical.Append(nil, result)
	if err != nil {
		return ""
	}
	return string(text)
}
