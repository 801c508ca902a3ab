package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/agent"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/test/scripted"
	"github.com/trammel-dev/trammel/test/testfile"
)

const emit = `#!/usr/bin/env python3
import json, sys, os
c = json.load(sys.stdin)
def signal(kind, code, payload):
    print(json.dumps({"hook_signals": [{"source_event": c["event_type"], "hook_id": os.environ["HOOK_ID"],
        "kind": kind, "code": code, "payload": payload}]}))
`

var files = map[string]string{
	".system/registry/low-level/edit.yaml": `
operation_key: edit_file
kind: script
input_schema: {type: object, required: [path], properties: {path: {type: string}, text: {type: string}}}
impl: {kind: script, script: {path: scripts/edit.sh, args_template: ["--", "{{input.path}}", "{{input.text?}}"]}}
`,
	".system/registry/low-level/slow.yaml": `
operation_key: slow
kind: script
impl: {kind: script, script: {path: scripts/slow.sh}}
`,
	".system/registry/low-level/db.yaml": `
operation_key: db.write.user_row
kind: script
impl: {kind: script, script: {path: scripts/edit.sh}}
`,
	"scripts/edit.sh": "#!/bin/sh\nmkdir -p \"$(dirname \"$2\")\" && printf '%s' \"$3\" > \"$2\" && printf '{\"wrote\":\"%s\"}' \"$2\"\n",
	"scripts/slow.sh": "#!/bin/sh\nsleep 60\n",
	".system/hooks/prompt_router.yaml": `
id: prompt_router
event_type: PromptSubmit
enabled: true
blocking: true
handler: {kind: script, command: ./scripts/hooks/prompt_router.py}
`,
	"scripts/hooks/prompt_router.py": emit + `
signal("routing_hint", "ROUTE_SUGGESTION", {
    "suggested_abilities": [{"id": "edit_file", "reason": c["user_raw_input"], "confidence": 0.9}], "suggested_documents": []})
`,
	".system/hooks/nonprod_availability_check.yaml": `
id: nonprod_availability_check
event_type: PreAbilityCreate
enabled: true
blocking: true
match: {ability_scope: "db.*"}
handler: {kind: script, command: ./scripts/hooks/nonprod.py}
`,
	"scripts/hooks/nonprod.py": emit + `
signal("ability_preflight", "ABILITY_UNAVAILABLE", {
    "ability_ref": c["ability_ref"], "reason": "Operation is not enabled here.", "suggestion": "Switch to staging."})
`,
	".system/hooks/prod_config_guard.yaml": `
id: prod_config_guard
event_type: PreAbilityCall
enabled: true
blocking: true
match: {ability_scope: edit_file}
handler: {kind: script, command: ./scripts/hooks/guard.py}
`,
	"scripts/hooks/guard.py": emit + `
if "config/prod" in c["args_summary"]:
    signal("ability_guard", "ABILITY_DENIED", {"ability_id": c["ability_id"],
        "reason": "Editing prod config files is not allowed from " + c["caller"]["source"] + ".", "require_human": True})
else:
    print("{}")
`,
	".system/hooks/session_stop_build_check.yaml": `
id: session_stop_build_check
event_type: SessionStop
enabled: true
blocking: false
match: {only_if_changed_paths: ["services/**"]}
handler: {kind: script, command: ./scripts/hooks/check.sh}
`,
	"scripts/hooks/check.sh": "#!/bin/sh\nmkdir -p .system/cache && cat > .system/cache/checked.json && echo '{}'\n",
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// repository is one of git, with hooks that a human has trusted.
func repository(t *testing.T) (*agent.Runtime, string) {
	t.Helper()
	for _, program := range []string{"python3", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	root := t.TempDir()
	for name, content := range files {
		put(t, root, name, content)
	}
	put(t, root, "services/old.txt", "left lying about")
	put(t, root, "docs/a.md", "a")
	git(t, root, "init", "-q")
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "start")
	put(t, root, "services/dirty.txt", "of somebody else")
	dir := t.TempDir()
	dirs := layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
		Cache: filepath.Join(dir, "c")}
	p := full.New(dirs)
	s, err := config.Review(dirs, root, full.Registry{Registry: p.Registry, Dialects: p.Dialects})
	if err == nil {
		err = s.Accept(time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	return &agent.Runtime{Root: root, Hooks: repohooks.Open(dirs, root)}, root
}

func put(t *testing.T, root, name, content string) {
	testfile.Tree(t, root, map[string]string{name: content})
}

// AIC-50, AIC-51, AIC-03: signals reach the planner, a denied CREATE_TASK and a
// RUN_TASK that needs a human behave as the document says.
func TestScriptedPlanner(t *testing.T) {
	scripts, _ := filepath.Glob("testdata/*.jsonl")
	if len(scripts) == 0 {
		t.Fatal("no scripts")
	}
	for _, path := range scripts {
		t.Run(filepath.Base(path), func(t *testing.T) {
			runtime, root := repository(t)
			script, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer script.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
			defer cancel()
			if err := scripted.Play(ctx, runtime, script); err != nil {
				t.Error(err)
			}
			left, _ := filepath.Glob(filepath.Join(root, ".system/implement/.*"))
			if len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// AIC-24, AIC-34: SessionStop runs the build check only when matching paths
// have changed since the session began.
func TestSessionStop(t *testing.T) {
	for name, c := range map[string]struct {
		work    func(t *testing.T, root string)
		changed []string
		checked bool
	}{
		"nothing":   {func(*testing.T, string) {}, []string{}, false},
		"elsewhere": {func(t *testing.T, root string) { put(t, root, "docs/a.md", "b") }, []string{"docs/a.md"}, false},
		"untracked": {func(t *testing.T, root string) { put(t, root, "services/new.txt", "n") }, []string{"services/new.txt"}, true},
		"dirty again": {func(t *testing.T, root string) { put(t, root, "services/dirty.txt", "of us, longer") }, []string{"services/dirty.txt"},
			true},
		"deleted": {func(t *testing.T, root string) { os.Remove(filepath.Join(root, "services/old.txt")) }, []string{"services/old.txt"},
			true},
		"put away": {func(t *testing.T, root string) { os.Remove(filepath.Join(root, "services/dirty.txt")) },
			[]string{"services/dirty.txt"}, true},
		"committed": {func(t *testing.T, root string) {
			put(t, root, "services/c.txt", "c")
			git(t, root, "add", "services/c.txt")
			git(t, root, "commit", "-qm", "c")
		}, []string{"services/c.txt"}, true},
		"only committed": {func(t *testing.T, root string) { git(t, root, "add", "."); git(t, root, "commit", "-qm", "c") }, []string{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			runtime, root := repository(t)
			s, err := runtime.Start(t.Context(), "s1")
			if err != nil {
				t.Fatal(err)
			}
			c.work(t, root)
			sum, err := s.Stop(t.Context())
			if err != nil || !slices.Equal(sum.ChangedFiles, c.changed) {
				t.Fatalf("%+v, %v", sum, err)
			}
			data, err := os.ReadFile(filepath.Join(root, ".system/cache/checked.json"))
			if (err == nil) != c.checked {
				t.Fatalf("checked: %s, %v; %v", data, err, sum.Warnings)
			}
			if c.checked && !strings.Contains(string(data), `"session_id":"s1"`) {
				t.Errorf("%s", data)
			}
			if _, err := s.Stop(t.Context()); !errors.Is(err, agent.ErrStopped) {
				t.Errorf("stopped twice: %v", err)
			}
		})
	}
}

// hooks answers as it is told.
type hooks func(event repohooks.EventType, c repohooks.Context) (*repohooks.Result, error)

func (h hooks) RunHooks(_ context.Context, event repohooks.EventType, c repohooks.Context, _ bool, _ ...string) (*repohooks.Result, error) {
	return h(event, c)
}

func lines(t *testing.T, out []byte) (all []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(out) {
		var m map[string]any
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, m)
	}
	return all
}

// AIC-50: the control message, word for word; a prompt that is denied begins
// no turn, and hooks that cannot be asked are no consent.
func TestControl(t *testing.T) {
	signal := repohooks.HookSignal{SourceEvent: "PromptSubmit", HookID: "prompt_router", Kind: "routing_hint", Code: "ROUTE_SUGGESTION",
		Payload: map[string]any{"suggested_abilities": []any{}}}
	answer := &repohooks.Result{Signals: []repohooks.HookSignal{signal}}
	var failing error
	r := &agent.Runtime{Root: t.TempDir(), Hooks: hooks(func(event repohooks.EventType, _ repohooks.Context) (*repohooks.Result, error) {
		if event == repohooks.PromptSubmitEvent {
			return answer, failing
		}
		return &repohooks.Result{}, nil
	})}
	play := func() string {
		var out bytes.Buffer
		if err := r.Serve(t.Context(), strings.NewReader(`{"type":"prompt","user_raw_input":"Hi"}`+"\n"+
			`{"type":"action","action":"LIST_ABILITIES","id":"1"}`+"\n"), &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	got := strings.Split(play(), "\n")
	if want := `{"type":"control","turn_ready":true,"source_event":"PromptSubmit","hook_signals":[{"source_event":"PromptSubmit",` +
		`"hook_id":"prompt_router","kind":"routing_hint","code":"ROUTE_SUGGESTION","payload":{"suggested_abilities":[]}}]}`; got[1] != want {
		t.Errorf("got  %s\nwant %s", got[1], want)
	}
	if want := `{"type":"turn_context","turn":1,"user_raw_input":"Hi","hook_signals":[{`; !strings.HasPrefix(got[2], want) {
		t.Errorf("got %s", got[2])
	}
	answer = &repohooks.Result{Decision: trammel.Deny, Reason: "No."}
	if out := play(); !strings.Contains(out,
		`{"type":"control","turn_ready":false,"source_event":"PromptSubmit","hook_signals":[],"reason":"No."}`) ||
		!strings.Contains(out, `"code":"no_turn"`) {
		t.Error(out)
	}
	failing = fmt.Errorf("broken")
	if out := play(); strings.Contains(out, `"turn_ready":true`) || !strings.Contains(out, `"code":"no_turn"`) {
		t.Error(out)
	}
}

// Whatever comes is answered, and the session goes on.
func TestHostileLines(t *testing.T) {
	r := &agent.Runtime{Root: t.TempDir()}
	for name, c := range map[string]struct{ in, code string }{
		"not JSON":       {"hello\n", "input"},
		"a list":         {"[1]\n", "input"},
		"a key twice":    {`{"type":"prompt","type":"prompt","user_raw_input":""}` + "\n", "input"},
		"unknown type":   {`{"type":"hook"}` + "\n", "input"},
		"unknown field":  {`{"type":"prompt","user_raw_input":"x","sudo":true}` + "\n", "unknown_field"},
		"unknown action": {`{"type":"action","action":"RUN_HOOKS"}` + "\n", "input"},
		"no key":         {`{"type":"action","action":"RUN_TASK"}` + "\n", "input"},
		"not UTF-8":      {"{\"type\":\"pro\xffmpt\"}\n", "input"},
		"too deep":       {strings.Repeat(`{"a":`, 5000) + "\n", "input"},
		"too long":       {`{"type":"prompt","user_raw_input":"` + strings.Repeat("x", agent.MaxLine) + `"}` + "\n", "input_too_large"},
		"cut off":        {`{"type":"prompt"`, "input"},
		"no session":     {`{"type":"session_stop"}` + "\n", "no_session"},
		"action first":   {`{"type":"action","action":"LIST_ABILITIES"}` + "\n", "no_session"},
		"started twice":  {`{"type":"session_start"}` + "\n" + `{"type":"session_start"}` + "\n", "input"},
		"traversal": {`{"type":"prompt","user_raw_input":""}` + "\n" + `{"type":"action","action":"RUN_TASK","task_key":"../../etc"}` +
			"\n", "no_task"},
		"cancel of nothing": {`{"type":"cancel","id":"9"}` + "\n" + "x\n", "input"},
	} {
		t.Run(name, func(t *testing.T) {
			after := "\n" + `{"type":"prompt","user_raw_input":"still there?"}` + "\n"
			if name == "cut off" {
				after = ""
			}
			var out bytes.Buffer
			if err := r.Serve(t.Context(), strings.NewReader(c.in+after), &out); err != nil {
				t.Fatal(err)
			}
			var codes []string
			ready := false
			for _, m := range lines(t, out.Bytes()) {
				if m["type"] == "error" {
					codes = append(codes, m["code"].(string))
				}
				ready = ready || m["turn_ready"] == true
			}
			if !slices.Contains(codes, c.code) || after != "" && !ready {
				t.Errorf("%s", out.Bytes())
			}
		})
	}
}

// Who closes its end, or is interrupted in the middle of a run, still gets
// SessionStop; a cancel line ends only its action.
func TestCancelInterruptAndHangup(t *testing.T) {
	runtime, root := repository(t)
	begin := `{"send":{"type":"prompt","user_raw_input":"x"}}
{"expect":{"type":"session"}}
{"expect":{"type":"control"}}
{"expect":{"type":"turn_context"}}
{"send":{"type":"action","id":"1","action":"CREATE_TASK","ability":"slow"}}
{"expect":{"result":{"status":"available"}},"keep":{"task":"result.task_key"}}
{"send":{"type":"action","id":"2","action":"RUN_TASK","task_key":"{{task}}"}}
`
	began := time.Now()
	script := begin + `{"send":{"type":"cancel","id":"2"}}
{"expect":{"id":"2","type":"result","result":{"status":"failure","error":{"code":"canceled"}}}}
{"end":true}
{"expect":{"type":"session_stopped","tasks_summary":[{"ability_id":"slow","status":"failure"}],"abilities_used":["slow"]}}
`
	// The cancel line can overtake the run; then the action never begins.
	err := scripted.Play(t.Context(), runtime, strings.NewReader(script))
	if err != nil && !strings.Contains(err.Error(), "canceled") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil && !running(root) {
			time.Sleep(20 * time.Millisecond)
		}
		cancel()
	}()
	err = scripted.Play(ctx, runtime, strings.NewReader(begin+`{"expect":{"id":"2","result":{"status":"failure"}}}
{"expect":{"type":"session_stopped","tasks_summary":[{"status":"failure"}]}}
`))
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := runtime.Serve(t.Context(), strings.NewReader(`{"type":"prompt","user_raw_input":"x"}`+"\n"), deaf{}); err == nil {
		t.Error("nobody listened, and that was no error")
	}
	if took := time.Since(began); took > 40*time.Second {
		t.Errorf("took %v", took)
	}
}

// running reports whether a task is being run.
func running(root string) bool {
	tasks, _ := filepath.Glob(filepath.Join(root, ".system/implement/task-*/task.json"))
	return slices.ContainsFunc(tasks, func(path string) bool {
		data, _ := os.ReadFile(path)
		return bytes.Contains(data, []byte(`"state": "running"`))
	})
}

type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A hook that failed at the end is named once, even if two parts report it (systems.md 9).
func TestFailedHookIsNamedOnce(t *testing.T) {
	failed := repohooks.HookError{HookID: "h", Code: "crash", Message: "one\ntwo"}
	r := &agent.Runtime{Root: t.TempDir(), Hooks: hooks(func(repohooks.EventType, repohooks.Context) (*repohooks.Result, error) {
		return &repohooks.Result{Warnings: []string{`hook "h" failed (crash): one`, "two"},
			Errors: []repohooks.HookError{failed, {HookID: "bound", Code: "config", Message: "gone"}}}, nil
	})}
	s, err := r.Start(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := s.Stop(t.Context())
	want := []string{`hook "h" failed (crash): one`, "two", `hook "bound" failed (config): gone`}
	if err != nil || !slices.Equal(sum.Warnings, want) {
		t.Errorf("%q, %v", sum.Warnings, err)
	}
}
