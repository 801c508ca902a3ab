package claudecode

import (
	"maps"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// outputText is a tool's output as text: what a shell printed, the contents of
// a file, a plain string, and anything else as JSON.
func outputText(response any) string {
	if r, ok := response.(map[string]any); ok {
		if stdout, ok := r["stdout"].(string); ok {
			stderr, _ := r["stderr"].(string)
			if stdout != "" && stderr != "" {
				stdout += "\n"
			}
			return stdout + stderr
		}
		if file, ok := r["file"].(map[string]any); ok {
			if content, ok := file["content"].(string); ok {
				return content
			}
		}
	}
	return decode.Text(response)
}

// reshape replaces the text in a tool's response and keeps its shape; the host
// ignores any other. Nil means that the shape is unknown.
func reshape(t *trammel.ToolCall, text string) any {
	if t == nil {
		return nil
	}
	switch r := t.Response.(type) {
	case string:
		return text
	case map[string]any:
		if _, ok := r["stdout"].(string); ok {
			return with(r, map[string]any{"stdout": text, "stderr": ""})
		}
		if file, ok := r["file"].(map[string]any); ok {
			if _, ok := file["content"].(string); ok {
				return with(r, map[string]any{"file": with(file, map[string]any{"content": text})})
			}
		}
	}
	return nil
}

func with(m, changes map[string]any) map[string]any {
	out := maps.Clone(m)
	maps.Copy(out, changes)
	return out
}
