package flowagents

import (
	"bytes"
	"errors"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

var _ trammel.HookDialect = &Dialect

func writeEvent() *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "opencode", Name: "tool.execute.before", Session: trammel.Session{ID: "s",
		Dir: "/p"},
		Tool: &trammel.ToolCall{Name: "write", Input: map[string]any{"filePath": "biome.json", "content": "{}"},
			Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"biome.json"}, Content: "{}"}}}
}

// FLOW-60: whatever the host calls them, the policy finds the path, the command
// and the event where it looks for them.
func TestEncodeEvent(t *testing.T) {
	for name, c := range map[string]struct {
		ev   *trammel.Event
		want string
	}{
		"write": {writeEvent(),
			`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","tool_name":"Write","tool_input":{"content":"{}","filePath":"biome.json",` +
				`"file_path":"biome.json"}}`},
		"shell": {&trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"cmd": "ls"},
			Action: trammel.Action{Kind: trammel.ShellAction, Command: "ls"}}},
			`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"cmd":"ls","command":"ls"}}`},
		"after": {&trammel.Event{Kind: trammel.PostToolFailure, Tool: &trammel.ToolCall{Name: "x", Done: true, Failed: true, Output: "o",
			Error: "e"}},
			`{"hook_event_name":"PostToolUse","tool_name":"x","tool_input":{},"tool_response":{"error":"e","stdout":"o"}}`},
		"start": {&trammel.Event{Kind: trammel.SessionStart, Name: "session.created", Source: "startup"},
			`{"hook_event_name":"SessionStart","source":"startup"}`},
		"prompt": {&trammel.Event{Kind: trammel.UserPromptSubmit, Prompt: &trammel.Prompt{}},
			`{"hook_event_name":"UserPromptSubmit","prompt":""}`},
		"stop": {&trammel.Event{Kind: trammel.Stop, Stop: &trammel.StopInfo{Active: true}},
			`{"hook_event_name":"Stop","stop_hook_active":true}`},
		"other": {&trammel.Event{Kind: trammel.Other, Name: "x"}, `{"hook_event_name":"x"}`},
	} {
		if got, err := Dialect.EncodeEvent(c.ev); err != nil || string(got) != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", name, got, err, c.want)
		}
	}
}

// FLOW-20, FLOW-21, FLOW-22.
func TestDecodeAnswer(t *testing.T) {
	echo, _ := Dialect.EncodeEvent(writeEvent())
	type answer = trammel.Answer
	for name, c := range map[string]struct {
		kind   trammel.Kind
		stdout string
		stderr string
		exit   int
		want   answer
		failed trammel.Code
	}{
		"allow":                {stdout: string(echo)},
		"allow, newline":       {stdout: string(echo) + "\n"},
		"allow, silent":        {},
		"allow, cut off":       {stdout: string(echo[:40])},
		"allow, written again": {stdout: `{ "hook_event_name": "PreToolUse" }`},
		"guidance": {stdout: string(echo) + "\n\n---\nSTATE: blocked\nnext: ask\n---",
			want: answer{Context: []string{"STATE: blocked\nnext: ask"}}},
		"guidance, newline":         {stdout: string(echo) + "\n\n---\nSTATE\n---\n", want: answer{Context: []string{"STATE"}}},
		"guidance, written again":   {stdout: `{"a":1}` + "\n\n---\nSTATE\n---", want: answer{Context: []string{"STATE"}}},
		"guidance, cannot be added": {kind: trammel.SessionEnd, stdout: "{}\n\n---\nSTATE\n---", want: answer{Notice: "STATE"}},
		"something else":            {stdout: "hello", want: answer{Diagnostics: []string{"hello"}}},
		"warning":                   {stdout: string(echo), stderr: "careful\n", want: answer{Notice: "careful"}},
		"block":                     {exit: 2, stderr: "BLOCKED: biome.json\n", want: trammel.Denial("BLOCKED: biome.json")},
		"block, no reason":          {exit: 2, want: trammel.Denial("Blocked by a hook that gave no reason.")},
		"block, cannot":             {kind: trammel.SessionEnd, exit: 2, stderr: "x", want: answer{Notice: "x"}},
		"error":                     {exit: 1, stderr: "TypeError", failed: trammel.CodeCrash},
	} {
		t.Run(name, func(t *testing.T) {
			ev := writeEvent()
			if c.kind != trammel.Other {
				ev.Kind = c.kind
			}
			got, err := Dialect.DecodeAnswer(ev, trammel.Output{Stdout: []byte(c.stdout), Stderr: []byte(c.stderr), Exit: c.exit})
			var f *trammel.Failure
			if c.failed != "" {
				if !errors.As(err, &f) || f.Code != c.failed {
					t.Errorf("got %v, want code %s", err, c.failed)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
	if Dialect.OnError() != trammel.IgnoreOnError {
		t.Error("an error of this contract allows (FLOW-20)")
	}
}

// A real program of the contract, in the shell.
func TestRealProgram(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh on this machine")
	}
	const policy = `input=$(cat); case "$input" in *'"file_path":"biome.json"'*) echo "BLOCKED: biome.json" >&2; exit 2;; esac; printf ` +
		`'%s\n\n---\n%s\n---' "$input" "STATE: $FLOW_AGENTS_HOOK_RUNTIME"`
	for path, want := range map[string]trammel.Answer{
		"biome.json": trammel.Denial("BLOCKED: biome.json"),
		"main.go":    {Context: []string{"STATE: opencode"}},
	} {
		ev := writeEvent()
		ev.Tool.Action.Paths = []string{path}
		input, err := Dialect.EncodeEvent(ev)
		if err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(sh, "-c", policy)
		cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = bytes.NewReader(input), &stdout, &stderr, Dialect.Environ(ev)
		cmd.Env = append(cmd.Env, "PATH=/usr/bin:/bin")
		cmd.Run() // the exit code is part of what is read
		got, err := Dialect.DecodeAnswer(ev, trammel.Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Exit: cmd.ProcessState.ExitCode()})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", path, got, err)
		}
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	f.Add([]byte("{}\n\n---\nx\n---"), []byte("w"), 0)
	f.Fuzz(func(t *testing.T, stdout, stderr []byte, exit int) {
		for _, kind := range []trammel.Kind{trammel.PreToolUse, trammel.Stop, trammel.SessionStart, trammel.SessionEnd} {
			ev := writeEvent()
			ev.Kind = kind
			a, err := Dialect.DecodeAnswer(ev, trammel.Output{Stdout: stdout, Stderr: stderr, Exit: exit})
			if err == nil && Dialect.Ceiling(kind).Overreach(&a, kind.Can()) != "" {
				t.Fatalf("%v: %+v", kind, a)
			}
			if exit == 2 && kind == trammel.PreToolUse && (a.Decision != trammel.Deny || strings.TrimSpace(a.Reason) == "") {
				t.Fatal("a block got lost")
			}
		}
	})
}
