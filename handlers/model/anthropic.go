package model

import (
	"net/http"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// anthropic is the API of Anthropic's messages and compatible servers. A
// decision is requested as a tool call, whose arguments have a schema.
type anthropic struct{}

func (anthropic) authorize(h http.Header, key string) { h.Set("X-Api-Key", key) }

func (anthropic) headers(h http.Header) { h.Set("Anthropic-Version", "2023-06-01") }

func (anthropic) request(c *Config, q question) ([]byte, error) {
	var w strict.Writer
	w.Open()
	w.Text("model", c.Model)
	w.Number("max_tokens", c.MaxTokens)
	w.Text("system", q.system)
	w.Any("messages", []any{map[string]any{"role": "user", "content": q.prompt}})
	if c.Temperature != nil {
		w.Any("temperature", *c.Temperature)
	}
	if c.shape != nil && c.Structured {
		w.Key("tools")
		w.Value([]any{map[string]any{"name": c.shape.Name, "description": "Say what should happen.", "input_schema": c.shape.Schema}})
		w.Any("tool_choice", map[string]any{"type": "tool", "name": c.shape.Name})
	}
	w.Close()
	return w.Bytes(), w.Err()
}

func (anthropic) response(c *Config, body []byte) (reply, usage, error) {
	top, err := strict.Object(body, strict.Limits{})
	used := usageIn(top, []string{"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"}, "output_tokens")
	if err != nil {
		return reply{}, used, unreadable(err)
	}
	switch reason, _ := top["stop_reason"].(string); reason {
	case "end_turn", "tool_use", "stop_sequence", "":
	case "max_tokens", "model_context_window_exceeded":
		return reply{}, used, cutOff()
	default:
		return reply{}, used, refused("it ended with " + reason)
	}
	var out reply
	var text []string
	blocks, _ := top["content"].([]any)
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		switch block["type"] {
		case "text":
			said, _ := block["text"].(string)
			text = append(text, said)
		case "tool_use":
			input, ok := block["input"].(map[string]any)
			if !ok || c.shape == nil || block["name"] != c.shape.Name {
				return reply{}, used, trammel.Fail(trammel.CodeMalformed, "the model called a tool that it was not given")
			}
			out.objects = append(out.objects, input)
		}
	}
	out.text = strings.Join(text, "\n")
	return out, used, nil
}
