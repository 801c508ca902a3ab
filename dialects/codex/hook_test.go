package codex

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var stdout = dialectsuite.Stdout

func bashEvent(kind trammel.Kind) *trammel.Event {
	ev := &trammel.Event{Kind: kind, Host: Host.System}
	switch kind {
	case trammel.PreToolUse, trammel.PermissionRequest, trammel.PostToolUse, trammel.ToolGuard:
		ev.Tool = &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls"}}
	}
	return ev
}

func TestDecodeAnswer(t *testing.T) {
	pre := func(fields string) trammel.Output {
		return stdout(`{"hookSpecificOutput":{"hookEventName":"PreToolUse",` + fields + `}}`)
	}
	type answer = trammel.Answer
	dialectsuite.Answers(t, &Dialect, bashEvent, map[string]dialectsuite.Said{
		"nothing":              {trammel.PreToolUse, stdout(" \n"), answer{}, ""},
		"empty object":         {trammel.PreToolUse, stdout(`{}`), answer{}, ""},
		"exit 2":               {trammel.PreToolUse, trammel.Output{Exit: 2, Stderr: []byte("no way\n")}, trammel.Denial("no way"), ""},
		"exit 2, no reason":    {trammel.PreToolUse, trammel.Output{Exit: 2}, trammel.Denial("Blocked by a hook that gave no reason."), ""},
		"exit 2, cannot block": {trammel.SessionStart, trammel.Output{Exit: 2, Stderr: []byte("x")}, answer{Notice: "x"}, ""},
		"exit 1 with a deny": {trammel.PreToolUse, trammel.Output{Exit: 1,
			Stdout: pre(`"permissionDecision":"deny","permissionDecisionReason":"r"`).Stdout}, answer{}, trammel.CodeCrash},
		"deny": {trammel.PreToolUse, pre(`"permissionDecision":"deny","permissionDecisionReason":"r"`), trammel.Denial("r"),
			""},
		"deny without a reason": {trammel.PreToolUse, pre(`"permissionDecision":"deny","permissionDecisionReason":" "`), answer{},
			trammel.CodeMalformed},
		"ask": {trammel.PreToolUse, pre(`"permissionDecision":"ask","permissionDecisionReason":"r"`), answer{},
			trammel.CodeMalformed},
		"bare allow": {trammel.PreToolUse, pre(`"permissionDecision":"allow"`), answer{}, trammel.CodeMalformed},
		"rewrite": {trammel.PreToolUse, pre(`"permissionDecision":"allow","updatedInput":{"command":"ls -l"}`),
			answer{Input: map[string]any{"command": "ls -l"}}, ""},
		"rewrite of nothing":    {trammel.PreToolUse, pre(`"permissionDecision":"allow","updatedInput":{"command":"ls"}`), answer{}, ""},
		"rewrite without allow": {trammel.PreToolUse, pre(`"updatedInput":{"command":"ls -l"}`), answer{}, trammel.CodeMalformed},
		"rewrite without a call": {trammel.SessionStart, stdout(
			`{"hookSpecificOutput":{"hookEventName":"SessionStart","permissionDecision":"allow","updatedInput":{}}}`), answer{},
			trammel.CodeMalformed},
		"context":              {trammel.PreToolUse, pre(`"additionalContext":"c"`), answer{Context: []string{"c"}}, ""},
		"unknown field":        {trammel.PreToolUse, stdout(`{"decision":"block","reason":"r","x":1}`), answer{}, trammel.CodeUnknownField},
		"unknown field inside": {trammel.PreToolUse, pre(`"x":1`), answer{}, trammel.CodeUnknownField},
		"no hookEventName": {trammel.PreToolUse, stdout(
			`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r"}}`), answer{}, trammel.CodeMalformed},
		"block":                   {trammel.PreToolUse, stdout(`{"decision":"block","reason":"r"}`), trammel.Denial("r"), ""},
		"block without a reason":  {trammel.Stop, stdout(`{"decision":"block"}`), answer{}, trammel.CodeMalformed},
		"reason without decision": {trammel.PostToolUse, stdout(`{"reason":"r"}`), answer{}, trammel.CodeMalformed},
		"approve":                 {trammel.PreToolUse, stdout(`{"decision":"approve"}`), answer{}, trammel.CodeMalformed},
		"deny is no decision":     {trammel.PreToolUse, stdout(`{"decision":"deny","reason":"r"}`), answer{}, trammel.CodeMalformed},
		"duplicate":               {trammel.PreToolUse, stdout(`{"decision":"block","decision":"approve"}`), answer{}, trammel.CodeMalformed},
		"noise before JSON":       {trammel.PreToolUse, stdout("x\n{\"decision\":\"block\"}"), answer{}, trammel.CodeMalformed},
		"noise":                   {trammel.PreToolUse, stdout("checking"), answer{Diagnostics: []string{"checking"}}, ""},
		"plain text is context":   {trammel.SessionStart, stdout("hello\n"), answer{Context: []string{"hello"}}, ""},
		"notice":                  {trammel.Stop, stdout(`{"systemMessage":"m"}`), answer{Notice: "m"}, ""},
		"stop before a call":      {trammel.PreToolUse, stdout(`{"continue":false}`), answer{}, trammel.CodeMalformed},
		"stop after a call":       {trammel.PostToolUse, stdout(`{"continue":false,"stopReason":"enough"}`), trammel.Denial("enough"), ""},
		"stop with a prompt":      {trammel.UserPromptSubmit, stdout(`{"continue":false,"stopReason":"enough"}`), trammel.Denial("enough"), ""},
		"stop at the end":         {trammel.Stop, stdout(`{"continue":false}`), answer{}, ""},
		"permission denied": {trammel.PermissionRequest, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"m"}}}`), trammel.Denial("m"), ""},
		"permission granted": {trammel.PermissionRequest, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`), answer{Decision: trammel.Allow}, ""},
		"permission, reserved": {trammel.PermissionRequest, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{}}}}`), answer{},
			trammel.CodeUnknownField},
		"permission, interrupt": {trammel.PermissionRequest, stdout(
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"m","interrupt":true}}}`),
			answer{}, trammel.CodeMalformed},
		"a foreign event": {trammel.ToolGuard, pre(`"permissionDecision":"deny","permissionDecisionReason":"r"`), trammel.Denial("r"),
			""},
	})
}

