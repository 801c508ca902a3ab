package claudelike

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
		if _, there := f.Rest()["prompt"]; !there {
			f.Refuse("prompt", "the prompt")
		}
		ev.Prompt = &trammel.Prompt{Text: f.String("prompt"), Command: f.String("command_name")}
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

func (r *Reader) tool(f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{ID: f.String("tool_use_id"), Name: f.String("tool_name"), Input: f.Object("tool_input")}
	ev.Tool, ev.Tools = t, r.Tools()
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
		t.Output = OutputText(t.Response)
		t.Duration = time.Duration(f.Float("duration_ms") * float64(time.Millisecond))
	}
}

// OutputText is what a tool said, as text: a plain string, what the host gives
// to the model (llmContent), and of anything else its JSON.
func OutputText(response any) string {
	switch r := response.(type) {
	case nil:
		return ""
	case string:
		return r
	case map[string]any:
		if content, ok := r["llmContent"]; ok {
			return contentText(content)
		}
	}
	text, err := canonical.Append(nil, response)
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
