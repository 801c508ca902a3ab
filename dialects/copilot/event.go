package copilot

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dialect is Copilot CLI's dialect, for the host. In the first of its languages
// most payloads do not name their event: then the wiring does, by the name that
// it called for, or what the payload holds.
var Dialect = dialect{decode.Reader{Host: &Host, Foreign: true, Read: read, SentName: sentName, Check: check,
	Known: []string{"hook_event_name", "hookName", "sessionId", "session_id", "cwd", "toolName", "tool_name", "toolArgs", "toolInput",
		"tool_input", "toolResult", "tool_result", "tool_response", "prompt", "transcriptPath", "transcript_path", "stop_hook_active",
		"stopReason", "stop_reason", "source", "reason"},
	Peek: func(raw []byte) []string {
		return append(strict.Peek(raw, "hook_event_name"), strict.Peek(raw, "hookName")...)
	},
	Inputs: func(obj map[string]any) []any { return []any{obj["toolArgs"], obj["toolInput"], obj["tool_input"]} }}}

type dialect struct{ decode.Reader }

func sentName(obj map[string]any, called string) string {
	switch payloadLanguage(obj) {
	case flat:
		return flatName(obj, called)
	case claude:
		sentName, _ := obj["hook_event_name"].(string)
		return sentName
	}
	return ""
}

// payloadLanguage finds the language by the name of the field with the session.
// A payload with both names belongs to neither.
func payloadLanguage(obj map[string]any) language {
	_, first := obj["sessionId"]
	_, second := obj["session_id"]
	switch {
	case first && !second:
		return flat
	case second && !first:
		return claude
	}
	return unknown
}

// check refuses a payload in neither language, and one that names its event in
// the other.
func check(obj map[string]any, sentName string) error {
	l := payloadLanguage(obj)
	if l == unknown {
		return trammel.Fail(trammel.CodeInput, `expected either "sessionId" or "session_id", which tells the language`)
	}
	if other, like := Host.Kind(sentName); like && languageOf(sentName) != l {
		return trammel.Fail(trammel.CodeInput, "found the event %q, which could be taken for %v", sentName, other)
	}
	return nil
}

// flatName finds the event of a payload in the first language: the name that
// is in it, the one of a tool call, the one from the wiring, or else the one
// that only such a payload can have.
func flatName(obj map[string]any, called string) string {
	has := func(key string) bool { _, ok := obj[key]; return ok }
	if sentName, _ := obj["hookName"].(string); sentName != "" {
		return sentName
	}
	if sentName, _ := obj["hook_event_name"].(string); sentName != "" {
		kind, _ := Host.Exact(sentName)
		return nameIn(flat, kind)
	}
	calledKind, _ := Host.Kind(called)
	switch {
	case has("toolResult"):
		return "postToolUse"
	case has("toolName") && has("error"):
		return "postToolUseFailure"
	case has("toolArgs") || has("toolName"):
		return "preToolUse"
	case calledKind != trammel.Other:
		return nameIn(flat, calledKind)
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

func read(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	f.Any("hookName")
	l := languageOf(ev.Name)
	if l == unknown {
		l = payloadLanguage(f.Rest())
	}
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
		name := pick("toolName", "tool_name")
		t := &trammel.ToolCall{ID: f.String("tool_use_id"), Name: f.String(name), Input: f.Object(args)}
		r.Tool(f, ev, t, name, args)
		if l == flat {
			ev.Tools = flatTools()
		}
		t.Failed = ev.Kind == trammel.PostToolFailure
		if t.Done = t.Failed || ev.Kind == trammel.PostToolUse; t.Done {
			readResult(f, t, pick("toolResult", "tool_result"))
		}
	case trammel.UserPromptSubmit:
		ev.Prompt = decode.Prompt(f, "prompt")
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
	if r, ok := result.(map[string]any); ok {
		for _, key := range []string{"textResultForLlm", "text_result_for_llm"} {
			if text, ok := r[key].(string); ok {
				return text
			}
		}
	}
	return decode.Text(result)
}
