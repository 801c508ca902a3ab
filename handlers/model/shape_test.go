package model

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// risk is a shape of an embedder's own: a number that comes to a decision.
var risk = Shape{
	Name: "risk",
	Schema: map[string]any{"type": "object", "additionalProperties": false, "required": []any{"risk"},
		"properties": map[string]any{"risk": map[string]any{"type": "integer"}}},
	Answer: func(reply map[string]any) (trammel.Answer, error) {
		n, ok := reply["risk"].(int64)
		switch {
		case !ok:
			return trammel.Answer{}, errors.New("risk is no number")
		case n > 7:
			return trammel.Denial("too risky"), nil
		}
		return trammel.Answer{Facts: map[string]any{"risk": n}}, nil
	},
}

// DA-10, DA-12: a shape that an embedder registers is asked for by its schema at
// both endpoints, its replies come to what the embedder says, and one that is
// none is a failure, which blocks.
func TestShapes(t *testing.T) {
	for name, c := range map[string]struct {
		says string
		want trammel.Decision
		code trammel.Code
	}{
		"low":          {`{"risk":3}`, trammel.None, ""},
		"high":         {"```json\n{\"risk\":9}\n```", trammel.Deny, ""},
		"not a number": {`{"risk":"low"}`, trammel.Deny, trammel.CodeMalformed},
		"missing":      {`{"decision":"allow"}`, trammel.Deny, trammel.CodeMalformed},
		"two":          {`{"risk":1} or {"risk":9}`, trammel.Deny, trammel.CodeMalformed},
		"words":        {"It is fine.", trammel.Deny, trammel.CodeMalformed},
		"nothing":      {"", trammel.Deny, trammel.CodeMalformed},
	} {
		for endpoint, says := range map[string]func(string) string{"openai": openaiSays, "anthropic": anthropicSays} {
			var asked string
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				asked = string(body)
				io.WriteString(w, says(c.says))
			}))
			config, err := canonical.Append(nil, map[string]any{"endpoint": endpoint, "url": s.URL, "model": "m", "prompt": "How risky is it?",
				"schema": "risk", "cache": "1h"})
			if err != nil {
				t.Fatal(err)
			}
			h, err := With(risk)(trammel.Spec{Hook: "judge", Kind: "model", Config: config})
			if err != nil {
				t.Fatal(err)
			}
			v := dispatch(t, event("ls"), h)
			if v.Decision != c.want || v.Runs[0].Code != c.code {
				t.Errorf("%s, %s: %v %q: %s", endpoint, name, v.Decision, v.Runs[0].Code, v.Runs[0].Detail)
			}
			if !strings.Contains(asked, `"name":"risk"`) || !strings.Contains(asked, "by this schema") || strings.Contains(asked, decisionSchema) {
				t.Errorf("%s: asked %s", endpoint, asked)
			}
			s.Close()
		}
	}
	config := []byte(`{"model":"m","prompt":"p","schema":"risk"}`)
	if _, err := New(trammel.Spec{Hook: "judge", Kind: "model", Config: config}); err == nil ||
		!strings.Contains(err.Error(), "pre_tool_use_decision, context") {
		t.Errorf("an unregistered shape: %v", err)
	}
}
