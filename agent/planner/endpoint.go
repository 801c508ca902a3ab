package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/post"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/version"
)

// Endpoint is a model behind an HTTP endpoint that speaks as OpenAI's chat
// completions or as Anthropic's messages do.
type Endpoint struct {
	API       string // openai, anthropic
	URL       string // the base that the endpoint's own libraries take; "" is the maker's own
	Model     string
	KeyEnv    string // the variable that holds the key; "" is none
	MaxTokens int64  // of one reply
}

// maxReply bounds a response.
const maxReply = 8 << 20

// Next asks the endpoint.
func (e *Endpoint) Next(ctx context.Context, messages []Message, tools []Tool) (Reply, error) {
	url, body, read, err := e.request(messages, tools)
	if err != nil {
		return Reply{}, err
	}
	if at, err := post.Parse(url); err != nil {
		return Reply{}, err
	} else if at.Exposed() {
		return Reply{}, trammel.Fail(trammel.CodeConfig, "the conversation would be sent unencrypted to %s", at)
	}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {"trammel/" + version.Version}}
	if e.KeyEnv != "" {
		key := os.Getenv(e.KeyEnv)
		if key == "" {
			return Reply{}, trammel.Fail(trammel.CodeConfig, "the variable %s, which holds the key of the endpoint, is not set", e.KeyEnv)
		}
		if e.API == "anthropic" {
			header.Set("X-Api-Key", key)
		} else {
			header.Set("Authorization", "Bearer "+key)
		}
	}
	if e.API == "anthropic" {
		header.Set("Anthropic-Version", "2023-06-01")
	}
	client := post.Client{MaxResponse: maxReply, Retries: 2, RetryErrors: true}
	resp, err := client.Post(ctx, url, header, body)
	switch {
	case err != nil:
		return Reply{}, err
	case resp.Status != http.StatusOK:
		return Reply{}, trammel.Fail(trammel.CodeError, "the endpoint answered with status %d: %.300s", resp.Status,
			secret.Clean(string(resp.Body)))
	}
	return read(resp.Body)
}

func (e *Endpoint) request(messages []Message, tools []Tool) (url string, body []byte, read func([]byte) (Reply, error), err error) {
	base, path, value := e.URL, "/chat/completions", openaiRequest(e, messages, tools)
	read = openaiReply
	if e.API == "anthropic" {
		path, value, read = "/v1/messages", anthropicRequest(e, messages, tools), anthropicReply
	}
	switch {
	case base == "" && e.API == "anthropic":
		base = "https://api.anthropic.com"
	case base == "":
		base = "https://api.openai.com/v1"
	}
	body, err = json.Marshal(value)
	return strings.TrimSuffix(base, "/") + path, body, read, err
}

func openaiRequest(e *Endpoint, messages []Message, tools []Tool) any {
	var said, offered []any
	for _, m := range messages {
		if m.Role == "tool" {
			for _, r := range m.Results {
				said = append(said, map[string]any{"role": "tool", "tool_call_id": r.ID, "content": r.Text})
			}
			continue
		}
		one := map[string]any{"role": m.Role, "content": m.Text}
		var calls []any
		for _, c := range m.Calls {
			arguments, _ := json.Marshal(c.Input) // it was read from JSON
			calls = append(calls, map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Name,
				"arguments": string(arguments)}})
		}
		if calls != nil {
			one["tool_calls"] = calls
		}
		said = append(said, one)
	}
	for _, t := range tools {
		offered = append(offered, map[string]any{"type": "function", "function": map[string]any{"name": t.Name, "description": t.About,
			"parameters": t.Schema}})
	}
	limit := "max_tokens"
	if e.URL == "" { // OpenAI's own models want the newer name
		limit = "max_completion_tokens"
	}
	return map[string]any{"model": e.Model, "messages": said, "tools": offered, limit: e.MaxTokens}
}

func openaiReply(body []byte) (Reply, error) {
	var got struct {
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content   string `json:"content"`
				ToolCalls []struct {
					ID       string `json:"id"`
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
		Usage struct {
			In  int64 `json:"prompt_tokens"`
			Out int64 `json:"completion_tokens"`
		}
	}
	if err := json.Unmarshal(body, &got); err != nil || len(got.Choices) != 1 {
		return Reply{}, trammel.Fail(trammel.CodeMalformed, "the endpoint's response has %d choices, expected one (%v)", len(got.Choices), err)
	}
	choice := got.Choices[0]
	if choice.FinishReason == "length" {
		return Reply{}, trammel.Fail(trammel.CodeMalformed, "the model's reply was cut off")
	}
	r := Reply{Text: choice.Message.Content, Tokens: got.Usage.In + got.Usage.Out}
	for _, c := range choice.Message.ToolCalls {
		call := Call{ID: c.ID, Name: c.Function.Name}
		if err := json.Unmarshal([]byte(c.Function.Arguments), &call.Input); err != nil {
			return Reply{}, trammel.Fail(trammel.CodeMalformed, "the arguments of %s are not a JSON object", call.Name)
		}
		r.Calls = append(r.Calls, call)
	}
	return r, nil
}

func anthropicRequest(e *Endpoint, messages []Message, tools []Tool) any {
	var said, offered []any
	system := ""
	for _, m := range messages {
		var blocks []any
		if m.Text != "" {
			blocks = append(blocks, map[string]any{"type": "text", "text": m.Text})
		}
		for _, c := range m.Calls {
			blocks = append(blocks, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Input})
		}
		for _, r := range m.Results {
			blocks = append(blocks, map[string]any{"type": "tool_result", "tool_use_id": r.ID, "content": r.Text, "is_error": r.Failed})
		}
		switch m.Role {
		case "system":
			system = m.Text
		case "tool":
			said = append(said, map[string]any{"role": "user", "content": blocks})
		default:
			said = append(said, map[string]any{"role": m.Role, "content": blocks})
		}
	}
	for _, t := range tools {
		offered = append(offered, map[string]any{"name": t.Name, "description": t.About, "input_schema": t.Schema})
	}
	return map[string]any{"model": e.Model, "max_tokens": e.MaxTokens, "system": system, "messages": said, "tools": offered}
}

func anthropicReply(body []byte) (Reply, error) {
	var got struct {
		StopReason string `json:"stop_reason"`
		Content    []struct {
			Type, Text, ID, Name string
			Input                map[string]any
		}
		Usage struct {
			In  int64 `json:"input_tokens"`
			Out int64 `json:"output_tokens"`
		}
	}
	if err := json.Unmarshal(body, &got); err != nil || got.StopReason == "max_tokens" {
		return Reply{}, trammel.Fail(trammel.CodeMalformed, "the endpoint's response cannot be used: %s",
			strings.TrimSpace(fmt.Sprintf("%s %v", got.StopReason, err)))
	}
	r := Reply{Tokens: got.Usage.In + got.Usage.Out}
	for _, b := range got.Content {
		switch b.Type {
		case "text":
			r.Text += b.Text
		case "tool_use":
			if b.Input == nil {
				b.Input = map[string]any{}
			}
			r.Calls = append(r.Calls, Call{b.ID, b.Name, b.Input})
		}
	}
	return r, nil
}
