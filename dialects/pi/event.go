package pi

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dialect is pi's dialect, for the host.
var Dialect = dialect{decode.Reader{Host: &Host, Foreign: true, Read: read,
	Peek:  func(raw []byte) []string { return strict.Peek(raw, "event", "type") },
	Known: []string{"event", "cwd", "session", "mode", "hasUI"},
	Within: []decode.Part{{Name: "event", Known: []string{"type", "toolName", "toolCallId", "input", "content", "isError", "text",
		"source", "command", "prompt", "reason", "active"}}},
	SentName: func(obj map[string]any, _ string) string { sentName, _ := inner(obj)["type"].(string); return sentName },
	Inputs:   func(obj map[string]any) []any { return []any{inner(obj)["input"]} }}}

type dialect struct{ decode.Reader }

// inner is pi's own event.
func inner(obj map[string]any) map[string]any {
	event, _ := obj["event"].(map[string]any)
	return event
}

func read(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	s := &ev.Session
	s.ID, s.Dir, s.Mode = f.String("session"), f.String("cwd"), f.String("mode")
	f.Bool("hasUI")
	in := strict.FieldsOf(f.Object("event"), "event")
	in.String("type")
	readParts(r, in, ev)
	f.Fail(in.Err())
}

func readParts(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PostToolUse:
		readTool(r, f, ev)
	case trammel.UserPromptSubmit:
		ev.Source = f.String("source")
		ev.Prompt = decode.Prompt(f, "text")
		ev.Prompt.Synthetic = ev.Source == "extension"
	case trammel.Stop:
		ev.Stop = &trammel.StopInfo{Message: f.String("text"), Active: f.Bool("active")}
	case trammel.SessionStart, trammel.InstructionsLoaded:
		ev.Source = f.String("reason")
	case trammel.SessionEnd:
		ev.Reason = f.String("reason")
	case trammel.TurnStart:
		if text := f.String("prompt"); text != "" {
			ev.Prompt = &trammel.Prompt{Text: text}
		}
	case trammel.PreCompact:
		ev.Compaction = &trammel.Compaction{Instructions: f.String("customInstructions")}
	}
}

func readTool(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{ID: f.String("toolCallId"), Name: f.String("toolName"), Input: f.Object("input")}
	if ev.Name == "user_bash" { // a command that the person typed, without a tool
		t.Name, t.Input = "bash", map[string]any{"command": f.String("command")}
	}
	r.Tool(f, ev, t, "toolName", "input")
	if ev.Kind == trammel.PostToolUse {
		t.Done, t.Failed = true, f.Bool("isError")
		content := f.List("content")
		t.Response, t.Output = content, contentText(content)
		if t.Failed {
			t.Error = t.Output
		}
	}
}

// contentText is the texts of a result. Pictures are left out.
func contentText(content []any) string {
	var texts []string
	for _, c := range content {
		if part, ok := c.(map[string]any); ok {
			if text, ok := part["text"].(string); ok {
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, "\n")
}
