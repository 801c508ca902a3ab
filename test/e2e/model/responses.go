package model

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The OpenAI Responses API, as far as agents use it.

func mountResponses(mux *http.ServeMux, s *Server) {
	mux.HandleFunc("POST /v1/responses", s.serve(protocol{openAIIDs, refuseOpenAI, readResponses}))
}

// responsesBody is the body of a request. Members that do not matter here are
// not read, but have to be well-formed JSON without duplicate names.
type responsesBody struct {
	Model        string          `json:"model"`
	Instructions string          `json:"instructions"`
	Input        []responsesItem `json:"input"`
	Tools        []struct {
		Type       string         `json:"type"`
		Name       string         `json:"name"`
		Parameters map[string]any `json:"parameters"`
		Format     map[string]any `json:"format"`
		Tools      []struct {
			Name string `json:"name"`
		} `json:"tools"`
	} `json:"tools"`
	Stream bool `json:"stream"`
}

type responsesItem struct {
	Type      string     `json:"type"`
	Role      string     `json:"role"`
	Content   openAIText `json:"content"`
	CallID    string     `json:"call_id"`
	Namespace string     `json:"namespace"`
	Name      string     `json:"name"`
	Arguments string     `json:"arguments"`
	Input     string     `json:"input"`
	Output    openAIText `json:"output"`
}

// openAIText is a string, or a list of parts that have a text.
type openAIText string

func (t *openAIText) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '"':
		return json.UnmarshalDecode(dec, (*string)(t))
	case 'n':
		return dec.SkipValue()
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.UnmarshalDecode(dec, &parts); err != nil {
		return err
	}
	var texts []string
	for _, p := range parts {
		switch p.Type {
		case "text", "input_text", "output_text":
			texts = append(texts, p.Text)
		default:
			return fmt.Errorf("content of the unexpected type %q", p.Type)
		}
	}
	*t = openAIText(strings.Join(texts, "\n"))
	return nil
}

func readResponses(r *http.Request) (Request, reply, error) {
	var body responsesBody
	if err := readJSON(r, openAIHeaders, &body); err != nil {
		return Request{}, nil, err
	}
	req, err := body.request(r.URL.Path)
	return req, streamResponses, err
}

// request checks a body, and puts it into our own words.
func (body *responsesBody) request(path string) (Request, error) {
	req := Request{Path: path, Model: body.Model, System: body.Instructions}
	switch {
	case body.Model == "":
		return req, errors.New("no model")
	case len(body.Input) == 0:
		return req, errors.New("no input")
	case !body.Stream:
		return req, errors.New("not streaming")
	}
	seen := map[string]bool{}
	for _, t := range body.Tools {
		for _, member := range t.Tools { // of a namespace
			req.Tools = append(req.Tools, t.Name+"/"+member.Name)
		}
		switch {
		case t.Type != "function" && t.Type != "custom":
			continue // one of the provider's own
		case t.Name == "":
			return req, errors.New("a tool has no name")
		case seen[t.Name]:
			return req, fmt.Errorf("two tools are named %q", t.Name)
		case t.Type == "function" && t.Parameters == nil, t.Type == "custom" && t.Format == nil:
			return req, fmt.Errorf("tool %q has no schema", t.Name)
		}
		seen[t.Name] = true
		req.Tools = append(req.Tools, t.Name)
	}
	var c conversation
	for i, item := range body.Input {
		if err := c.responses(item); err != nil {
			return req, fmt.Errorf("item %d (%s): %w", i, item.Type, err)
		}
	}
	req.Messages = c.messages
	if req.Last().Role != "user" {
		return req, errors.New("the last item is the model's")
	}
	return req, nil
}

// responses adds one item.
func (c *conversation) responses(item responsesItem) error {
	switch item.Type {
	case "message":
		switch item.Role {
		case "user", "developer":
			c.say("user", string(item.Content))
		case "assistant":
			c.say("assistant", string(item.Content))
		default:
			return fmt.Errorf("role %q", item.Role)
		}
		return nil
	case "function_call":
		var input map[string]any
		if err := json.Unmarshal([]byte(item.Arguments), &input); err != nil {
			return fmt.Errorf("arguments of %s: %w", item.Name, err)
		}
		name := item.Name
		if item.Namespace != "" {
			name = item.Namespace + "/" + name
		}
		return c.call(item.CallID, name, input)
	case "custom_tool_call":
		return c.call(item.CallID, item.Name, map[string]any{Freeform: item.Input})
	case "function_call_output", "custom_tool_call_output":
		return c.result(Result{ID: item.CallID, Text: string(item.Output), Unmarked: true})
	}
	return errors.New("unexpected type")
}

// streamResponses sends a turn as server-sent events.
func streamResponses(w http.ResponseWriter, model string, t Turn) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	n := 0
	send := func(kind string, data object) {
		data["type"], data["sequence_number"] = kind, n
		n++
		raw, err := json.Marshal(data)
		if err != nil {
			panic(err) // a script that is not JSON
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, raw)
	}
	response := object{"id": "resp_scripted", "object": "response", "model": model, "status": "in_progress", "output": []any{}}
	send("response.created", object{"response": response})
	var output []object
	if t.Text != "" {
		item := object{"type": "message", "id": "msg_scripted", "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": t.Text, "annotations": []any{}}}}
		send("response.output_item.added", object{"output_index": 0, "item": object{"type": "message", "id": "msg_scripted",
			"role": "assistant", "status": "in_progress", "content": []any{}}})
		send("response.output_text.delta", object{"output_index": 0, "content_index": 0, "item_id": "msg_scripted", "delta": t.Text})
		send("response.output_item.done", object{"output_index": 0, "item": item})
		output = append(output, item)
	}
	for _, call := range t.Calls {
		item := object{"id": "item_" + call.ID, "call_id": call.ID, "name": call.Name, "status": "completed"}
		if namespace, name, ok := strings.Cut(call.Name, "/"); ok {
			item["namespace"], item["name"] = namespace, name
		}
		if text, ok := call.Input[Freeform]; ok {
			item["type"], item["input"] = "custom_tool_call", text
		} else {
			item["type"], item["arguments"] = "function_call", strings.Join(pieces(call.Input), "")
		}
		send("response.output_item.done", object{"output_index": len(output), "item": item})
		output = append(output, item)
	}
	done := object{"id": "resp_scripted", "object": "response", "model": model, "status": "completed", "output": output,
		"usage": object{"input_tokens": 10, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 5, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 15}}
	send("response.completed", object{"response": done})
}
