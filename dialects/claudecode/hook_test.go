package claudecode

import (
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

func bashEvent(kind trammel.Kind) *trammel.Event {
	return &trammel.Event{Kind: kind, Host: Host.System, Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls",
		"timeout": int64(5)}}}
}

func TestDecodeAnswer(t *testing.T) {
	pre := func(fields string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse",` + fields + `}}`
	}
	clean := "clean"
	type answer = trammel.Answer
	for name, c := range map[string]struct {
		kind   trammel.Kind
		out    trammel.Output
		want   answer
		failed trammel.Code
	}{
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
	} {
		t.Run(name, func(t *testing.T) {
			ev := bashEvent(c.kind)
			if c.kind != trammel.PreToolUse && c.kind != trammel.PermissionRequest && c.kind != trammel.PostToolUse {
				ev.Tool = nil
			}
			got, err := Dialect.DecodeAnswer(ev, c.out)
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

func stdout(s string) trammel.Output { return trammel.Output{Stdout: []byte(s)} }

// A hook for Claude Code sees another host's call in the words that it knows,
// and what it rewrites comes back in the host's own.
func TestForeignCalls(t *testing.T) {
	for name, c := range map[string]struct {
		tool   trammel.ToolCall
		want   string // in the payload
		update string
		patch  map[string]any
		failed trammel.Code
	}{
		"shell under another name": {
			tool: trammel.ToolCall{Name: "run_shell_command", Input: map[string]any{"cmd": "ls", "timeout_ms": int64(9)}},
			want: `"tool_name":"Bash","tool_input":{"command":"ls","timeout_ms":9}`, update: `{"command":"ls -l"}`,
			patch: map[string]any{"cmd": "ls -l"},
		},
		"shell as words": {
			tool: trammel.ToolCall{Name: "exec", Input: map[string]any{"command": []any{"rm", "a b"}}},
			want: `"tool_name":"Bash","tool_input":{"command":"rm 'a b'"}`, update: `{"command":"ls"}`, failed: trammel.CodeMalformed,
		},
		"write": {
			tool: trammel.ToolCall{Name: "create_file", Input: map[string]any{"filePath": "/a", "content": "x"},
				Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"/a"}, Content: "x"}},
			want: `"tool_name":"Write","tool_input":{"content":"x","file_path":"/a"}`, update: `{"file_path":"/b","content":"x"}`,
			patch: map[string]any{"filePath": "/b"},
		},
		"mcp": {
			tool: trammel.ToolCall{Name: "files.read", Input: map[string]any{"p": "/a"}, Action: trammel.Action{Kind: trammel.MCPAction,
				Server: "files", Tool: "read"}},
			want: `"tool_name":"mcp__files__read","tool_input":{"p":"/a"}`, update: `{"p":"/b"}`, patch: map[string]any{"p": "/b"},
		},
		"unknown": {
			tool: trammel.ToolCall{Name: "frobnicate", Input: map[string]any{"x": true}},
			want: `"tool_name":"frobnicate","tool_input":{"x":true}`, update: `{"x":false}`, patch: map[string]any{"x": false},
		},
	} {
		t.Run(name, func(t *testing.T) {
			ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "elsewhere", Session: trammel.Session{ID: "s", Dir: "/p", Mode: "yolo",
				Bypass: true}, Tool: &c.tool,
				Fields: map[string]any{"tool_name": "fake", "extra": "kept"}}
			ev.Prepare()
			raw, err := Dialect.EncodeEvent(ev)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{c.want, `"hook_event_name":"PreToolUse"`, `"permission_mode":"bypassPermissions"`, `"extra":"kept"`} {
				if !strings.Contains(string(raw), part) {
					t.Errorf("%s\ndoes not hold %s", raw, part)
				}
			}
			if _, err := Dialect.DecodeEvent(raw, "PreToolUse"); err != nil {
				t.Errorf("not what Claude Code would send: %v", err)
			}
			a, err := Dialect.DecodeAnswer(ev, stdout(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":`+c.update+`}}`))
			if c.failed != "" {
				if codeOf(err) != c.failed {
					t.Errorf("got %v, want code %s", err, c.failed)
				}
			} else if err != nil || !reflect.DeepEqual(a.Input, c.patch) {
				t.Errorf("got the patch %v, %v, want %v", a.Input, err, c.patch)
			}
		})
	}
}

func TestForeignOutput(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PostToolUse, Host: "elsewhere", Tool: &trammel.ToolCall{Name: "run_shell_command", Done: true,
		Output: "hi", Input: map[string]any{"command": "echo hi"}}}
	ev.Prepare()
	raw, err := Dialect.EncodeEvent(ev)
	if want := `"tool_response":{"interrupted":false,"isImage":false,"stderr":"","stdout":"hi"}`; err != nil ||
		!strings.Contains(string(raw), want) {
		t.Errorf("%s (%v)\ndoes not hold %s", raw, err, want)
	}
}

func TestCeilingAndEnviron(t *testing.T) {
	for kind, want := range map[trammel.Kind]trammel.Authority{
		trammel.PreToolUse: trammel.Grant, trammel.PermissionRequest: trammel.Grant, trammel.PostToolUse: trammel.Guard,
		trammel.Stop:         trammel.Guard,
		trammel.SessionStart: trammel.Contextual, trammel.SubagentStart: trammel.Contextual, trammel.SessionEnd: trammel.Observe,
		trammel.ToolGuard: trammel.Guard,
		trammel.Other:     trammel.Observe,
	} {
		if got := Dialect.Ceiling(kind); got != want {
			t.Errorf("%v: %v, want %v", kind, got, want)
		}
	}
	env := Dialect.Environ(&trammel.Event{Session: trammel.Session{Dir: "/d", Project: "/p"}})
	if !reflect.DeepEqual(env, []string{"CLAUDECODE=1", "CLAUDE_PROJECT_DIR=/p"}) {
		t.Errorf("environment %q", env)
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	for _, s := range []string{`{"decision":"block","reason":"r"}`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","updatedInput":{"command":"x"}}}`, "plain",
		`{"continue":false}`} {
		for _, kind := range []trammel.Kind{trammel.PreToolUse, trammel.Stop, trammel.PermissionRequest} {
			f.Add([]byte(s), []byte("err"), 0, uint8(kind))
		}
	}
	f.Fuzz(func(t *testing.T, out, err []byte, exit int, kind uint8) {
		if int(kind) > len(trammel.Kinds()) {
			return
		}
		ev := bashEvent(trammel.Kind(kind))
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
