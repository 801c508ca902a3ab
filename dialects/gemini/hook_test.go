package gemini

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

func shellEvent(kind trammel.Kind) *trammel.Event {
	ev := &trammel.Event{Kind: kind, Host: Host.System}
	switch kind {
	case trammel.PreToolUse, trammel.PostToolUse, trammel.ToolGuard:
		ev.Tool = &trammel.ToolCall{Name: "run_shell_command", Input: map[string]any{"command": "ls"}}
	}
	return ev
}

func stdout(s string) trammel.Output { return trammel.Output{Stdout: []byte(s)} }

func TestDecodeAnswer(t *testing.T) {
	clean := "clean"
	type answer = trammel.Answer
	for name, c := range map[string]struct {
		kind   trammel.Kind
		out    trammel.Output
		want   answer
		failed trammel.Code
	}{
		"nothing":               {trammel.PreToolUse, stdout(" \n"), answer{}, ""},
		"deny":                  {trammel.PreToolUse, stdout(`{"decision":"deny","reason":"r"}`), trammel.Denial("r"), ""},
		"block":                 {trammel.PreToolUse, stdout(`{"decision":"block","reason":"r"}`), trammel.Denial("r"), ""},
		"deny without a reason": {trammel.PreToolUse, stdout(`{"decision":"deny"}`), answer{Decision: trammel.Deny}, ""},
		"ask":                   {trammel.PreToolUse, stdout(`{"decision":"ask","reason":"r"}`), answer{Decision: trammel.Ask, Reason: "r"}, ""},
		"allow":                 {trammel.PreToolUse, stdout(`{"decision":"allow"}`), answer{Decision: trammel.Allow}, ""},
		"unknown word":          {trammel.PreToolUse, stdout(`{"decision":"Deny"}`), answer{}, trammel.CodeMalformed},
		"JSON on stderr": {trammel.PreToolUse, trammel.Output{Stderr: []byte(`{"decision":"deny","reason":"r"}`)}, trammel.Denial("r"),
			""},
		"a log on stderr": {trammel.PreToolUse, trammel.Output{Stderr: []byte("checking")}, answer{}, ""},
		"stdout wins": {trammel.PreToolUse, trammel.Output{Stdout: []byte("{}"), Stderr: []byte(`{"decision":"deny","reason":"r"}`)},
			answer{}, ""},
		"exit 2":            {trammel.PreToolUse, trammel.Output{Exit: 2, Stderr: []byte("no\n")}, trammel.Denial("no"), ""},
		"exit 2, no reason": {trammel.PreToolUse, trammel.Output{Exit: 2}, trammel.Denial("Blocked by a hook that gave no reason."), ""},
		"exit 2 beats allow": {trammel.PreToolUse, trammel.Output{Exit: 2, Stderr: []byte("no"), Stdout: []byte(`{"decision":"allow"}`)},
			trammel.Denial("no"), ""},
		"exit 2, reason in JSON": {trammel.PreToolUse, trammel.Output{Exit: 2, Stderr: []byte("no"),
			Stdout: []byte(`{"decision":"deny","reason":"r"}`)}, trammel.Denial("r"), ""},
		"exit 3 with text": {trammel.PreToolUse, trammel.Output{Exit: 3, Stderr: []byte("no")}, trammel.Denial("no"), ""},
		"exit 3, silent":   {trammel.PreToolUse, trammel.Output{Exit: 3}, answer{}, trammel.CodeCrash},
		"exit 1 with text": {trammel.PreToolUse, trammel.Output{Exit: 1, Stderr: []byte("no")}, answer{}, trammel.CodeCrash},
		"exit 1 with a deny": {trammel.PreToolUse, trammel.Output{Exit: 1, Stdout: []byte(`{"decision":"deny","reason":"r"}`)},
			trammel.Denial("r"), ""},
		"killed": {trammel.PreToolUse, trammel.Output{Exit: -1, Stdout: []byte(`{"decision":"allow"}`)}, answer{},
			trammel.CodeCrash},
		"exit 2, cannot block": {trammel.SessionStart, trammel.Output{Exit: 2, Stderr: []byte("x")}, answer{Notice: "x"}, ""},
		"rewrite": {trammel.PreToolUse, stdout(`{"hookSpecificOutput":{"tool_input":{"command":"ls -l"}}}`),
			answer{Input: map[string]any{"command": "ls -l"}}, ""},
		"rewrite without a call": {trammel.SessionStart, stdout(`{"hookSpecificOutput":{"tool_input":{}}}`), answer{}, trammel.CodeMalformed},
		"context": {trammel.UserPromptSubmit, stdout(
			`{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"c"}}`), answer{Context: []string{"c"}}, ""},
		"wrong hookEventName": {trammel.UserPromptSubmit, stdout(
			`{"hookSpecificOutput":{"hookEventName":"AfterAgent","additionalContext":"c"}}`), answer{}, trammel.CodeMalformed},
		"output":            {trammel.PostToolUse, stdout(`{"hookSpecificOutput":{"tool_output":"clean"}}`), answer{Output: &clean}, ""},
		"what we do not do": {trammel.AfterLLMCall, stdout(`{"hookSpecificOutput":{"llm_response":{}}}`), answer{}, trammel.CodeMalformed},
		"stop the agent":    {trammel.PreToolUse, stdout(`{"continue":false,"stopReason":"enough"}`), trammel.Denial("enough"), ""},
		"stop at the end":   {trammel.Stop, stdout(`{"continue":false,"decision":"deny","reason":"x"}`), answer{}, ""},
		"go on":             {trammel.Stop, stdout(`{"decision":"deny","reason":"tests"}`), trammel.Denial("tests"), ""},
		"broken":            {trammel.PreToolUse, stdout(`{"decision":"deny"`), answer{}, trammel.CodeMalformed},
		"case variant":      {trammel.PreToolUse, stdout(`{"Decision":"deny"}`), answer{}, trammel.CodeMalformed},
		"noise before JSON": {trammel.PreToolUse, stdout("x\n{\"decision\":\"deny\"}"), answer{}, trammel.CodeMalformed},
		"plain text":        {trammel.SessionStart, stdout("hello"), answer{Diagnostics: []string{"hello"}}, ""},
		"unknown field": {trammel.PreToolUse, stdout(`{"decision":"deny","reason":"r","x":1}`), answer{Decision: trammel.Deny,
			Reason: "r", Diagnostics: []string{`field "x" is not known and was ignored`}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Dialect.DecodeAnswer(shellEvent(c.kind), c.out)
			if c.failed != "" {
				if codeOf(err) != c.failed {
					t.Errorf("got %+v, %v, want a failure with code %s", got, err, c.failed)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// A hook for Gemini sees another host's call in the words that it knows, and
// what it rewrites comes back in the host's own.
func TestForeignCalls(t *testing.T) {
	for name, c := range map[string]struct {
		tool   trammel.ToolCall
		want   string
		update string
		patch  map[string]any
	}{
		"shell": {
			tool: trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls"}},
			want: `"tool_name":"run_shell_command","tool_input":{"command":"ls"}`, update: `{"command":"ls -l"}`,
			patch: map[string]any{"command": "ls -l"},
		},
		"write": {
			tool: trammel.ToolCall{Name: "create_file", Input: map[string]any{"filePath": "/a", "content": "x"},
				Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"/a"}, Content: "x"}},
			want: `"tool_name":"write_file","tool_input":{"content":"x","file_path":"/a"}`, update: `{"file_path":"/b"}`,
			patch: map[string]any{"filePath": "/b"},
		},
		"the same name with other arguments": {
			tool: trammel.ToolCall{Name: "read_file", Input: map[string]any{"filePath": "/a"}, Action: trammel.Action{Kind: trammel.ReadAction,
				Paths: []string{"/a"}}},
			want: `"tool_name":"read_file","tool_input":{"file_path":"/a"}`, update: `{"file_path":"/b"}`, patch: map[string]any{"filePath": "/b"},
		},
		"unknown": {
			tool: trammel.ToolCall{Name: "frobnicate", Input: map[string]any{"x": true}},
			want: `"tool_name":"frobnicate","tool_input":{"x":true}`, update: `{"x":false}`, patch: map[string]any{"x": false},
		},
	} {
		t.Run(name, func(t *testing.T) {
			ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "elsewhere", Session: trammel.Session{ID: "s", Dir: "/p"}, Tool: &c.tool,
				Time: time.Unix(0, 0), Fields: map[string]any{"tool_name": "fake", "timestamp": 7, "extra": "kept"}}
			ev.Prepare()
			raw, err := Dialect.EncodeEvent(ev)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{c.want, `"hook_event_name":"BeforeTool"`, `"timestamp":"1970-01-01T00:00:00.000Z"`, `"extra":"kept"`} {
				if !strings.Contains(string(raw), part) {
					t.Errorf("%s\ndoes not hold %s", raw, part)
				}
			}
			if _, err := Dialect.DecodeEvent(raw, "BeforeTool"); err != nil {
				t.Errorf("not what Gemini would send: %v", err)
			}
			a, err := Dialect.DecodeAnswer(ev, stdout(`{"hookSpecificOutput":{"tool_input":`+c.update+`}}`))
			if err != nil || !reflect.DeepEqual(a.Input, c.patch) {
				t.Errorf("got the patch %v, %v, want %v", a.Input, err, c.patch)
			}
		})
	}
}

func TestForeignOutput(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PostToolFailure, Host: "elsewhere", Tool: &trammel.ToolCall{Name: "Bash", Done: true, Failed: true,
		Output: "hi", Error: "boom", Input: map[string]any{"command": "echo hi"}}}
	ev.Prepare()
	raw, err := Dialect.EncodeEvent(ev)
	for _, want := range []string{`"hook_event_name":"AfterTool"`,
		`"tool_response":{"error":{"message":"boom"},"llmContent":"hi","returnDisplay":"hi"}`} {
		if err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("%s (%v)\ndoes not hold %s", raw, err, want)
		}
	}
}

func TestCeilingAndEnviron(t *testing.T) {
	for kind, want := range map[trammel.Kind]trammel.Authority{
		trammel.PreToolUse: trammel.Guard, trammel.PostToolUse: trammel.Guard, trammel.Stop: trammel.Guard,
		trammel.SessionStart: trammel.Contextual,
		trammel.SessionEnd:   trammel.Observe, trammel.PermissionRequest: trammel.Guard, trammel.ToolGuard: trammel.Guard,
		trammel.Other: trammel.Observe,
	} {
		if got := Dialect.Ceiling(kind); got != want {
			t.Errorf("%v: %v, want %v", kind, got, want)
		}
	}
	env := Dialect.Environ(&trammel.Event{Session: trammel.Session{ID: "s", Dir: "/d", Project: "/p"}})
	if want := []string{"GEMINI_PROJECT_DIR=/p", "CLAUDE_PROJECT_DIR=/p", "GEMINI_SESSION_ID=s", "GEMINI_CWD=/d"}; !reflect.DeepEqual(env,
		want) {
		t.Errorf("environment %q", env)
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	for _, s := range []string{`{"decision":"deny","reason":"r"}`, `{"hookSpecificOutput":{"tool_input":{"command":"x"}}}`, "plain",
		`{"continue":false}`} {
		for _, kind := range []trammel.Kind{trammel.PreToolUse, trammel.Stop, trammel.SessionStart} {
			f.Add([]byte(s), []byte("err"), 0, uint8(kind))
			f.Add([]byte{}, []byte(s), 2, uint8(kind))
		}
	}
	f.Fuzz(func(t *testing.T, out, err []byte, exit int, kind uint8) {
		if int(kind) > len(trammel.Kinds()) {
			return
		}
		ev := shellEvent(trammel.Kind(kind))
		a, failure := Dialect.DecodeAnswer(ev, trammel.Output{Stdout: out, Stderr: err, Exit: exit})
		if failure != nil {
			switch codeOf(failure) {
			case trammel.CodeCrash, trammel.CodeMalformed, trammel.CodeUnknownField:
			default:
				t.Fatalf("code %s: %v", codeOf(failure), failure)
			}
			return
		}
		if exit == 2 && ev.Kind.FailsClosed() && (a.Decision != trammel.Deny || a.Reason == "") {
			t.Fatalf("exit 2 gave %+v", a)
		}
	})
}