// A hook for Codex sees another host's call in the words that it knows, and
// what it rewrites comes back in the host's own.
func TestForeignCalls(t *testing.T) {
	edit := trammel.ToolCall{Name: "Edit", Input: map[string]any{"file_path": "/a", "old_string": "x", "new_string": "y\nz"},
		Action: trammel.Action{Kind: trammel.EditAction, Paths: []string{"/a"}, Content: "y\nz"}}
	ev := trammel.Event{Session: trammel.Session{ID: "s", Dir: "/p", Mode: "yolo", Bypass: true},
		Fields: map[string]any{"tool_name": "fake", "extra": "kept"}}
	dialectsuite.ForeignCalls(t, &Dialect, ev, []string{`"hook_event_name":"PreToolUse"`, `"permission_mode":"bypassPermissions"`},
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":%s}}`, map[string]dialectsuite.Foreign{
			"shell": {
				Tool: trammel.ToolCall{Name: "run_shell_command", Input: map[string]any{"cmd": "ls", "timeout_ms": int64(9)}},
				Want: `"tool_name":"Bash","tool_input":{"command":"ls","timeout_ms":9}`, Update: `{"command":"ls -l"}`,
				Patch: map[string]any{"cmd": "ls -l"},
			},
			"edit": {
				Tool:   edit,
				Want:   `"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: /a\n@@\n-x\n+y\n+z\n*** End Patch\n"}`,
				Update: `{"command":"x"}`, Failed: trammel.CodeMalformed,
			},
			"an argument of the same name elsewhere": {
				Tool: trammel.ToolCall{Name: "apply_patch", Input: map[string]any{"input": "*** Begin Patch"},
					Action: trammel.Action{Kind: trammel.EditAction, Paths: []string{"/a"}, Content: "y"}},
				Want: `"tool_input":{"command":"*** Begin Patch\n*** Update File: /a\n@@\n+y\n*** End Patch\n"}`, Update: `{}`,
			},
			"mcp": {
				Tool: trammel.ToolCall{Name: "mcp_files_read", Input: map[string]any{"p": "/a"}, Action: trammel.Action{Kind: trammel.MCPAction,
					Server: "files", Tool: "read"}},
				Want: `"tool_name":"mcp__files__read","tool_input":{"p":"/a"}`, Update: `{"p":"/b"}`, Patch: map[string]any{"p": "/b"},
			},
		})
}

// A failure elsewhere is an ordinary output to a program for Codex.
func TestForeignFailure(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PostToolFailure, Host: "elsewhere", Tool: &trammel.ToolCall{Name: "Bash", Done: true, Failed: true,
		Error: "boom", Input: map[string]any{"command": "false"}}}
	dialectsuite.Holds(t, &Dialect, ev, `"hook_event_name":"PostToolUse"`, `"tool_response":"boom"`)
}

func TestCeilingAndEnviron(t *testing.T) {
	dialectsuite.Ceilings(t, &Dialect, map[trammel.Kind]trammel.Authority{
		trammel.PreToolUse: trammel.Guard, trammel.PermissionRequest: trammel.Grant, trammel.PostToolUse: trammel.Guard,
		trammel.Stop:         trammel.Guard,
		trammel.SessionStart: trammel.Contextual, trammel.SessionEnd: trammel.Observe, trammel.ToolGuard: trammel.Guard,
		trammel.Other: trammel.Observe,
	})
	if env := Dialect.Environ(&trammel.Event{}); env != nil {
		t.Errorf("environment %q", env)
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	dialectsuite.FuzzAnswers(f, &Dialect, bashEvent, []string{`{"decision":"block","reason":"r"}`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"x"}}}`},
		func(t *testing.T, kind trammel.Kind, a *trammel.Answer) {
			// The envelope of a PermissionRequest may be sent on any event; it
			// grants nothing beyond the ceiling.
			if a.Decision == trammel.Allow && kind != trammel.PermissionRequest && Dialect.Ceiling(kind) == trammel.Grant {
				t.Fatalf("%v was granted", kind)
			}
		})
}
