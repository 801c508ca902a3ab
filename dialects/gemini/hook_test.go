package gemini

import (
	"reflect"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var stdout = dialectsuite.Stdout

func shellEvent(kind trammel.Kind) *trammel.Event {
	ev := &trammel.Event{Kind: kind, Host: Host.System}
	switch kind {
	case trammel.PreToolUse, trammel.PostToolUse, trammel.ToolGuard:
		ev.Tool = &trammel.ToolCall{Name: "run_shell_command", Input: map[string]any{"command": "ls"}}
	}
	return ev
}

func TestDecodeAnswer(t *testing.T) {
	clean := "clean"
	type answer = trammel.Answer
	dialectsuite.Answers(t, &Dialect, shellEvent, map[string]dialectsuite.Said{
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
	})
}

// A hook for Gemini sees another host's call in the words that it knows, and
// what it rewrites comes back in the host's own.
func TestForeignCalls(t *testing.T) {
	ev := trammel.Event{Session: trammel.Session{ID: "s", Dir: "/p"}, Time: time.Unix(0, 0),
		Fields: map[string]any{"tool_name": "fake", "timestamp": 7, "extra": "kept"}}
	dialectsuite.ForeignCalls(t, &Dialect, ev, []string{`"hook_event_name":"BeforeTool"`, `"timestamp":"1970-01-01T00:00:00.000Z"`},
		`{"hookSpecificOutput":{"tool_input":%s}}`, map[string]dialectsuite.Foreign{
			"shell": {
				Tool: trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls"}},
				Want: `"tool_name":"run_shell_command","tool_input":{"command":"ls"}`, Update: `{"command":"ls -l"}`,
				Patch: map[string]any{"command": "ls -l"},
			},
			"write": {
				Tool: trammel.ToolCall{Name: "create_file", Input: map[string]any{"filePath": "/a", "content": "x"},
					Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"/a"}, Content: "x"}},
				Want: `"tool_name":"write_file","tool_input":{"content":"x","file_path":"/a"}`, Update: `{"file_path":"/b"}`,
				Patch: map[string]any{"filePath": "/b"},
			},
			"the same name with other arguments": {
				Tool: trammel.ToolCall{Name: "read_file", Input: map[string]any{"filePath": "/a"}, Action: trammel.Action{Kind: trammel.ReadAction,
					Paths: []string{"/a"}}},
				Want: `"tool_name":"read_file","tool_input":{"file_path":"/a"}`, Update: `{"file_path":"/b"}`, Patch: map[string]any{"filePath": "/b"},
			},
			"unknown": {
				Tool: trammel.ToolCall{Name: "frobnicate", Input: map[string]any{"x": true}},
				Want: `"tool_name":"frobnicate","tool_input":{"x":true}`, Update: `{"x":false}`, Patch: map[string]any{"x": false},
			},
		})
}

func TestForeignOutput(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PostToolFailure, Host: "elsewhere", Tool: &trammel.ToolCall{Name: "Bash", Done: true, Failed: true,
		Output: "hi", Error: "boom", Input: map[string]any{"command": "echo hi"}}}
	dialectsuite.Holds(t, &Dialect, ev, `"hook_event_name":"AfterTool"`,
		`"tool_response":{"error":{"message":"boom"},"llmContent":"hi","returnDisplay":"hi"}`)
}

func TestCeilingAndEnviron(t *testing.T) {
	dialectsuite.Ceilings(t, &Dialect, map[trammel.Kind]trammel.Authority{
		trammel.PreToolUse: trammel.Guard, trammel.PostToolUse: trammel.Guard, trammel.Stop: trammel.Guard,
		trammel.SessionStart: trammel.Contextual,
		trammel.SessionEnd:   trammel.Observe, trammel.PermissionRequest: trammel.Guard, trammel.ToolGuard: trammel.Guard,
		trammel.Other: trammel.Observe,
	})
	env := Dialect.Environ(&trammel.Event{Session: trammel.Session{ID: "s", Dir: "/d", Project: "/p"}})
	if want := []string{"GEMINI_PROJECT_DIR=/p", "CLAUDE_PROJECT_DIR=/p", "GEMINI_SESSION_ID=s", "GEMINI_CWD=/d"}; !reflect.DeepEqual(env,
		want) {
		t.Errorf("environment %q", env)
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	dialectsuite.FuzzAnswers(f, &Dialect, shellEvent, []string{`{"decision":"deny","reason":"r"}`,
		`{"hookSpecificOutput":{"tool_input":{"command":"x"}}}`})
}
