package model

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The Gemini API, as far as agents use it.

const geminiIDs = "fc_"

func mountGemini(mux *http.ServeMux, s *Server) {
	mux.HandleFunc("POST /v1beta/models/{call}", s.serve(protocol{geminiIDs, refuseGemini, func(r *http.Request) (Request, reply, error) {
		model, method, _ := strings.Cut(r.PathValue("call"), ":")
		send, known := map[string]reply{"streamGenerateContent": streamGemini, "generateContent": sendGemini}[method]
		req, err := readGemini(r)
		if err == nil && !known {
			err = errors.New("no such method")
		}
		req.Model = model
		return req, send, err
	}}))
}

// geminiBody is the body of a request. Members that do not matter here are
// not read, but have to be well-formed JSON without duplicate names.
type geminiBody struct {
	Contents          []geminiContent `json:"contents"`
	SystemInstruction geminiContent   `json:"systemInstruction"`
	Tools             []struct {
		FunctionDeclarations []struct {
			Name string `json:"name"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
}

type geminiContent struct {
	Role  string       `json:"role"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text         string `json:"text"`
	FunctionCall *struct {
		ID   string         `json:"id"`
		Name string         `json:"name"`
		Args map[string]any `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string                    `json:"id"`
		Name     string                    `json:"name"`
		Response map[string]jsontext.Value `json:"response"`
	} `json:"functionResponse"`
}

func readGemini(r *http.Request) (Request, error) {
	req := Request{Path: r.URL.Path}
	var body geminiBody
	if err := readJSON(r, map[string]string{"X-Goog-Api-Key": Key, "Content-Type": "application/json"}, &body); err != nil {
		return req, err
	}
	if len(body.Contents) == 0 {
		return req, errors.New("no contents")
	}
	for _, p := range body.SystemInstruction.Parts {
		req.System += p.Text
	}
	seen := map[string]bool{}
	for _, t := range body.Tools {
		for _, f := range t.FunctionDeclarations {
			if f.Name == "" || seen[f.Name] {
				return req, fmt.Errorf("two tools are named %q, or it has no name", f.Name)
			}
			seen[f.Name] = true
			req.Tools = append(req.Tools, f.Name)
		}
	}
	var c conversation
	for i, content := range body.Contents {
		if err := c.gemini(content); err != nil {
			return req, fmt.Errorf("content %d (%s): %w", i, content.Role, err)
		}
	}
	req.Messages = c.messages
	if req.Last().Role != "user" {
		return req, errors.New("the last content is the model's")
	}
	return req, nil
}

// gemini adds one content.
func (c *conversation) gemini(content geminiContent) error {
	role, ok := map[string]string{"user": "user", "model": "assistant"}[content.Role]
	switch {
	case !ok:
		return errors.New("unexpected role")
	case len(content.Parts) == 0:
		return errors.New("no parts")
	}
	for i, p := range content.Parts {
		switch {
		case p.FunctionCall != nil && role == "assistant":
			if err := c.call(p.FunctionCall.ID, p.FunctionCall.Name, p.FunctionCall.Args); err != nil {
				return fmt.Errorf("part %d: %w", i, err)
			}
		case p.FunctionResponse != nil && role == "user":
			f := p.FunctionResponse
			if err := c.result(geminiResult(f.ID, f.Response)); err != nil {
				return fmt.Errorf("part %d: %w", i, err)
			}
		case p.FunctionCall == nil && p.FunctionResponse == nil:
			c.say(role, p.Text)
		default:
			return fmt.Errorf("part %d is not for this role", i)
		}
	}
	return nil
}

// geminiResult is a result: what went wrong is its member error, else its
// output counts.
func geminiResult(id string, response map[string]jsontext.Value) Result {
	r := Result{ID: id}
	raw, failed := response["error"]
	if !failed {
		raw = response["output"]
	}
	r.IsError = failed
	if json.Unmarshal(raw, &r.Text) != nil {
		r.Text = string(raw)
	}
	return r
}

// streamGemini sends a turn as server-sent events.
func streamGemini(w http.ResponseWriter, model string, t Turn) {
	w.Header().Set("Content-Type", "text/event-stream")
	raw, err := json.Marshal(geminiReply(model, t))
	if err != nil {
		panic(err) // a script that is not JSON
	}
	fmt.Fprintf(w, "data: %s\n\n", raw)
}

// sendGemini sends a turn in one piece.
func sendGemini(w http.ResponseWriter, model string, t Turn) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.MarshalWrite(w, geminiReply(model, t)); err != nil {
		panic(err)
	}
}

func geminiReply(model string, t Turn) object {
	parts := []object{}
	if t.Text != "" {
		parts = append(parts, object{"text": t.Text})
	}
	for _, c := range t.Calls {
		parts = append(parts, object{"functionCall": object{"id": c.ID, "name": c.Name, "args": c.Input}})
	}
	return object{
		"modelVersion": model, "responseId": "scripted",
		"candidates":    []object{{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": parts}}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
	}
}

func refuseGemini(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	json.MarshalWrite(w, object{"error": object{"code": 400, "status": "INVALID_ARGUMENT", "message": err.Error()}})
}
