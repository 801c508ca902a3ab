package model

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/state"
)

// standIn plays both endpoints, and is as strict as they are about what it is
// sent. What it says, each test decides.
type standIn struct {
	t      *testing.T
	url    string
	mu     sync.Mutex
	bodies []string
	reply  func(w http.ResponseWriter, n int) // n counts the calls from 1
}

func newStandIn(t *testing.T, reply func(w http.ResponseWriter, n int)) *standIn {
	s := &standIn{t: t, reply: reply}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serve(func(r *http.Request, body map[string]any) {
		s.expect("Authorization", r.Header.Get("Authorization"), "Bearer key-of-the-tests")
		s.fields(body, "model", "messages", "max_tokens", "temperature", "response_format")
		messages := body["messages"].([]any)
		s.expect("roles", messages[0].(map[string]any)["role"].(string)+" "+messages[1].(map[string]any)["role"].(string), "system user")
		if f, ok := body["response_format"].(map[string]any); ok {
			s.fields(f, "type", "json_schema")
			shape := f["json_schema"].(map[string]any)
			s.fields(shape, "name", "strict", "schema")
			s.expect("format", f["type"].(string)+" "+shape["name"].(string), "json_schema pre_tool_use_decision")
			s.schema(shape["schema"])
		}
	}))
	mux.HandleFunc("POST /anthropic/v1/messages", s.serve(func(r *http.Request, body map[string]any) {
		s.expect("x-api-key", r.Header.Get("X-Api-Key"), "key-of-the-tests")
		s.expect("anthropic-version", r.Header.Get("Anthropic-Version"), "2023-06-01")
		s.fields(body, "model", "max_tokens", "system", "messages", "temperature", "tools", "tool_choice")
		if body["system"] == "" || len(body["messages"].([]any)) != 1 {
			t.Errorf("messages %v", body["messages"])
		}
		if tools, ok := body["tools"].([]any); ok {
			tool := tools[0].(map[string]any)
			s.fields(tool, "name", "description", "input_schema")
			s.schema(tool["input_schema"])
			if !reflect.DeepEqual(body["tool_choice"], map[string]any{"type": "tool", "name": "pre_tool_use_decision"}) {
				t.Errorf("tool_choice %v", body["tool_choice"])
			}
		}
	}))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s %s", r.Method, r.URL) })
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	t.Setenv("TEST_KEY", "key-of-the-tests")
	s.url = srv.URL
	return s
}

func (s *standIn) serve(check func(*http.Request, map[string]any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		var body map[string]any
		if err := json.Unmarshal(data, &body); err != nil {
			s.t.Errorf("%v: %s", err, data)
			return
		}
		s.expect("Content-Type", r.Header.Get("Content-Type"), "application/json")
		s.expect("model", body["model"], "judge-1")
		if n, ok := body["max_tokens"].(float64); !ok || n < 1 {
			s.t.Errorf("max_tokens %v", body["max_tokens"])
		}
		check(r, body)
		s.mu.Lock()
		s.bodies = append(s.bodies, string(data))
		n := len(s.bodies)
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		s.reply(w, n)
	}
}

func (s *standIn) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

func (s *standIn) expect(what string, got, want any) {
	if got != want {
		s.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (s *standIn) fields(obj map[string]any, known ...string) {
	for name := range obj {
		if !slices.Contains(known, name) {
			s.t.Errorf("the endpoint does not know the field %s", name)
		}
	}
}

func (s *standIn) schema(v any) {
	var want any
	json.Unmarshal([]byte(`{"type":"object","additionalProperties":false,"required":["decision","reason"],
		"properties":{"decision":{"type":"string","enum":["allow","ask","deny"]},"reason":{"type":"string"}}}`), &want)
	if !reflect.DeepEqual(v, want) {
		s.t.Errorf("schema %v", v)
	}
}

// quoted is a text as JSON.
func quoted(text string) string { return string(canonical.AppendString(nil, text)) }

// openaiSays is a response whose message is text.
func openaiSays(text string) string {
	return `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":` + quoted(text) +
		`,"refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":800,"completion_tokens":20,"total_tokens":820}}`
}

func anthropicSays(text string) string {
	return `{"id":"x","type":"message","content":[{"type":"text","text":` + quoted(text) +
		`}],"stop_reason":"end_turn","usage":{"input_tokens":800,"output_tokens":20}}`
}

func anthropicCalls(input string) string {
	return `{"id":"x","type":"message","content":[{"type":"tool_use","id":"t","name":"pre_tool_use_decision","input":` + input +
		`}],"stop_reason":"tool_use","usage":{"input_tokens":800,"output_tokens":20}}`
}

const judgePrompt = "Is this safe?\n{{ .ToolName }} {{ .ToolInput | toJSON }}"

// judge is a declaration of a judge at the stand-in.
func (s *standIn) judge(endpoint string, more ...any) map[string]any {
	url := s.url + "/v1"
	if endpoint == "anthropic" {
		url = s.url + "/anthropic"
	}
	config := map[string]any{"endpoint": endpoint, "url": url, "model": "judge-1", "key_env": "TEST_KEY", "prompt": judgePrompt,
		"schema": "pre_tool_use_decision"}
	for i := 0; i < len(more); i += 2 {
		config[more[i].(string)] = more[i+1]
	}
	return config
}

func build(t *testing.T, config map[string]any) trammel.Handler {
	t.Helper()
	data, err := canonical.Append(nil, config)
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(trammel.Spec{Hook: "judge", Kind: "model", Config: data, State: shared})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func event(command string) *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Name: "PreToolUse", Host: "claude-code", Session: trammel.Session{ID: "s1", Dir: "/w"},
		Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": command}}}
}

// dispatch runs the event through an engine, as a guard would run.
func dispatch(t *testing.T, ev *trammel.Event, handlers ...trammel.Handler) *trammel.Verdict {
	t.Helper()
	var hooks []trammel.Hook
	for i, h := range handlers {
		hooks = append(hooks, trammel.Hook{ID: "judge" + string(rune('a'+i)), On: []trammel.Kind{ev.Kind}, Handler: h, Kind: "model",
			May: trammel.Guard, NoRewrite: true})
	}
	engine, err := trammel.New(hooks)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Dispatch(t.Context(), ev)
}

// shared is the state of the handlers that are built; nil is memory of their own.
var shared trammel.State

// home lets handlers share a directory.
func home(t *testing.T) string {
	dir := t.TempDir()
	shared = state.Files{Dir: dir}
	t.Cleanup(func() { shared = nil })
	return dir
}
