package model

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
)

// The OpenAI Chat Completions API, as far as agents use it.

const openAIIDs = "call_"

var openAIHeaders = map[string]string{
	"Authorization": "Bearer " + Key,
	"Content-Type":  "application/json",
}

func mountChat(mux *http.ServeMux, s *Server) {
	mux.HandleFunc("POST /v1/chat/completions", s.serve(protocol{openAIIDs, refuseOpenAI, readChat}))
}

// chatBody is the body of a request. Members that do not matter here are not
// read, but have to be well-formed JSON without duplicate names.
type chatBody struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	Tools    []struct {
		Type     string `json:"type"`
		Function struct {
			Name       string         `json:"name"`
			Parameters map[string]any `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Stream bool `json:"stream"`
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    openAIText `json:"content"`
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func readChat(r *http.Request) (Request, reply, error) {
	var body chatBody
	if err := readJSON(r, openAIHeaders, &body); err != nil {
		return Request{}, nil, err
	}
	send := sendChat
	if body.Stream {
		send = streamChat
	}
	req, err := body.request(r.URL.Path)
	return req, send, err
}

// request checks a body, and puts it into our own words.
func (b *chatBody) request(path string) (Request, error) {
	r := Request{Path: path, Model: b.Model}
	switch {
	case b.Model == "":
		return r, errors.New("no model")
	case len(b.Messages) == 0:
		return r, errors.New("no messages")
	}
	seen := map[string]bool{}
	for _, t := range b.Tools {
		name := t.Function.Name
		switch {
		case t.Type != "function":
			return r, fmt.Errorf("a tool of the type %q", t.Type)
		case name == "":
			return r, errors.New("a tool has no name")
		case seen[name]:
			return r, fmt.Errorf("two tools are named %q", name)
		}
		seen[name] = true
		r.Tools = append(r.Tools, name)
	}
	var c conversation
	for i, m := range b.Messages {
		if m.Role == "system" || m.Role == "developer" && i == 0 {
			r.System += string(m.Content)
			continue
		}
		if err := c.chat(m); err != nil {
			return r, fmt.Errorf("message %d (%s): %w", i, m.Role, err)
		}
	}
	r.Messages = c.messages
	if r.Last().Role != "user" {
		return r, fmt.Errorf("the last message is not the user's, but says %s", brief(r.Last().Text))
	}
	return r, nil
}

// chat adds one message.
func (c *conversation) chat(m chatMessage) error {
	switch m.Role {
	case "user", "developer":
		if m.Content == "" {
			return errors.New("no content")
		}
		c.say("user", string(m.Content))
	case "tool":
		return c.result(Result{ID: m.ToolCallID, Text: string(m.Content), Unmarked: true})
	case "assistant":
		if m.Content == "" && len(m.ToolCalls) == 0 {
			return errors.New("neither content nor calls")
		}
		c.say("assistant", string(m.Content))
		for _, call := range m.ToolCalls {
			if call.Type != "function" {
				return fmt.Errorf("a call of the type %q", call.Type)
			}
			var input map[string]any
			if err := json.Unmarshal([]byte(call.Function.Arguments), &input); err != nil {
				return fmt.Errorf("arguments of %s: %w", call.Function.Name, err)
			}
			if err := c.call(call.ID, call.Function.Name, input); err != nil {
				return err
			}
		}
	default:
		return errors.New("unexpected role")
	}
	return nil
}

func refuseOpenAI(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	json.MarshalWrite(w, object{"error": object{"type": "invalid_request_error", "message": err.Error(), "param": nil, "code": nil}})
}
