package decode

import (
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

func (r *Reader) parts(f *strict.Fields, ev *trammel.Event) {
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PermissionRequest, trammel.PostToolUse, trammel.PostToolFailure, trammel.PermissionDenied:
		r.tool(f, ev)
		ev.Reason = f.String("reason")
	case trammel.UserPromptSubmit, trammel.UserPromptExpansion:
		ev.Prompt = Prompt(f, "prompt")
		ev.Prompt.Command = f.String("command_name")
	case trammel.SessionStart:
		ev.Source = f.String("source")
	case trammel.SessionEnd:
		ev.Reason = f.String("reason")
	case trammel.Stop, trammel.SubagentStop:
		ev.Stop = &trammel.StopInfo{Message: f.String("last_assistant_message"), Active: f.Bool("stop_hook_active")}
	case trammel.PreCompact, trammel.PostCompact:
		ev.Source = f.String("trigger")
		ev.Compaction = &trammel.Compaction{Reason: ev.Source, Instructions: f.String("custom_instructions"),
			Summary: f.String("compact_summary")}
	case trammel.Notification:
		ev.Notice = &trammel.NoticeInfo{Kind: f.String("notification_type"), Title: f.String("title"), Message: f.String("message")}
	}
}

// Prompt reads a prompt, which has to be there.
func Prompt(f *strict.Fields, key string) *trammel.Prompt {
	if _, there := f.Rest()[key]; !there {
		f.Refuse(key, "the prompt")
	}
	return &trammel.Prompt{Text: f.String(key)}
}

func (r *Reader) tool(f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{ID: f.String("tool_use_id"), Name: f.String("tool_name"), Input: f.Object("tool_input")}
	r.Tool(f, ev, t, "tool_name", "tool_input")
	if ev.Kind == trammel.PostToolUse || ev.Kind == trammel.PostToolFailure {
		t.Done = true
		t.Failed = ev.Kind == trammel.PostToolFailure
		t.Response, t.Error = f.Any("tool_response"), strings.TrimSpace(f.String("error"))
		t.Output = OutputText(t.Response)
		t.Duration = time.Duration(f.Float("duration_ms") * float64(time.Millisecond))
	}
}

// Tool puts a tool call into an event, and refuses one without a name, or
// without arguments before it runs. The keys are where these two should be.
func (r *Reader) Tool(f *strict.Fields, ev *trammel.Event, t *trammel.ToolCall, nameKey, inputKey string) {
	ev.Tool, ev.Tools = t, r.Shapes()
	if t.Name == "" {
		f.Refuse(nameKey, "the name of a tool")
	}
	if t.Input == nil && ev.Kind.FailsClosed() {
		f.Refuse(inputKey, "an object")
	}
	t.Action = ev.Tools.Action(t)
}

// OutputText is a tool's output as text: a plain string, what the host gives to
// the model (llmContent), and anything else as JSON.
func OutputText(response any) string {
	if r, ok := response.(map[string]any); ok {
		if content, ok := r["llmContent"]; ok {
			return contentText(content)
		}
	}
	return Text(response)
}

// Text is a value as text: a string as it is, nil as "", and anything else as
// JSON.
func Text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, err := canonical.Append(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}

// contentText is the text of what goes to the model: a string, a part with a
// text, or a list of these. Anything else is shown as JSON.
func contentText(content any) string {
	switch c := content.(type) {
	case map[string]any:
		if text, ok := c["text"].(string); ok {
			return text
		}
	case []any:
		texts := make([]string, len(c))
		for i, part := range c {
			texts[i] = contentText(part)
		}
		return strings.Join(texts, "\n")
	}
	return OutputText(content)
}
