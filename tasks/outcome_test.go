package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
)

// AIC-13: PostAbilityCall after success, failure and partial success.
func TestOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		status tasks.Status
		code   string
	}{
		"success":         {"#!/bin/sh\necho '{\"greeting\":\"x\"}' > \"$TRAMMEL_OUTPUT\"; echo noise", tasks.Success, ""},
		"failure":         {"#!/bin/sh\necho why >&2; exit 7", tasks.Failure, "crash"},
		"partial":         {"#!/bin/sh\necho '{\"status\":\"partial\",\"done\":3}'", tasks.Partial, ""},
		"partial, exit 1": {"#!/bin/sh\necho '{\"status\":\"partial\",\"done\":3}'; exit 1", tasks.Partial, "crash"},
		"wrong output":    {"#!/bin/sh\necho '{\"greetings\":1}'", tasks.Failure, "malformed_output"},
		"not JSON":        {"#!/bin/sh\necho '{\"greeting\":1,\"greeting\":2}'", tasks.Failure, "malformed_output"},
		"flood":           {"#!/bin/sh\nhead -c 9000000 /dev/zero", tasks.Failure, "oversized_output"},
		"signal":          {"#!/bin/sh\nkill -9 $$", tasks.Failure, "crash"},
		"cut off":         {"#!/bin/sh\nprintf '{\"greeting\":' > \"$TRAMMEL_OUTPUT\"", tasks.Failure, "malformed_output"},
	} {
		t.Run(name, func(t *testing.T) {
			hooks := &spy{}
			r := runner(repo(t, map[string]string{".system/registry/low-level/hello.yaml": greet, "scripts/hello.sh": c.script}), hooks)
			result := run(t, r, create(t, r, "say.hello", map[string]any{"name": "Ada"}))
			if result.Status != c.status || c.code != "" && (result.Error == nil || result.Error.Code != c.code) {
				t.Fatalf("%+v %+v", result, result.Error)
			}
			post, ok := hooks.seen[len(hooks.seen)-1].(interface{ AppendJSON([]byte) []byte })
			if !ok || !strings.Contains(string(post.AppendJSON(nil)), `"status":"`+string(c.status)+`"`) ||
				hooks.types()[len(hooks.seen)-1] != "PostAbilityCall" {
				t.Errorf("told %v", hooks.types())
			}
		})
	}
}

// A script that does not end is killed with what it started; so is one whose
// caller gives up. Either way the task can be run again.
func TestTimeoutAndCancellation(t *testing.T) {
	slow := "#!/bin/sh\nsleep 1000 & echo $! > \"$TRAMMEL_INPUT.pid\"; wait"
	limited := func(seconds int) string {
		return strings.Replace(greet, "path: scripts/hello.sh", fmt.Sprintf("path: scripts/hello.sh\n    timeout_sec: %d", seconds), 1)
	}
	var r *tasks.Runner
	var key string
	started := func(run string) string { // the process that a run has started, "" if it has not yet
		data, _ := os.ReadFile(filepath.Join(r.Root, tasks.Dir, key, "runs", run, "input.json.pid"))
		return strings.TrimSpace(string(data))
	}
	for seconds := 1; seconds == 1 || started("0001") == ""; seconds *= 2 { // a slow machine takes longer to start it
		r = runner(repo(t, map[string]string{".system/registry/low-level/hello.yaml": limited(seconds), "scripts/hello.sh": slow}), nil)
		key = create(t, r, "say.hello", map[string]any{"name": "Ada"})
		if result := run(t, r, key); result.Status != tasks.Failure || result.Error.Code != "timeout" {
			t.Fatalf("%+v", result)
		}
	}
	if err := os.WriteFile(filepath.Join(r.Root, ".system/registry/low-level/hello.yaml"), []byte(limited(600)), 0o644); err != nil {
		t.Fatal(err)
	}
	canceled, stop := context.WithCancel(t.Context())
	go func() {
		defer stop()
		for end := time.Now().Add(time.Minute); started("0002") == "" && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
	}()
	result, err := r.Run(canceled, key)
	if err != nil || result.Status != tasks.Failure || result.Error.Code != "canceled" {
		t.Errorf("%+v, %v", result, err)
	}
	for _, run := range []string{"0001", "0002"} {
		pid := started(run)
		for end := time.Now().Add(time.Minute); exec.Command("kill", "-0", pid).Run() == nil; time.Sleep(20 * time.Millisecond) {
			if out, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output(); len(out) == 0 || strings.HasPrefix(string(out), "Z") {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("process %s was left behind", pid)
			}
		}
	}
}

