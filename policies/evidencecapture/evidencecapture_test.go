package evidencecapture

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/flow"
	"github.com/trammel-dev/trammel/test/policysuite"
	"github.com/trammel-dev/trammel/test/testfile"
)

// FLOW-34: what is recorded, and what is not.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// FLOW-34: what hosts say of a command, and what it is taken for. What a
// command prints itself never makes it pass.
func TestOutcome(t *testing.T) {
	type obj = map[string]any
	for name, c := range map[string]struct {
		ev   trammel.Event
		tool trammel.ToolCall
		want flow.Result
		code int64 // -1 for none
	}{
		"exit code 0":         {tool: trammel.ToolCall{Response: obj{"exitCode": int64(0)}}, want: flow.Passed},
		"exit code 1":         {tool: trammel.ToolCall{Response: obj{"exit_code": int64(1)}}, want: flow.Failed, code: 1},
		"at the top":          {ev: trammel.Event{Fields: obj{"returnCode": int64(3)}}, want: flow.Failed, code: 3},
		"a code that is text": {tool: trammel.ToolCall{Response: obj{"exitCode": "0"}}, want: flow.Ambiguous, code: -1},
		"an error":            {tool: trammel.ToolCall{Response: obj{"error": "no"}}, want: flow.Failed, code: -1},
		"no success":          {tool: trammel.ToolCall{Response: obj{"success": false}}, want: flow.Failed, code: -1},
		"interrupted": {ev: trammel.Event{Host: "claude-code"}, tool: trammel.ToolCall{Response: obj{"interrupted": true}},
			want: flow.Failed, code: -1},
		"failed":                 {tool: trammel.ToolCall{Failed: true, Error: "Exit code 2\nboom"}, want: flow.Failed, code: 2},
		"nothing is said":        {want: flow.Ambiguous, code: -1},
		"it says so itself":      {tool: trammel.ToolCall{Output: "Exit code: 0"}, want: flow.Ambiguous, code: -1},
		"it says that it failed": {tool: trammel.ToolCall{Output: "Process exited with code 7\nOutput:\nx"}, want: flow.Failed, code: 7},
		"the last one counts": {ev: trammel.Event{Host: "qwen-code"},
			tool: trammel.ToolCall{Output: "Output: Exit Code: 0\nExit Code: 1\nSignal: (none)"}, want: flow.Failed, code: 1},
		"a host with failures": {ev: trammel.Event{Host: "claude-code"}, tool: trammel.ToolCall{Response: obj{"stdout": "ok",
			"stderr": "warning"}}, want: flow.Passed, code: -1},
		"in the background": {ev: trammel.Event{Host: "claude-code"}, tool: trammel.ToolCall{Input: obj{"run_in_background": true}},
			want: flow.Ambiguous, code: -1},
		"a host without": {ev: trammel.Event{Host: "codex"}, tool: trammel.ToolCall{Output: "ok"}, want: flow.Ambiguous, code: -1},
		"grep found nothing": {tool: trammel.ToolCall{Action: trammel.Action{Command: "grep x y"}, Response: obj{"exitCode": int64(1)}},
			want: flow.Ambiguous, code: 1},
		"grep in a pipe": {tool: trammel.ToolCall{Action: trammel.Action{Command: "grep x y | make"},
			Response: obj{"exitCode": int64(1)}}, want: flow.Failed, code: 1},
		"grep failed": {tool: trammel.ToolCall{Action: trammel.Action{Command: "grep x y"}, Response: obj{"exitCode": int64(2)}},
			want: flow.Failed, code: 2},
	} {
		ev, tool := c.ev, c.tool
		ev.Kind, ev.Tool = trammel.PostToolUse, &tool
		got, code := outcome(&ev)
		if got != c.want || (code == nil) != (c.code < 0) || code != nil && *code != c.code {
			t.Errorf("%s: %v, %v", name, got, code)
		}
	}
}

// FLOW-34: the record, in a real repository, without secrets, and nothing else
// is left in the project.
func TestRecord(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git on this machine")
	}
	dir := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", "")
	run := func(args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(name, text string) {
		testfile.Write(t, filepath.Join(dir, name), text, 0o644)
	}
	task := filepath.Join(dir, ".kontourai", "flow-agents", "t")
	handle := func(command string) map[string]any {
		t.Helper()
		ev := &trammel.Event{Kind: trammel.PostToolUse, Host: "native", Session: trammel.Session{ID: "s", Dir: dir},
			Tool: &trammel.ToolCall{Name: "Bash", Done: true, Response: map[string]any{"exitCode": int64(0)},
				Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}}
		if a, err := (capture{t.TempDir()}).Handle(t.Context(), ev); err != nil || a.Context != nil || a.Notice != "" {
			t.Fatalf("%+v, %v", a, err)
		}
		data, err := os.ReadFile(filepath.Join(task, flow.LogFile))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		var rec map[string]any
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &rec); err != nil {
			t.Fatal(err)
		}
		return rec
	}
	run("init", "-q", "-b", "main")
	write("main.go", "package main\n")
	write(".kontourai/flow-agents/t/state.json", `{"status":"in_progress"}`)
	if rec := handle("make"); rec["observed_at_commit"] != nil || rec["worktree_clean"] != false {
		t.Errorf("without a commit: %v", rec)
	}
	run("add", "main.go")
	run("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "one")
	rec := handle("npm  test --token=ghp_" + strings.Repeat("a1B2", 9))
	if rec["observed_at_commit"] != run("rev-parse", "HEAD") || rec["worktree_clean"] != true || rec["observedResult"] != "pass" ||
		rec["exitCode"] != 0.0 || rec["source"] != "postToolUse-capture" {
		t.Errorf("clean: %v", rec)
	}
	if command := rec["command"].(string); !strings.HasPrefix(command, "npm test ") || strings.Contains(command, "ghp_a1B2") {
		t.Errorf("the command is recorded as %q", command)
	}
	write("main.go", "package changed\n")
	if rec := handle("make"); rec["worktree_clean"] != false {
		t.Errorf("changed: %v", rec)
	}
	log, err := flow.Session{Dir: task}.Log()
	if err != nil || log.Chain != flow.Whole || len(log.Runs) != 3 {
		t.Errorf("%+v, %v", log, err)
	}
	if files, _ := os.ReadDir(task); len(files) != 2 {
		t.Errorf("there is litter: %v", files)
	}
}
