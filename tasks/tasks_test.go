package tasks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
	"github.com/trammel-dev/trammel/test/testfile"
)

// repo writes a repository: name → content; scripts begin with #!.
func repo(t *testing.T, files map[string]string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts use a POSIX shell")
	}
	root := t.TempDir()
	testfile.Tree(t, root, files)
	return root
}

// spy answers as it is told and remembers what it was asked.
type spy struct {
	mu     sync.Mutex
	seen   []repohooks.Context
	events []*trammel.Event
	bound  [][]string
	answer func(c repohooks.Context) *repohooks.Result
	err    error
}

func (s *spy) RunHooks(_ context.Context, event repohooks.EventType, c repohooks.Context, _ bool, bound ...string) (*repohooks.Result,
	error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := c.Check(); err != nil {
		return nil, err
	}
	ev := c.Event()
	ev.Prepare()
	s.seen, s.events, s.bound = append(s.seen, c), append(s.events, ev), append(s.bound, bound)
	if s.err != nil {
		return nil, s.err
	}
	if s.answer != nil {
		if r := s.answer(c); r != nil {
			return r, nil
		}
	}
	return &repohooks.Result{}, nil
}

func (s *spy) types() (out []string) {
	for _, c := range s.seen {
		out = append(out, string(c.EventType()))
	}
	return out
}

// on answers one kind of event.
func on(event repohooks.EventType, r *repohooks.Result) func(repohooks.Context) *repohooks.Result {
	return func(c repohooks.Context) *repohooks.Result {
		if c.EventType() == event {
			return r
		}
		return nil
	}
}

const greet = `
operation_key: say.hello
version: 1
summary: Greets somebody.
kind: script
input_schema:
  type: object
  required: [name]
  additionalProperties: false
  properties:
    name: {type: string, minLength: 1}
    times: {type: integer, minimum: 1}
    rows: {type: array, items: {type: object, required: [id], properties: {id: {type: integer}}}}
output_schema:
  type: object
  required: [greeting]
impl:
  kind: script
  script:
    path: scripts/hello.sh
    args_template: ["--", "{{input.name}}", "{{input.times?}}"]
`

const hello = `#!/bin/sh
printf '{"greeting":"hello %s","args":%d}' "$2" "$#"
`

func simple(t *testing.T) string {
	return repo(t, map[string]string{".system/registry/low-level/hello.yaml": greet, "scripts/hello.sh": hello})
}

func runner(root string, hooks tasks.Hooks) *tasks.Runner {
	return &tasks.Runner{Root: root, Hooks: hooks, Caller: tasks.Caller{Source: repohooks.BackgroundJob, JobID: "nightly"}}
}

func create(t *testing.T, r *tasks.Runner, ability string, input map[string]any) string {
	t.Helper()
	made, err := r.Create(t.Context(), tasks.Request{Ability: ability, Input: input})
	if err != nil || made.Status != tasks.Available || made.TaskKey == "" {
		t.Fatalf("%+v, %v", made, err)
	}
	return made.TaskKey
}

