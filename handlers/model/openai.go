package model

import (
	"net/http"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// openai is the API of OpenAI's chat completions and the many compatible servers.
type openai struct{}

func (openai) authorize(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

func (openai) headers(http.Header) {}

func (openai) request(c *Config, q question) ([]byte, error) {
	var w strict.Writer
	w.Open()
	w.Text("model", c.Model)
	w.Key("messages")
	w.OpenList()
	for _, m := range [...][2]string{{"system", q.system}, {"user", q.prompt}} {
		w.Open()
		w.Text("role", m[0])
		w.Text("content", m[1])
		w.Close()
	}
	w.CloseList()
	w.Number(openaiLimit(c.host()), c.MaxTokens)
	if c.Temperature != nil {
		w.Any("temperature", *c.Temperature)
	}
	if c.shape != nil && c.Structured {
		w.Key("response_format")
		w.Value(map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": c.shape.Name, "strict": true,
			"schema": c.shape.Schema}})
	}
	w.Close()
	return w.Bytes(), w.Err()
}

// openaiLimit is the field for the token limit. OpenAI's own models need the
// newer name; compatible servers often know only the older one.
func openaiLimit(host string) string {
	if host == "api.openai.com" || strings.HasSuffix(host, ".openai.azure.com") {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

func (openai) response(_ *Config, body []byte) (reply, usage, error) {
	top, err := strict.Object(body, strict.Limits{})
	used := usageIn(top, []string{"prompt_tokens"}, "completion_tokens")
	choices, _ := top["choices"].([]any)
	switch {
	case err != nil:
		return reply{}, used, unreadable(err)
	case len(choices) != 1:
		return reply{}, used, trammel.Fail(trammel.CodeMalformed, "the model's endpoint answered with %d choices, expected one", len(choices))
	}
	choice, _ := choices[0].(map[string]any)
	message, _ := choice["message"].(map[string]any)
	if refusal, ok := message["refusal"].(string); ok && refusal != "" {
		return reply{}, used, refused(refusal)
	}
	switch reason, _ := choice["finish_reason"].(string); reason {
	case "stop", "": // some servers leave it out
	case "length":
		return reply{}, used, cutOff()
	default:
		return reply{}, used, refused("it ended with " + reason)
	}
	text, ok := message["content"].(string)
	if !ok {
		return reply{}, used, trammel.Fail(trammel.CodeMalformed, "the model's reply holds no text")
	}
	return reply{text: text}, used, nil
}
