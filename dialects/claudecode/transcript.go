package claudecode

import (
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dialects"
)

var transcripts = dialects.Transcripts{Below: "projects", Line: transcriptLine, Mine: func(rel string) bool {
	// <project>/<session>.jsonl; what lies deeper belongs to sub-agents
	return strings.HasSuffix(rel, ".jsonl") && strings.Count(rel, "/") == 1
}}

// transcriptLine reads a line of a transcript: one per message, calls in the
// content of the assistant's.
func transcriptLine(line map[string]any) (dialects.Line, bool) {
	text := func(m map[string]any, key string) string { s, _ := m[key].(string); return s }
	out := dialects.Line{Session: text(line, "sessionId"), Dir: text(line, "cwd"), Version: text(line, "version")}
	message, _ := line["message"].(map[string]any)
	parts, _ := message["content"].([]any)
	if line["type"] != "assistant" {
		return out, true
	}
	at, _ := time.Parse(time.RFC3339Nano, text(line, "timestamp"))
	for _, p := range parts {
		part, ok := p.(map[string]any)
		if !ok {
			return out, false
		}
		if part["type"] == "tool_use" {
			out.Calls = append(out.Calls, dialects.ToolUse{ID: text(part, "id"), Tool: text(part, "name"), Time: at})
		}
	}
	return out, true
}
