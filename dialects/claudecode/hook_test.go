package claudecode

import (
	"reflect"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var stdout = dialectsuite.Stdout

func bashEvent(kind trammel.Kind) *trammel.Event {
	ev := &trammel.Event{Kind: kind, Host: Host.System}
	switch kind {
	case trammel.SessionStart, trammel.UserPromptSubmit, trammel.Stop, trammel.Elicitation: // these have no call
	default:
		ev.Tool = &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls", "timeout": int64(5)}}
	}
	return ev
}

func TestDecodeAnswer(t *testing.T) {
	pre := func(fields string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse",` + fields + `}}`
	}
	clean := "clean"
	type answer = trammel.Answer
	dialectsuite.Answers(t, &Dialect, bashEvent, map[string]dialectsuite.Said{
		"nothing":           {trammel.PreToolUse, trammel.Output{Stdout: []byte(" \n")}, answer{}, ""},
		"empty object":      {trammel.PreToolUse, stdout(`{}`), answer{}, ""},
		"exit 2":            {trammel.PreToolUse, trammel.Output{Exit: 2, Stderr: []byte("no way\n")}, trammel.Denial("no way"), ""},
		"exit 2, no reason": {trammel.PreToolUse, trammel.Output{Exit: 2}, trammel.Denial("Blocked by a hook that gave no reason."), ""},
		"exit 2, reason in JSON": {trammel.PreToolUse, trammel.Output{Exit: 2, Stderr: []byte("x"),
			Stdout: []byte(pre(`"permissionDecision":"deny","permissionDecisionReason":"json"`))}, trammel.Denial("json"), ""},
		"exit 2 beats allow": {trammel.PreToolUse, trammel.Output{Exit: 2, Stderr: []byte("x"),
			Stdout: []byte(pre(`"permissionDecision":"allow"`))}, trammel.Denial("x"), ""},
		"exit 2 with broken JSON": {trammel.PreToolUse, trammel.Output{Exit: 2, Stderr: []byte("x"), Stdout: []byte("{")},
			trammel.Denial("x"), ""},
		"exit 2, cannot block": {trammel.SessionStart, trammel.Output{Exit: 2, Stderr: []byte("x")}, answer{Notice: "x"}, ""},
		"exit 1": {trammel.PreToolUse, trammel.Output{Exit: 1, Stdout: []byte(pre(`"permissionDecision":"allow"`))},
			answer{}, trammel.CodeCrash},
		"exit 127": {trammel.PreToolUse, trammel.Output{Exit: 127}, answer{}, trammel.CodeCrash},
		"deny": {trammel.PreToolUse, stdout(pre(`"permissionDecision":"deny","permissionDecisionReason":"r"`)),
			trammel.Denial("r"), ""},
		"ask": {trammel.PreToolUse, stdout(pre(`"permissionDecision":"ask","permissionDecisionReason":"r"`)),
			answer{Decision: trammel.Ask, Reason: "r"}, ""},
		"defer":                 {trammel.PreToolUse, stdout(pre(`"permissionDecision":"defer"`)), answer{Decision: trammel.Ask}, ""},
		"allow":                 {trammel.PreToolUse, stdout(pre(`"permissionDecision":"allow"`)), answer{Decision: trammel.Allow}, ""},
		"unknown decision":      {trammel.PreToolUse, stdout(pre(`"permissionDecision":"Deny"`)), answer{}, trammel.CodeMalformed},
		"decision not a string": {trammel.PreToolUse, stdout(pre(`"permissionDecision":true`)), answer{}, trammel.CodeMalformed},
		"wrong hookEventName": {trammel.PreToolUse, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"deny"}}`), answer{}, trammel.CodeMalformed},
		"no hookEventName": {trammel.PreToolUse, stdout(`{"hookSpecificOutput":{"permissionDecision":"deny"}}`), answer{},
			trammel.CodeMalformed},
		"rewrite": {trammel.PreToolUse, stdout(pre(`"updatedInput":{"command":"ls -l","timeout":5}`)),
			answer{Input: map[string]any{"command": "ls -l"}}, ""},
		"rewrite of nothing":    {trammel.PreToolUse, stdout(pre(`"updatedInput":{"command":"ls","timeout":5}`)), answer{}, ""},
		"rewrite not an object": {trammel.PreToolUse, stdout(pre(`"updatedInput":"ls"`)), answer{}, trammel.CodeMalformed},
		"rewrite without a tool": {trammel.SessionStart, stdout(`{"hookSpecificOutput":{"hookEventName":"SessionStart","updatedInput":{}}}`),
			answer{}, trammel.CodeMalformed},
		"context":   {trammel.PreToolUse, stdout(pre(`"additionalContext":"c"`)), answer{Context: []string{"c"}}, ""},
		"old block": {trammel.PreToolUse, stdout(`{"decision":"block","reason":"r"}`), trammel.Denial("r"), ""},
		"old approve": {trammel.PreToolUse, stdout(`{"decision":"approve","reason":"r"}`), answer{Decision: trammel.Allow,
			Reason: "r"}, ""},
		"old and new": {trammel.PreToolUse, stdout(
			`{"decision":"block","reason":"r","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`),
			trammel.Denial("r"), ""},
		"old deny is no word":       {trammel.PreToolUse, stdout(`{"decision":"deny","reason":"r"}`), answer{}, trammel.CodeMalformed},
		"case variant":              {trammel.PreToolUse, stdout(`{"Decision":"block","reason":"r"}`), answer{}, trammel.CodeMalformed},
		"typo":                      {trammel.PreToolUse, stdout(`{"decison":"block","reason":"r"}`), answer{}, trammel.CodeMalformed},
		"typo inside":               {trammel.PreToolUse, stdout(pre(`"permissionDecison":"deny"`)), answer{}, trammel.CodeMalformed},
		"duplicate":                 {trammel.PreToolUse, stdout(`{"decision":"block","decision":"approve"}`), answer{}, trammel.CodeMalformed},
		"broken JSON":               {trammel.PreToolUse, stdout(`{"decision":"block"`), answer{}, trammel.CodeMalformed},
		"noise before JSON":         {trammel.PreToolUse, stdout("checking…\n{\"decision\":\"block\"}"), answer{}, trammel.CodeMalformed},
		"noise after JSON":          {trammel.PreToolUse, stdout("{\"decision\":\"block\"}\ndone"), answer{}, trammel.CodeMalformed},
		"plain text before a tool":  {trammel.PreToolUse, stdout("checking…"), answer{Diagnostics: []string{"checking…"}}, ""},
		"plain text at the start":   {trammel.SessionStart, stdout("hello\n"), answer{Context: []string{"hello"}}, ""},
		"plain text with a prompt":  {trammel.UserPromptSubmit, stdout("hello"), answer{Context: []string{"hello"}}, ""},
		"notice":                    {trammel.PreToolUse, stdout(`{"systemMessage":"m","suppressOutput":true}`), answer{Notice: "m"}, ""},
		"stop the agent":            {trammel.PreToolUse, stdout(`{"continue":false,"stopReason":"enough"}`), trammel.Denial("enough"), ""},
		"stop the agent at its end": {trammel.Stop, stdout(`{"continue":false,"decision":"block","reason":"x"}`), answer{}, ""},
		"stop the agent at start":   {trammel.SessionStart, stdout(`{"continue":false,"stopReason":"enough"}`), answer{Notice: "enough"}, ""},
		"go on":                     {trammel.PreToolUse, stdout(`{"continue":true}`), answer{}, ""},
		"continue not a boolean":    {trammel.PreToolUse, stdout(`{"continue":"false"}`), answer{}, trammel.CodeMalformed},
		"stop-block":                {trammel.Stop, stdout(`{"decision":"block","reason":"tests"}`), trammel.Denial("tests"), ""},
		"stop with context": {trammel.Stop, stdout(`{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"tests"}}`),
			trammel.Denial("tests"), ""},
		"permission denied": {trammel.PermissionRequest, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"m","interrupt":true}}}`),
			trammel.Denial("m"), ""},
		"permission granted": {trammel.PermissionRequest, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"command":"x"}}}}`),
			answer{Decision: trammel.Allow, Input: map[string]any{"command": "x"}}, ""},
		"permission, unknown word": {trammel.PermissionRequest, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"no"}}}`), answer{}, trammel.CodeMalformed},
		"permission, unknown field": {trammel.PermissionRequest, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","Message":"m"}}}`), answer{},
			trammel.CodeUnknownField},
		"elicitation declined": {trammel.Elicitation, stdout(`{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"decline"}}`),
			answer{Decision: trammel.Deny}, ""},
		"output replaced": {trammel.PostToolUse, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"clean","stderr":""}}}`), answer{Output: &clean},
			""},
		"unknown field": {trammel.PreToolUse, stdout(`{"decision":"block","reason":"r","x":1}`),
			answer{Decision: trammel.Deny, Reason: "r", Diagnostics: []string{`field "x" is not known and was ignored`}}, ""},
		"an event it does not have": {trammel.ToolGuard, stdout(pre(`"permissionDecision":"deny","permissionDecisionReason":"r"`)),
			trammel.Denial("r"), ""},
	})
}

// A hook for Claude Code sees another host's call in the words that it knows,
// and what it rewrites comes back in the host's own.
func TestForeignCalls(t *testing.T) {
	ev := trammel.Event{Session: trammel.Session{ID: "s", Dir: "/p", Mode: "yolo", Bypass: true},
		Fields: map[string]any{"tool_name": "fake", "extra": "kept"}}
	dialectsuite.ForeignCalls(t, &Dialect, ev, []string{`"hook_event_name":"PreToolUse"`, `"permission_mode":"bypassPermissions"`},
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":%s}}`, map[string]dialectsuite.Foreign{
			"shell under another name": {
				Tool: trammel.ToolCall{Name: "run_shell_command", Input: map[string]any{"cmd": "ls", "timeout_ms": int64(9)}},
				Want: `"tool_name":"Bash","tool_input":{"command":"ls","timeout_ms":9}`, Update: `{"command":"ls -l"}`,
				Patch: map[string]any{"cmd": "ls -l"},
			},
			"shell as words": {
				Tool: trammel.ToolCall{Name: "exec", Input: map[string]any{"command": []any{"rm", "a b"}}},
				Want: `"tool_name":"Bash","tool_input":{"command":"rm 'a b'"}`, Update: `{"command":"ls"}`, Failed: trammel.CodeMalformed,
			},
			"write": {
				Tool: trammel.ToolCall{Name: "create_file", Input: map[string]any{"filePath": "/a", "content": "x"},
					Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"/a"}, Content: "x"}},
				Want: `"tool_name":"Write","tool_input":{"content":"x","file_path":"/a"}`, Update: `{"file_path":"/b","content":"x"}`,
				Patch: map[string]any{"filePath": "/b"},
			},
			"mcp": {
				Tool: trammel.ToolCall{Name: "files.read", Input: map[string]any{"p": "/a"}, Action: trammel.Action{Kind: trammel.MCPAction,
					Server: "files", Tool: "read"}},
				Want: `"tool_name":"mcp__files__read","tool_input":{"p":"/a"}`, Update: `{"p":"/b"}`, Patch: map[string]any{"p": "/b"},
			},
			"unknown": {
				Tool: trammel.ToolCall{Name: "frobnicate", Input: map[string]any{"x": true}},
				Want: `"tool_name":"frobnicate","tool_input":{"x":true}`, Update: `{"x":false}`, Patch: map[string]any{"x": false},
			},
		})
}