// AIC-53: hooks bound in the registry are named to the hook runner; the
// implementation overrides the operation's list, the environment both.
func TestBoundHooks(t *testing.T) {
	op := strings.Replace(greet, "kind: script\ninput_schema", "kind: script\nhooks: {pre_create: [a], pre_call: [b], post_call: "+
		"[c]}\ninput_schema", 1)
	config := `
operations:
  say.hello:
    impl:
      kind: script
      script: {path: scripts/hello.sh, args_template: ["--", "{{input.name}}"]}
      hooks: {pre_call: [d, e]}
    environments:
      prod: {hooks: {pre_create: [], post_call: [f]}}
      off: {disabled: true}
`
	root := repo(t, map[string]string{".system/registry/low-level/hello.yaml": op, ".system/registry/config/abilities.yaml": config,
		"scripts/hello.sh": hello})
	for env, want := range map[string]string{"": "[[a] [d e] [c]]", "dev": "[[a] [d e] [c]]", "prod": "[[] [d e] [f]]"} {
		hooks := &spy{}
		r := runner(root, hooks)
		r.Environment = env
		run(t, r, create(t, r, "say.hello", map[string]any{"name": "Ada"}))
		if got := fmt.Sprint(hooks.bound); got != want {
			t.Errorf("%q: bound %s, expected %s", env, got, want)
		}
	}
	r := runner(root, nil)
	r.Environment = "off"
	if made, _ := r.Create(t.Context(), tasks.Request{Ability: "say.hello",
		Input: map[string]any{"name": "Ada"}}); made.Status != tasks.Unavailable {
		t.Errorf("%+v", made)
	}
}

// AIC-53: a binding that does not hold is named with the place of the list that
// counts: before the call as an error, after it as a warning.
func TestDanglingBindings(t *testing.T) {
	op := strings.Replace(greet, "kind: script\n", "kind: script\nhooks: {pre_call: [gone], post_call: [a, gone]}\n", 1)
	root := repo(t, map[string]string{".system/registry/low-level/hello.yaml": op, "scripts/hello.sh": hello,
		".system/registry/config/abilities.yaml": "operations:\n  say.hello:\n    environments:\n      prod:\n        hooks: " +
			"{pre_call: [gone]}\n"})
	for env, want := range map[string]string{"": "low-level/hello.yaml:6:", "prod": "config/abilities.yaml:5:"} {
		hooks := &spy{}
		r := runner(root, hooks)
		r.Environment = env
		key := create(t, r, "say.hello", map[string]any{"name": "Ada"})
		hooks.err = &repohooks.DanglingError{HookID: "gone", Err: trammel.Fail(trammel.CodeConfig, "is gone")}
		_, err := r.Run(t.Context(), key)
		if err == nil || !strings.Contains(err.Error(), ".system/registry/"+want) || !strings.HasSuffix(err.Error(), "is gone") {
			t.Errorf("%q: %v", env, err)
		}
	}
	hooks := &spy{answer: func(c repohooks.Context) *repohooks.Result {
		return &repohooks.Result{Errors: []repohooks.HookError{{HookID: "gone", Code: trammel.CodeConfig, Message: "is gone"},
			{HookID: "a", Code: trammel.CodeCrash, Message: "crashed"}, {HookID: "other", Code: trammel.CodeConfig, Message: "not bound"}}}
	}}
	r := runner(root, hooks)
	result := run(t, r, create(t, r, "say.hello", map[string]any{"name": "Ada"}))
	said := strings.Join(result.Warnings, "\n")
	if strings.Count(said, "is gone") != 2 || strings.Count(said, "low-level/hello.yaml:6:") != 2 ||
		strings.Contains(said, "crashed") || strings.Contains(said, "not bound") {
		t.Errorf("%q", result.Warnings)
	}
}

// AIC-01: with no hooks at all the runner works as if none existed; with the
// real runner in a repository without hooks, too.
func TestWithoutHooks(t *testing.T) {
	root := simple(t)
	dir := t.TempDir()
	real := repohooks.Open(layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
		Cache: filepath.Join(dir, "c")}, root)
	for _, hooks := range []tasks.Hooks{nil, real} {
		r := runner(root, hooks)
		if result := run(t, r, create(t, r, "say.hello", map[string]any{"name": "Ada"})); result.Status != tasks.Success {
			t.Errorf("%+v", result)
		}
	}
}

// AIC-52: policies of trammel.yaml hold for what an operation really does.
func TestPoliciesJudgeOperations(t *testing.T) {
	dir := t.TempDir()
	dirs := layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
		Cache: filepath.Join(dir, "c")}
	os.MkdirAll(dirs.User, 0o700)
	os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte("version: 1\nhooks:\n  - {id: no-hello, on: pre_tool_use, match: {action: "+
		"shell}, deny: {when: 'command contains \"mallory\"', reason: Not Mallory.}}\n"), 0o600)
	root := simple(t)
	r := runner(root, repohooks.Open(dirs, root))
	if result := run(t, r, create(t, r, "say.hello", map[string]any{"name": "mallory"})); result.Status != tasks.Denied ||
		!strings.Contains(result.Reason, "Mallory") {
		t.Errorf("%+v", result)
	}
	if result := run(t, r, create(t, r, "say.hello", map[string]any{"name": "Ada"})); result.Status != tasks.Success {
		t.Errorf("%+v", result)
	}
}