func run(t *testing.T, r *tasks.Runner, key string) *tasks.Result {
	t.Helper()
	result, err := r.Run(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// AIC-51: create, then run: both questions in order, the result, the record.
func TestCreateAndRun(t *testing.T) {
	root, hooks := simple(t), &spy{}
	r := runner(root, hooks)
	key := create(t, r, "say.hello", map[string]any{"name": "Ada; rm -rf /", "times": int64(2)})
	if got := hooks.types(); !slices.Equal(got, []string{"PreAbilityCreate"}) {
		t.Fatalf("asked %v", got)
	}
	result := run(t, r, key)
	if result.Status != tasks.Success || result.Output["greeting"] != "hello Ada; rm -rf /" || result.Output["args"] != int64(3) ||
		result.Run != 1 {
		t.Fatalf("%+v %+v", result, result.Error)
	}
	if got := hooks.types(); !slices.Equal(got, []string{"PreAbilityCreate", "PreAbilityCall", "PostAbilityCall"}) {
		t.Fatalf("asked %v", got)
	}
	for _, file := range []string{"task.json", "input.json", "tool_call.md", "runs/0001/result.json", "runs/0001/input.json"} {
		if _, err := os.Stat(filepath.Join(root, tasks.Dir, key, file)); err != nil {
			t.Error(err)
		}
	}
	task, err := r.Get(t.Context(), key)
	if err != nil || task.State != tasks.Succeeded || task.Runs != 1 || task.Process != nil {
		t.Fatalf("%+v, %v", task, err)
	}
	run(t, r, key)
	if list, err := r.Tasks(t.Context()); err != nil || len(list) != 1 || list[0].Runs != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := r.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(filepath.Join(root, tasks.Dir)); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}

// AIC-31, AIC-32, AIC-33, AIC-35: what hooks are told.
func TestContexts(t *testing.T) {
	hooks := &spy{}
	r := runner(simple(t), hooks)
	r.Environment = "staging"
	key := create(t, r, "say.hello", map[string]any{"name": "Ada"})
	run(t, r, key)
	for i, want := range []string{
		`{"event_type":"PreAbilityCreate","ability_ref":{"kind":"operation_key","value":"say.hello"},"input_summary":"{\"name\":\"Ada\"}",` +
			`"environment":"staging","caller":{"source":"background_job","job_id":"nightly"}}`,
		fmt.Sprintf(
			`{"event_type":"PreAbilityCall","ability_id":"say.hello","task_key":%q,"args_summary":"{\"name\":\"Ada\"}",`+
				`"caller":{"source":"background_job","job_id":"nightly"}}`, key),
	} {
		if got := string(hooks.seen[i].AppendJSON(nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	var post map[string]any
	if err := json.Unmarshal(hooks.seen[2].AppendJSON(nil), &post); err != nil {
		t.Fatal(err)
	}
	if post["status"] != "success" || post["task_key"] != key || post["duration_ms"] == nil || post["output_summary"] == "" {
		t.Errorf("%v", post)
	}
	action := hooks.events[1].Tool.Action
	if action.Kind != trammel.ShellAction || !strings.HasSuffix(action.Command, "/scripts/hello.sh -- Ada") {
		t.Errorf("policies see %+v", action)
	}
}

// AIC-11: a denied creation leaves no key and no folder, and nothing runs.
func TestDeniedCreation(t *testing.T) {
	for _, c := range []struct {
		decision trammel.Decision
		status   tasks.Status
	}{{trammel.Deny, tasks.Unavailable}, {trammel.Ask, tasks.RequiresHuman}} {
		root := simple(t)
		hooks := &spy{answer: on(repohooks.PreAbilityCreateEvent, &repohooks.Result{Decision: c.decision, Reason: "Not in prod.",
			Suggestion: "Use staging."})}
		made, err := runner(root, hooks).Create(t.Context(), tasks.Request{Ability: "say.hello", Input: map[string]any{"name": "Ada"}})
		if err != nil || made.Status != c.status || made.TaskKey != "" || made.Reason != "Not in prod." || made.Suggestion != "Use staging." {
			t.Errorf("%+v, %v", made, err)
		}
		if _, err := os.Stat(filepath.Join(root, tasks.Dir)); !os.IsNotExist(err) {
			t.Errorf("a folder was left: %v", err)
		}
	}
	// Hooks that cannot be asked are no consent.
	root := simple(t)
	if made, err := runner(root, &spy{err: fmt.Errorf("broken")}).Create(t.Context(), tasks.Request{Ability: "say.hello",
		Input: map[string]any{"name": "Ada"}}); err == nil {
		t.Errorf("%+v", made)
	}
}

// AIC-12: a call is allowed, denied or needs a human, and only the first runs.
func TestDeniedCall(t *testing.T) {
	for _, c := range []struct {
		decision trammel.Decision
		status   tasks.Status
		state    tasks.State
	}{{trammel.Deny, tasks.Denied, tasks.Refused}, {trammel.Ask, tasks.RequiresHuman, tasks.Waiting}} {
		root := simple(t)
		hooks := &spy{answer: on(repohooks.PreAbilityCallEvent, &repohooks.Result{Decision: c.decision, Reason: "Not now.", HookID: "guard"})}
		r := runner(root, hooks)
		key := create(t, r, "say.hello", map[string]any{"name": "Ada"})
		result := run(t, r, key)
		if result.Status != c.status || result.Reason != "Not now." || result.Output != nil {
			t.Errorf("%+v", result)
		}
		if c.decision == trammel.Ask && (result.Human == nil || !strings.Contains(result.Human.How, key) || result.Human.What != "Not now.") {
			t.Errorf("a human is not told what to do: %+v", result.Human)
		}
		if task, _ := r.Get(t.Context(), key); task.State != c.state || task.Runs != 0 {
			t.Errorf("%+v", task)
		}
		if slices.Contains(hooks.types(), "PostAbilityCall") {
			t.Error("told about a call that was never made")
		}
		asked := 0
		r.Approve = func(q tasks.Question) bool { asked++; return q.Reason == "Not now." && q.Input["name"] == "Ada" }
		if result := run(t, r, key); (result.Status == tasks.Success) != (c.decision == trammel.Ask) ||
			(asked == 1) != (c.decision == trammel.Ask) {
			t.Errorf("a person was asked %d times: %+v", asked, result)
		}
		hooks.answer = nil // the guard is gone
		if result := run(t, r, key); result.Status != tasks.Success {
			t.Errorf("%+v", result)
		}
	}
}

// AIC-51: what was allowed when it was created is judged again with the
// arguments that it runs with.
func TestUpdateIsJudgedAtTheCall(t *testing.T) {
	hooks := &spy{answer: func(c repohooks.Context) *repohooks.Result {
		if strings.Contains(string(c.AppendJSON(nil)), "mallory") {
			return &repohooks.Result{Decision: trammel.Deny, Reason: "Not Mallory."}
		}
		return nil
	}}
	r := runner(simple(t), hooks)
	key := create(t, r, "say.hello", map[string]any{"name": "Ada", "times": int64(1)})
	updated, err := r.Update(t.Context(), key, map[string]any{"name": "mallory", "times": nil})
	if err != nil || updated.Status != tasks.Available {
		t.Fatalf("%+v, %v", updated, err)
	}
	if result := run(t, r, key); result.Status != tasks.Denied {
		t.Errorf("%+v", result)
	}
	task, _ := r.Get(t.Context(), key)
	if _, still := task.Input["times"]; still || task.Input["name"] != "mallory" {
		t.Errorf("%v", task.Input)
	}
	// So is what somebody has written into the file.
	os.WriteFile(filepath.Join(r.Root, tasks.Dir, key, "input.json"), []byte(`{"name":1}`), 0o600)
	if result := run(t, r, key); result.Status != tasks.Unavailable || result.Violations[0].Field != "name" {
		t.Errorf("%+v", result)
	}
}

// AIC-51: schema violations name the field.
func TestViolationsNameTheField(t *testing.T) {
	r := runner(simple(t), nil)
	for field, input := range map[string]map[string]any{
		"name":       {},
		"times":      {"name": "a", "times": "two"},
		"nmae":       {"name": "a", "nmae": "b"},
		"rows[1].id": {"name": "a", "rows": []any{map[string]any{"id": int64(1)}, map[string]any{}}},
		"rows[0].id": {"name": "a", "rows": []any{map[string]any{"id": "x"}}},
	} {
		made, err := r.Create(t.Context(), tasks.Request{Ability: "say.hello", Input: input})
		if err != nil || made.Status != tasks.Unavailable || len(made.Violations) != 1 || made.Violations[0].Field != field ||
			!strings.Contains(made.Reason, field) {
			t.Errorf("%s: %+v, %v", field, made, err)
		}
	}
	made, _ := r.Create(t.Context(), tasks.Request{Ability: "say.helo"})
	if made.Status != tasks.Unavailable || !strings.Contains(made.Suggestion, "say.hello") {
		t.Errorf("%+v", made)
	}
}

// AIC-51, AIC-52: a direct run asks both questions and leaves nothing.
func TestDirectRun(t *testing.T) {
	root, hooks := simple(t), &spy{}
	result, err := runner(root, hooks).DirectRun(t.Context(), tasks.Request{Ability: "say.hello", Input: map[string]any{"name": "Ada"}})
	if err != nil || result.Status != tasks.Success {
		t.Fatalf("%+v, %v", result, err)
	}
	if got := hooks.types(); !slices.Equal(got, []string{"PreAbilityCreate", "PreAbilityCall", "PostAbilityCall"}) {
		t.Errorf("asked %v", got)
	}
	if _, err := os.Stat(filepath.Join(root, tasks.Dir)); !os.IsNotExist(err) {
		t.Errorf("a folder was left: %v", err)
	}
	for _, event := range []repohooks.EventType{repohooks.PreAbilityCreateEvent, repohooks.PreAbilityCallEvent} {
		hooks := &spy{answer: on(event, &repohooks.Result{Decision: trammel.Deny})}
		if result, _ := runner(root, hooks).DirectRun(t.Context(),
			tasks.Request{Ability: "say.hello", Input: map[string]any{"name": "Ada"}}); result.Status == tasks.Success {
			t.Errorf("%s could not stop it", event)
		}
	}
}
