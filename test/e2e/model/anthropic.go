package model

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The Anthropic Messages API, as far as agents use it.

const (
	anthropicVersion = "2023-06-01"
	anthropicIDs     = "toolu_"
	// maxBreakpoints is how many blocks of a request may carry cache_control.
	maxBreakpoints = 4
)

func mountAnthropic(mux *http.ServeMux, s *Server) {
	mux.HandleFunc("POST /v1/messages", s.serve(protocol{anthropicIDs, refuseAnthropic, func(r *http.Request) (Request, reply, error) {
		body, err := readAnthropic(r)
		if err != nil {
			return Request{}, nil, err
		}
		send := sendAnthropic
		if body.Stream {
			send = streamAnthropic
		}
		req, err := body.request(r.URL.Path)
		return req, send, err
	}}))
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, r *http.Request) {
		if _, err := readAnthropic(r); err != nil {
			refuseAnthropic(w, s.violate("POST %s: %w", r.URL.Path, err))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"input_tokens":100}`)
	})
}

// anthropicBody is the body of a request. Members that do not matter here are
// not read, but have to be well-formed JSON without duplicate names.
type anthropicBody struct {
	Model     string           `json:"model"`
	MaxTokens int              `json:"max_tokens"`
	System    anthropicContent `json:"system"`
	Messages  []struct {
		Role    string           `json:"role"`
		Content anthropicContent `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name        string         `json:"name"`
		Type        string         `json:"type"`
		InputSchema map[string]any `json:"input_schema"`
	} `json:"tools"`
	Stream bool `json:"stream"`
}

type anthropicBlock struct {
	Type         string           `json:"type"`
	Text         string           `json:"text"`
	ID           string           `json:"id"`
	Name         string           `json:"name"`
	Input        map[string]any   `json:"input"`
	ToolUseID    string           `json:"tool_use_id"`
	Content      anthropicContent `json:"content"`
	IsError      bool             `json:"is_error"`
	CacheControl map[string]any   `json:"cache_control"`
}

// anthropicContent is a list of blocks, or a string that stands for one.
type anthropicContent []anthropicBlock

func (c *anthropicContent) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '"':
		var text string
		if err := json.UnmarshalDecode(dec, &text); err != nil {
			return err
		}
		*c = anthropicContent{{Type: "text", Text: text}}
		return nil
	default:
		return json.UnmarshalDecode(dec, (*[]anthropicBlock)(c))
	}
}

// text is all text in the content.
func (c anthropicContent) text() string {
	var texts []string
	for _, b := range c {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// readAnthropic reads a request, and checks what concerns no message.
func readAnthropic(r *http.Request) (*anthropicBody, error) {
	body := new(anthropicBody)
	headers := map[string]string{"X-Api-Key": Key, "Anthropic-Version": anthropicVersion, "Content-Type": "application/json"}
	if err := readJSON(r, headers, body); err != nil {
		return nil, err
	}
	switch {
	case body.Model == "":
		return nil, errors.New("no model")
	case len(body.Messages) == 0:
		return nil, errors.New("no messages")
	}
	return body, nil
}

// request checks the rest, and puts it into our own words.
func (b *anthropicBody) request(path string) (Request, error) {
	r := Request{Path: path, Model: b.Model, System: b.System.text()}
	if b.MaxTokens < 1 {
		return r, fmt.Errorf("max_tokens is %d", b.MaxTokens)
	}
	seen := map[string]bool{}
	for _, t := range b.Tools {
		switch {
		case t.Name == "":
			return r, errors.New("a tool has no name")
		case seen[t.Name]:
			return r, fmt.Errorf("two tools are named %q", t.Name)
		case t.InputSchema == nil && (t.Type == "" || t.Type == "custom"):
			return r, fmt.Errorf("tool %q has no input_schema", t.Name)
		}
		seen[t.Name] = true
		r.Tools = append(r.Tools, t.Name)
	}
	breakpoints := b.System.breakpoints()
	called := map[string]string{} // tool by id of the call
	for i, m := range b.Messages {
		if want := [...]string{"user", "assistant"}[i%2]; m.Role != want {
			return r, fmt.Errorf("message %d has the role %q, expected %q", i, m.Role, want)
		}
		msg, err := m.Content.message(m.Role, called)
		if err != nil {
			return r, fmt.Errorf("message %d (%s): %w", i, m.Role, err)
		}
		r.Messages = append(r.Messages, msg)
		breakpoints += m.Content.breakpoints()
	}
	if r.Last().Role != "user" {
		return r, errors.New("the last message is not the user's")
	}
	if breakpoints > maxBreakpoints {
		return r, fmt.Errorf("%d blocks have cache_control, at most %d may", breakpoints, maxBreakpoints)
	}
	return r, nil
}

func (c anthropicContent) breakpoints() int {
	n := 0
	for _, b := range c {
		if b.CacheControl != nil {
			n++
		}
	}
	return n
}

// message checks one message. It adds its calls to called.
func (c anthropicContent) message(role string, called map[string]string) (Message, error) {
	m := Message{Role: role, Text: c.text()}
	if len(c) == 0 {
		return m, errors.New("no content")
	}
	for i, b := range c {
		switch {
		case b.Type == "text" && b.Text != "":
		case b.Type == "tool_use" && role == "assistant":
			if b.ID == "" || b.Name == "" || b.Input == nil {
				return m, fmt.Errorf("block %d: a tool_use needs id, name and input", i)
			}
			called[b.ID] = b.Name
			m.Calls = append(m.Calls, Call{ID: b.ID, Name: b.Name, Input: b.Input})
		case b.Type == "tool_result" && role == "user":
			if i != len(m.Results) {
				return m, fmt.Errorf("block %d: a tool_result after other content", i)
			}
			name, ok := called[b.ToolUseID]
			if !ok {
				return m, fmt.Errorf("block %d: a result for the unknown call %q", i, b.ToolUseID)
			}
			m.Results = append(m.Results, Result{ID: b.ToolUseID, Name: name, Text: b.Content.text(), IsError: b.IsError})
		case b.Type == "text":
			return m, fmt.Errorf("block %d: an empty text", i)
		default:
			return m, fmt.Errorf("block %d: unexpected type %q", i, b.Type)
		}
	}
	return m, nil
}

func refuseAnthropic(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	json.MarshalWrite(w, map[string]any{
		"type":  "error",
		"error": map[string]any{"type": "invalid_request_error", "message": err.Error()},
	})
}