// AIC-52, AIC-35: who calls is found out, and an agent cannot pass for a person.
func TestDetectSource(t *testing.T) {
	for _, c := range []struct {
		given    string
		env      string
		terminal bool
		want     repohooks.Source
	}{
		{"", "", true, repohooks.ManualCLI},
		{"", "", false, repohooks.BackgroundJob},
		{"", "CI", true, repohooks.CIPipeline},
		{"", "CLAUDECODE", true, repohooks.AISession},
		{"", "TRAMMEL_AGENT_SESSION", false, repohooks.AISession},
		{"ci_pipeline", "", false, repohooks.CIPipeline},
		{"ai_session", "", true, repohooks.AISession},
		{"manual_cli", "CODEX_SANDBOX", true, ""},
		{"background_job", "CLAUDECODE", false, ""},
		{"root", "", true, ""},
	} {
		env := func(name string) string {
			if name == c.env {
				return "1"
			}
			return ""
		}
		got, err := tasks.DetectSource(c.given, standard.Mark(env), env, c.terminal)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

// What cannot be read is no task, and a link is not followed.
func TestDamagedTasks(t *testing.T) {
	r := runner(simple(t), nil)
	key := create(t, r, "say.hello", map[string]any{"name": "Ada"})
	path := filepath.Join(r.Root, tasks.Dir, key, "task.json")
	for _, content := range []string{"", "{", `{"task_key":"task-other"}`, "null"} {
		os.WriteFile(path, []byte(content), 0o600)
		if result, err := r.Run(t.Context(), key); err == nil {
			t.Errorf("%q ran: %+v", content, result)
		}
		if _, err := r.Tasks(t.Context()); err == nil {
			t.Errorf("%q was passed over", content)
		}
	}
	for _, key := range []string{"", "..", "task-../x", "task-", "/etc", "task-" + strings.Repeat("a", 100)} {
		if _, err := r.Run(t.Context(), key); !errors.Is(err, tasks.ErrNoTask) {
			t.Errorf("%q: %v", key, err)
		}
	}
	linked := runner(simple(t), nil)
	os.Symlink(t.TempDir(), filepath.Join(linked.Root, ".system/implement"))
	if made, err := linked.Create(t.Context(), tasks.Request{Ability: "say.hello", Input: map[string]any{"name": "Ada"}}); err == nil {
		t.Errorf("%+v", made)
	}
	outside := runner(repo(t, map[string]string{".system/registry/low-level/hello.yaml": greet}), nil)
	os.MkdirAll(filepath.Join(outside.Root, "scripts"), 0o755)
	os.Symlink("/bin/echo", filepath.Join(outside.Root, "scripts/hello.sh"))
	if made, err := outside.Create(t.Context(), tasks.Request{Ability: "say.hello", Input: map[string]any{"name": "Ada"}}); err != nil ||
		made.Status != tasks.Unavailable || !strings.Contains(made.Reason, "leads out of the repository") {
		t.Errorf("%+v, %v", made, err)
	}
}

// AIC-52: what an operation's arguments name counts as files that it touches,
// and changes unless its name says that it reads.
func TestPathsOfOperations(t *testing.T) {
	for id, want := range map[string]string{
		"edit_file": "[edit]", "file.read": "[read]", "cache.purge": "[delete edit]", "frobnicate": "[read edit]",
		"get_and_delete": "[delete edit]",
	} {
		hooks := &spy{}
		op := "operation_key: " + id + "\nkind: script\nimpl: {kind: script, script: {path: scripts/hello.sh}}\n"
		r := runner(repo(t, map[string]string{".system/registry/low-level/op.yaml": op, "scripts/hello.sh": hello}), hooks)
		run(t, r, create(t, r, id, map[string]any{"path": "config/prod.yaml"}))
		if a := hooks.events[1].Tool.Action; fmt.Sprint(a.Also) != want || !slices.Equal(a.Paths, []string{"config/prod.yaml"}) {
			t.Errorf("%s: %+v", id, a)
		}
	}
}

// A hook's rewrite of the arguments is what runs.
func TestRewrittenArguments(t *testing.T) {
	hooks := &spy{answer: on(repohooks.PreAbilityCallEvent, &repohooks.Result{Input: map[string]any{"name": "Grace"}})}
	r := runner(simple(t), hooks)
	if result := run(t, r, create(t, r, "say.hello", map[string]any{"name": "Ada"})); result.Output["greeting"] != "hello Grace" {
		t.Errorf("%+v", result)
	}
	hooks.answer = on(repohooks.PreAbilityCallEvent, &repohooks.Result{Input: map[string]any{"name": int64(1)}})
	if result := run(t, r, create(t, r, "say.hello", map[string]any{"name": "Ada"})); result.Status != tasks.Failure ||
		result.Violations[0].Field != "name" {
		t.Errorf("%+v", result)
	}
	secret := `{"greeting":"[REDACTED]"}`
	hooks.answer = on(repohooks.PostAbilityCallEvent, &repohooks.Result{Output: &secret})
	if result := run(t, r, create(t, r, "say.hello", map[string]any{"name": "Ada"})); result.Output["greeting"] != "[REDACTED]" {
		t.Errorf("%+v", result)
	}
}
