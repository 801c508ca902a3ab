package tasks_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
)

// A workflow calls operations on its list, each judged and told by itself.
func TestWorkflow(t *testing.T) {
	flow := `
id: greet_twice
summary: Greets, and greets the greeting.
type: workflow
operations: [say.hello]
input_schema: {type: object, required: [who]}
steps:
  - {id: one, operation: say.hello, input: {name: "{{input.who}}"}}
  - {id: two, operation: say.hello, input: {name: "{{steps.one.greeting}}!", times: "{{steps.one.args}}"}}
`
	hooks := &spy{}
	r := runner(repo(t, map[string]string{".system/registry/low-level/hello.yaml": greet, ".system/registry/high-level/flow.yaml": flow,
		"scripts/hello.sh": hello}), hooks)
	key := create(t, r, "greet_twice", map[string]any{"who": "Ada"})
	result := run(t, r, key)
	two, _ := result.Output["steps"].(map[string]any)["two"].(map[string]any)
	if result.Status != tasks.Success || two["greeting"] != "hello hello Ada!" {
		t.Fatalf("%+v %+v", result, result.Error)
	}
	want := []string{"PreAbilityCreate", "PreAbilityCall", "PreAbilityCall", "PostAbilityCall", "PreAbilityCall", "PostAbilityCall",
		"PostAbilityCall"}
	if got := hooks.types(); !slices.Equal(got, want) {
		t.Errorf("asked %v", got)
	}
	denied := 0
	hooks.answer = func(c repohooks.Context) *repohooks.Result {
		if c.EventType() == repohooks.PreAbilityCallEvent && strings.Contains(string(c.AppendJSON(nil)), "hello Ada!") {
			denied++
			return &repohooks.Result{Decision: trammel.Deny, Reason: "Enough."}
		}
		return nil
	}
	if result := run(t, r, key); result.Status != tasks.Partial || !strings.Contains(result.Error.Message, "Enough.") ||
		result.Error.Code != "denied" || denied != 1 {
		t.Errorf("%+v %+v", result, result.Error)
	}
	hooks.answer = func(c repohooks.Context) *repohooks.Result {
		if c.EventType() == repohooks.PreAbilityCallEvent && strings.Contains(string(c.AppendJSON(nil)), "say.hello") {
			return &repohooks.Result{Decision: trammel.Ask, Reason: "Sure?", HookID: "guard"}
		}
		return nil
	}
	if result := run(t, r, key); result.Status != tasks.Failure || result.Error.Code != "requires_human" || result.Human == nil ||
		result.Human.What != "Sure?" {
		t.Errorf("%+v %+v", result, result.Error)
	}
}

// An agent's program gets what it asks for, if it is on its list.
func TestAgentAbility(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	agent := `
id: greeter
type: agent
operations: [say.hello]
agent: {path: scripts/agent.py, timeout_sec: 20}
`
	program := `#!/usr/bin/env python3
import json, sys
def ask(m):
    print(json.dumps(m), flush=True)
    return json.loads(sys.stdin.readline())
start = json.loads(sys.stdin.readline())
bad = ask({"type": "call", "operation": "db.drop", "input": {}})
good = ask({"type": "call", "operation": "say.hello", "input": {"name": start["input"]["who"]}})
print(json.dumps({"type": "done", "output": {"bad": bad["status"], "good": good["output"]["greeting"]}}), flush=True)
`
	r := runner(repo(t, map[string]string{".system/registry/low-level/hello.yaml": greet, ".system/registry/high-level/agent.yaml": agent,
		"scripts/hello.sh": hello, "scripts/agent.py": program}), nil)
	result := run(t, r, create(t, r, "greeter", map[string]any{"who": "Ada"}))
	if result.Status != tasks.Success || result.Output["bad"] != "denied" || result.Output["good"] != "hello Ada" {
		t.Errorf("%+v %+v", result, result.Error)
	}
}

// An operation over HTTP: escaped values, secrets by name, bounds.
func TestHTTPOperation(t *testing.T) {
	var other string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other, http.StatusFound)
		case "/near":
			http.Redirect(w, r, "/rows/x", http.StatusFound)
		case "/flood":
			w.Write(make([]byte, 5<<20))
		case "/slow":
			select {
			case <-r.Context().Done():
			case <-time.After(time.Minute):
			}
		case "/down":
			w.WriteHeader(500)
		default:
			fmt.Fprintf(w, `{"path":%q,"query":%q,"secret":%t}`, r.URL.EscapedPath(), r.URL.RawQuery,
				r.Header.Get("Authorization") == "Bearer s3cret")
		}
	}))
	defer server.Close()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer elsewhere.Close()
	other = elsewhere.URL
	t.Setenv("ROWS_TOKEN", "s3cret")
	op := func(path string) string {
		return fmt.Sprintf(`
operation_key: rows.get
kind: api
input_schema: {type: object}
impl:
  kind: api
  api:
    url: "%s%s"
    headers: {Authorization: "Bearer {{env.ROWS_TOKEN}}"}
    secrets_from_env: [ROWS_TOKEN]
    timeout_sec: 1
`, server.URL, path)
	}
	for _, c := range []struct {
		path   string
		id     string
		status tasks.Status
		code   string
		want   string
	}{
		{"/rows/{{input.id}}?q={{input.id}}", "a/../b?c&d#e", tasks.Success, "", "/rows/a%2F..%2Fb%3Fc%26d%23e"},
		{"/rows/{{input.id}}", "..", tasks.Failure, "input", ""},
		{"/near", "", tasks.Success, "", "/rows/x"},
		{"/away", "", tasks.Failure, "unavailable", ""},
		{"/flood", "", tasks.Failure, "oversized_output", ""},
		{"/slow", "", tasks.Failure, "timeout", ""},
		{"/down", "", tasks.Failure, "error", ""},
	} {
		hooks := &spy{}
		r := runner(repo(t, map[string]string{".system/registry/low-level/rows.yaml": op(c.path)}), hooks)
		result := run(t, r, create(t, r, "rows.get", map[string]any{"id": c.id}))
		if result.Status != c.status || c.code != "" && result.Error.Code != c.code {
			t.Errorf("%s: %+v %+v", c.path, result, result.Error)
		}
		if c.want != "" && (result.Output["path"] != c.want || result.Output["secret"] != true) {
			t.Errorf("%s: %v", c.path, result.Output)
		}
		if c.status == tasks.Success {
			if a := hooks.events[1].Tool.Action; a.Kind != trammel.FetchAction || !strings.HasPrefix(a.URL, server.URL) {
				t.Errorf("policies see %+v", a)
			}
			if data, _ := os.ReadFile(filepath.Join(r.Root, tasks.Dir, result.TaskKey, "task.json")); strings.Contains(string(data), "s3cret") {
				t.Error("the secret is in the record")
			}
		}
	}
}
