package auditlog

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// FIM-40: a line for each call, and what happens if it cannot be written.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// logged runs events through the policy and returns what it wrote.
func logged(t *testing.T, options string, events ...*trammel.Event) []map[string]any {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	h, err := Policy().New(policysuite.Spec(strings.Replace(options, "@", dir, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, ev := range events {
		ev.Prepare()
		if a, err := h.Handle(context.Background(), ev); err != nil || a.Notice != "" {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var out []map[string]any
	for line := range strings.Lines(string(data)) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		out = append(out, m)
	}
	return out
}

func shell(kind trammel.Kind, command string) *trammel.Event {
	return &trammel.Event{Kind: kind, Host: "claude-code", Session: trammel.Session{ID: "s", User: "ann", AgentID: "a1", Project: "/p"},
		Tool: &trammel.ToolCall{ID: "c1", Name: "Bash", Input: map[string]any{"command": command}}}
}

// FIM-40: success and failure, with who, what, where and how long.
func TestFIM40Fields(t *testing.T) {
	ok := shell(trammel.PostToolUse, "ls -l")
	ok.Tool.Duration = 1500 * time.Millisecond
	ok.Time = time.Unix(1700000000, 0)
	failed := shell(trammel.PostToolUse, "false")
	failed.Tool.Failed, failed.Tool.Error = true, "exit 1"
	broken := shell(trammel.PostToolFailure, "nope")
	refused := shell(trammel.PermissionDenied, "rm x")
	before := shell(trammel.PreToolUse, "ls")
	denied := shell(trammel.PreToolUse, "rm -rf /")
	denied.Outcome = &trammel.Answer{Decision: trammel.Deny, Reason: "no", Findings: []trammel.Finding{{Code: "root"}}}
	got := logged(t, `{"path":"@/log"}`, ok, failed, broken, refused, before, denied)
	if len(got) != 5 {
		t.Fatalf("%d lines: %v", len(got), got)
	}
	for i, want := range []map[string]any{
		{"outcome": "success", "time": "2023-11-14T22:13:20Z", "host": "claude-code", "session": "s", "user": "ann", "agent": "a1",
			"project": "/p", "call": "c1", "tool": "Bash", "action": "other", "target": "ls -l", "duration_ms": 1500.0},
		{"outcome": "failure", "error": "exit 1"},
		{"outcome": "failure"},
		{"outcome": "refused"},
		{"outcome": "denied", "reason": "no"},
	} {
		for key, value := range want {
			if key == "action" { // no host's table is linked here
				continue
			}
			if got[i][key] != value {
				t.Errorf("line %d: %s is %v, want %v", i+1, key, got[i][key], value)
			}
		}
		if _, has := got[i]["input"]; has {
			t.Error("the arguments were kept unasked")
		}
	}
}

// No secret reaches the file, wherever it stands.
func TestSecretsAreTakenOut(t *testing.T) {
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	a := shell(trammel.PostToolUse, "curl -H 'Authorization: Bearer "+token+"' x")
	b := shell(trammel.PostToolFailure, "x")
	b.Tool.Error = "bad token " + token
	c := &trammel.Event{Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "Write", Input: map[string]any{"file_path": "/p/.env",
		"content": "A=hunter22"}}}
	d := shell(trammel.PostToolUse, "line\nbreak\x1b[31m "+strings.Repeat("x", 5000))
	d.Tool.Name = "evil\ntool"
	e := shell(trammel.PostToolUse, "echo A=hunter22 > .env")
	data, _ := json.Marshal(logged(t, `{"path":"@/log","input":true}`, a, b, c, d))
	if strings.Contains(string(data), token) || strings.Contains(string(data), "hunter22") || len(data) > 20000 {
		t.Errorf("%s", data)
	}
	data, _ = json.Marshal(logged(t, `{"path":"@/log"}`, e))
	if strings.Contains(string(data), "hunter22") {
		t.Errorf("%s", data)
	}
}

// A gap is told to the person once a session, and noted each time.
func TestAGapIsToldOnce(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h, err := Policy().New(policysuite.Spec(`{"path":"/dev/null/x"}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, false} {
		a, err := h.Handle(t.Context(), shell(trammel.PostToolUse, "ls"))
		if err != nil || (a.Notice != "") != want || len(a.Findings) != 1 || len(a.Diagnostics) != 1 {
			t.Errorf("gap %d: %+v, %v", i+1, a, err)
		}
	}
	t.Setenv("XDG_STATE_HOME", "/dev/null")
	if a, err := h.Handle(t.Context(), shell(trammel.PostToolUse, "ls")); err != nil || a.Notice != "" || len(a.Findings) != 1 {
		t.Errorf("nowhere to count: %+v, %v", a, err)
	}
}

func TestTheFileDoesNotGrowForEver(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	h, err := Policy().New(policysuite.Spec(`{"path":"` + dir + `/log","max_size":"2KiB","keep":2}`))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		h.Handle(t.Context(), shell(trammel.PostToolUse, "ls"))
	}
	files, _ := filepath.Glob(dir + "/log*")
	for _, name := range files {
		if info, _ := os.Stat(name); info.Size() > 2<<10 {
			t.Errorf("%s has %d bytes", name, info.Size())
		}
	}
	if len(files) != 4 { // with the lock
		t.Errorf("%v", files)
	}
}
