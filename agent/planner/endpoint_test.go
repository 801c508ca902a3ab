//go:build unix

package planner_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/agent/planner"
)

// standIn plays both endpoints. It is as strict as they are: every call of a
// tool must be answered in the next message, and by its id.
func standIn(t *testing.T, bodies *[]string) *httptest.Server {
	call := func(n int) (name, input string) {
		if n == 0 {
			return "create_task", `{"ability":"note.write","input":{"path":"docs/a.md","text":"x"}}`
		}
		last := (*bodies)[len(*bodies)-1]
		_, rest, _ := strings.Cut(last, `\"task_key\":\"`)
		key, _, _ := strings.Cut(rest, `\"`)
		return "run_task", `{"task_key":"` + key + `"}`
	}
	take := func(r *http.Request, key, want string) (int, map[string]any) {
		raw, _ := io.ReadAll(r.Body)
		var body map[string]any
		if err := json.Unmarshal(raw, &body); err != nil || r.Header.Get(key) != want {
			t.Errorf("%v %q", err, r.Header.Get(key))
		}
		*bodies = append(*bodies, string(raw))
		return len(*bodies) - 1, body
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /chat/completions", func(w http.ResponseWriter, r *http.Request) {
		n, body := take(r, "Authorization", "Bearer the-key-of-the-test")
		messages := body["messages"].([]any)
		last := messages[len(messages)-1].(map[string]any)
		if n > 0 && (last["role"] != "tool" || last["tool_call_id"] != fmt.Sprint("c", n-1)) {
			t.Errorf("%v", last)
		}
		w.Header().Set("Content-Type", "application/json")
		if n == 2 {
			io.WriteString(w,
				`{"choices":[{"finish_reason":"stop","message":{"content":"done"}}],"usage":{"prompt_tokens":5,"completion_tokens":2}}`)
			return
		}
		name, input := call(n)
		fmt.Fprintf(w, `{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[{"id":"c%d","type":"function",`+
			`"function":{"name":%q,"arguments":%q}}]}}],"usage":{"prompt_tokens":5,"completion_tokens":2}}`, n, name, input)
	})
	mux.HandleFunc("POST /v1/messages", func(w http.ResponseWriter, r *http.Request) {
		n, body := take(r, "X-Api-Key", "the-key-of-the-test")
		messages := body["messages"].([]any)
		last := messages[len(messages)-1].(map[string]any)
		block := last["content"].([]any)[0].(map[string]any)
		if r.Header.Get("Anthropic-Version") == "" || body["max_tokens"] == nil || last["role"] != "user" ||
			n > 0 && (block["type"] != "tool_result" || block["tool_use_id"] != fmt.Sprint("c", n-1)) {
			t.Errorf("%v", last)
		}
		w.Header().Set("Content-Type", "application/json")
		if n == 2 {
			io.WriteString(w, `{"stop_reason":"end_turn","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":5,"output_tokens":2}}`)
			return
		}
		name, input := call(n)
		fmt.Fprintf(w, `{"stop_reason":"tool_use","content":[{"type":"tool_use","id":"c%d","name":%q,"input":%s}],"usage":{"input_tokens":5,`+
			`"output_tokens":2}}`, n, name, input)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// AIC-50: both kinds of endpoints take a prompt to its end, and the key is in
// nothing that is sent beside the header, nor in anything that is kept.
func TestEndpoints(t *testing.T) {
	t.Setenv("KEY_OF_TEST", "the-key-of-the-test")
	for _, api := range []string{"openai", "anthropic"} {
		t.Run(api, func(t *testing.T) {
			w := newWorld(t)
			var bodies []string
			e := &planner.Endpoint{API: api, URL: standIn(t, &bodies).URL, Model: "m", KeyEnv: "KEY_OF_TEST", MaxTokens: 100}
			out, err := w.planner(e).Run(t.Context(), "Write a note.")
			if err != nil || out.Text != "done" || out.Rounds != 3 || out.Tokens != 21 || len(out.Session.AbilitiesUsed) != 1 {
				t.Fatalf("%+v, %v", out, err)
			}
			if !strings.Contains(bodies[0], "routing_hint") || strings.Contains(strings.Join(bodies, ""), "the-key-of-the-test") {
				t.Error(bodies)
			}
			for _, dir := range []string{w.root, w.dirs.State} {
				_ = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
					if data, _ := os.ReadFile(path); strings.Contains(string(data), "the-key-of-the-test") {
						t.Errorf("the key is in %s", path)
					}
					return nil
				})
			}
		})
	}
	for _, e := range []planner.Endpoint{{API: "openai", URL: "http://example.com", Model: "m"},
		{API: "openai", URL: "http://127.0.0.1:1", Model: "m", KeyEnv: "NOT_SET_HERE"}} {
		if _, err := e.Next(t.Context(), nil, nil); err == nil {
			t.Errorf("%+v was asked", e)
		}
	}
}
