package proxy

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/mcp/frame"
)

// called judges the response to a call and returns what the client gets.
func (s *Session) called(ctx context.Context, m *frame.Message, e *exchange) []byte {
	if m.Error != nil {
		ev := s.after(e, m, errorText(m.Error), true)
		if v := s.Judge.Judge(ctx, ev); v.Decision == trammel.Deny {
			return e.deny(v.Reason)
		}
		return s.errorOf(m)
	}
	now := s.judgeResult(ctx, m, e, m.Result)
	raw, err := m.With("result", now)
	if err != nil {
		return e.deny("Trammel could not rewrite the result: " + err.Error())
	}
	return raw
}

func errorText(e map[string]any) string {
	text, _ := e["message"].(string)
	return text
}

// judgeResult judges a result and returns what may be seen of it.
func (s *Session) judgeResult(ctx context.Context, m *frame.Message, e *exchange, result map[string]any) map[string]any {
	later := false
	if asks, ok := result["inputRequests"].(map[string]any); ok {
		if result, later = s.judgeAsks(ctx, e, result, asks), true; result["inputRequests"] == nil {
			return result // denied
		}
	}
	if id := taskOf(result); id != "" {
		s.remember(id, e)
		later = true
	}
	if later && !says(result) {
		return s.safe(result)
	}
	failed, _ := result["isError"].(bool)
	output := outputOf(result)
	v := s.Judge.Judge(ctx, s.after(e, m, output, failed))
	now := result
	switch {
	case v.Decision == trammel.Deny || v.Canceled:
		if e.method == "tools/call" {
			return denied(reasonOf(v), e.modern)
		}
		return replaced(e.method, result, reasonOf(v))
	case v.Output != nil:
		now = s.withOutput(e, result, output, *v.Output)
	case failed && s.Judge.Redacts():
		now = redactedResult(result)
	}
	if why := s.breaksSchema(e, result, now); why != "" {
		return denied(why, e.modern)
	}
	return tell(e, now, v.Context)
}

// says reports whether a result has content that clients show, whatever its
// type is.
func says(result map[string]any) bool {
	for _, key := range []string{"content", "contents", "messages", "structuredContent", "toolResult"} {
		if result[key] != nil {
			return true
		}
	}
	return false
}

// safe is a result that is not judged as output, without its secrets if those
// are redacted.
func (s *Session) safe(result map[string]any) map[string]any {
	if !s.Judge.Redacts() {
		return result
	}
	return redactedResult(result)
}

// after is the event of a call that has been made.
func (s *Session) after(e *exchange, m *frame.Message, output string, failed bool) *trammel.Event {
	kind := trammel.PostToolUse
	if failed {
		kind = trammel.PostToolFailure
	}
	ev := s.event(kind, e.method, m)
	if e.event == nil {
		return ev
	}
	if e.event.Tool != nil {
		tool := *e.event.Tool
		ev.Tool, ev.Tools = &tool, e.event.Tools
	} else { // a prompt
		name, _ := e.params["name"].(string)
		arguments, _ := e.params["arguments"].(map[string]any)
		ev.Tool = &trammel.ToolCall{ID: e.id, Name: s.toolName(e.method), Input: map[string]any{"name": name, "arguments": arguments}}
		ev.Tools = s.shapes(e.method)
	}
	ev.Session, ev.Seen = e.event.Session, e.event.Seen
	ev.Exchange.Pin, ev.Exchange.Trace, ev.Exchange.Task = e.event.Exchange.Pin, e.event.Exchange.Trace, e.task
	for key, value := range e.event.Fields {
		ev.Fields[key] = value
	}
	if e.task != "" {
		ev.Fields["mcp_task"] = e.task
	}
	ev.Tool.Done, ev.Tool.Output, ev.Tool.Failed, ev.Tool.Duration = true, output, failed, time.Since(e.began)
	if failed {
		ev.Tool.Error = output
	}
	return ev
}

// untouched are fields that nobody reads as text: types, ids, values that must
// be returned unchanged, and bytes.
var untouched = []string{"type", "role", "mimeType", "_meta", "resultType", "requestState", "nextCursor", "taskId", "blob",
	"ttlMs", "cacheScope", "structuredContent", "inputRequests"}

// mapTexts applies f to the texts of a result, in order, and returns the
// changed result. data is a text unless the type of the block means bytes.
func mapTexts(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = mapTexts(e, f)
		}
		return out
	case map[string]any:
		out := maps.Clone(v)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			bytes := key == "data" && (v["type"] == "image" || v["type"] == "audio")
			if !bytes && !slices.Contains(untouched, key) {
				out[key] = mapTexts(v[key], f)
			}
		}
		return out
	}
	return v
}

// outputOf is all the text of a result.
func outputOf(result map[string]any) string {
	var texts []string
	mapTexts(result, func(s string) string {
		texts = append(texts, s)
		return s
	})
	if structured := result["structuredContent"]; structured != nil {
		if text, err := canonical.Append(nil, structured); err == nil {
			texts = append(texts, string(text))
		}
	}
	return strings.Join(texts, "\n")
}

// redactedResult is a result without the secrets in it (MCP-56).
func redactedResult(result map[string]any) map[string]any {
	sieve := secret.Sieve{}
	out := mapTexts(result, func(text string) string {
		safe, _ := sieve.Text(text)
		return safe
	}).(map[string]any)
	if structured := result["structuredContent"]; structured != nil {
		out["structuredContent"], _ = sieve.Value(structured)
	}
	return out
}

// withOutput is a result with the text now instead of was. Secrets are redacted
// in place; any other rewrite replaces the whole content.
func (s *Session) withOutput(e *exchange, result map[string]any, was, now string) map[string]any {
	if safe, _ := secret.Redact(was); safe == now {
		return redactedResult(result)
	}
	if outputOf(result) == now {
		return result
	}
	texts := 0
	out := mapTexts(result, func(string) string { texts++; return now }).(map[string]any)
	if texts == 1 && result["structuredContent"] == nil {
		return out
	}
	return replaced(e.method, result, now)
}

// replaced is a result with only this text.
func replaced(method string, result map[string]any, now string) map[string]any {
	out := maps.Clone(result)
	switch method {
	case "resources/read":
		uri := ""
		if list, _ := result["contents"].([]any); len(list) > 0 {
			first, _ := list[0].(map[string]any)
			uri, _ = first["uri"].(string)
		}
		out["contents"] = []any{map[string]any{"uri": uri, "mimeType": "text/plain", "text": now}}
	case "prompts/get":
		out["messages"] = []any{map[string]any{"role": "user", "content": text(now)}}
		delete(out, "description")
	default:
		out["content"] = []any{text(now)}
		delete(out, "structuredContent")
	}
	return out
}

// tell adds the hooks' context for the model to the result of a tool.
func tell(e *exchange, result map[string]any, more []string) map[string]any {
	all := slices.Concat(e.contexts, more)
	list, ok := result["content"].([]any)
	if len(all) == 0 || !ok || e.method != "tools/call" {
		return result
	}
	out := maps.Clone(result)
	list = slices.Clone(list)
	for _, t := range all {
		list = append(list, text(t))
	}
	out["content"] = list
	return out
}