func TestForeignOutput(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PostToolUse, Host: "elsewhere", Tool: &trammel.ToolCall{Name: "run_shell_command", Done: true,
		Output: "hi", Input: map[string]any{"command": "echo hi"}}}
	dialectsuite.Holds(t, &Dialect, ev, `"tool_response":{"interrupted":false,"isImage":false,"stderr":"","stdout":"hi"}`)
}

func TestCeilingAndEnviron(t *testing.T) {
	dialectsuite.Ceilings(t, &Dialect, map[trammel.Kind]trammel.Authority{
		trammel.PreToolUse: trammel.Grant, trammel.PermissionRequest: trammel.Grant, trammel.PostToolUse: trammel.Guard,
		trammel.Stop:         trammel.Guard,
		trammel.SessionStart: trammel.Contextual, trammel.SubagentStart: trammel.Contextual, trammel.SessionEnd: trammel.Observe,
		trammel.ToolGuard: trammel.Guard,
		trammel.Other:     trammel.Observe,
	})
	env := Dialect.Environ(&trammel.Event{Session: trammel.Session{Dir: "/d", Project: "/p"}})
	if !reflect.DeepEqual(env, []string{"CLAUDECODE=1", "CLAUDE_PROJECT_DIR=/p"}) {
		t.Errorf("environment %q", env)
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	dialectsuite.FuzzAnswers(f, &Dialect, bashEvent, []string{`{"decision":"block","reason":"r"}`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","updatedInput":{"command":"x"}}}`})
}
