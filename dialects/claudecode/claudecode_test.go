package claudecode

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect   = &Dialect
	_ trammel.HookDialect   = &Dialect
	_ dialects.PowerLimiter = &Dialect
)

func TestHost(t *testing.T) {
	dialectsuite.Decodes(t, &Dialect)
	dialectsuite.Table(t, &Dialect, &Host)
	dialectsuite.Hostile(t, &Dialect, dialectsuite.Wire{
		Good: `{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},` +
			`"tool_use_id":"t"}`,
		EventField: `"hook_event_name":"PreToolUse",`, ToolKey: "tool_name", ToolName: "Bash", Input: `{"command":"ls"}`,
		Event: "PreToolUse", OtherEvent: "Notification",
	})
}

// What another system calls its events is known once its dialect is linked.
func init() {
	trammel.Spell("test", func(add func(system, name string, kind trammel.Kind)) {
		add("gemini-cli", "BeforeTool", trammel.PreToolUse)
	})
}

// More ways to be taken for something else than one is.
func TestLookalikes(t *testing.T) {
	for _, raw := range []string{
		`{"hook_event_name":"PRETOOLUSE","tool_name":"Bash","tool_input":{}}`,
		`{"hook_event_name":"pre_tool_use","tool_name":"Bash","tool_input":{}}`,
		`{"hook_event_name":"BeforeTool","tool_name":"Bash","tool_input":{}}`,
		`{"hook_event_name":"PreToolUse","Hook_Event_Name":"Notification","tool_name":"Bash","tool_input":{}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{},"ｃwd":"/"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":null}`,
		`{"tool_input":{"hook_event_name":"Notification"},"hook_event_name":"PreToolUse","tool_name":"Bash","x":1e999}`,
		`{"hook_event_name":"Notification","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}`,
		`{"hook_event_name":"UserPromptSubmit"}`,
	} {
		ev, err := Dialect.DecodeEvent([]byte(raw), "")
		if err == nil || !ev.Kind.FailsClosed() {
			t.Errorf("%s: kind %v, error %v", raw, ev.Kind, err)
		}
	}
}

// eventsToAnswer is one event of each name, with tool calls where there is one.
func eventsToAnswer(t *testing.T) []*trammel.Event {
	var out []*trammel.Event
	seen := map[string]bool{}
	for _, p := range dialectsuite.Payloads(t) {
		ev, err := Dialect.DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		switch p.Label {
		case "PostToolUse:Read", "PostToolUse:Write", "PostToolUse:string":
			ev.Name = strings.ReplaceAll(p.Label, ":", "-")
		}
		if !seen[ev.Name] {
			seen[ev.Name] = true
			out = append(out, ev)
		}
	}
	managed := &trammel.Event{Kind: trammel.ConfigChange, Host: Host.System, Name: "ConfigChange-managed", Source: "policy_settings"}
	return append(out, managed)
}

func TestEncodes(t *testing.T) { dialectsuite.Encodes(t, &Dialect, eventsToAnswer(t)) }

// The forms that the issue demands byte for byte.
func TestDocumentedForms(t *testing.T) {
	out := "clean"
	bash := &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls", "timeout": int64(5)},
		Response: map[string]any{"stdout": "secret", "stderr": "x", "interrupted": false}}
	dialectsuite.Forms(t, &Dialect, bash, map[string]dialectsuite.Form{
		"deny": {trammel.PreToolUse, trammel.Verdict{Answer: trammel.Denial("no")},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`},
		"ask": {trammel.PreToolUse, trammel.Verdict{Answer: trammel.Answer{Decision: trammel.Ask, Reason: "ok?"}},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"ok?"}}`},
		"rewrite": {trammel.PreToolUse, trammel.Verdict{Answer: trammel.Answer{Input: map[string]any{"command": "ls -l"}}},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls -l","timeout":5}}}`},
		"context": {trammel.SessionStart, trammel.Verdict{Answer: trammel.Answer{Context: []string{"read me"}}},
			`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"read me"}}`},
		"stop-block":   {trammel.Stop, trammel.Verdict{Answer: trammel.Denial("go on")}, `{"decision":"block","reason":"go on"}`},
		"prompt-block": {trammel.UserPromptSubmit, trammel.Verdict{Answer: trammel.Denial("no")}, `{"decision":"block","reason":"no"}`},
		"permission": {trammel.PermissionRequest, trammel.Verdict{Answer: trammel.Denial("no")},
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}`},
		"output": {trammel.PostToolUse, trammel.Verdict{Answer: trammel.Answer{Output: &out}},
			`{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"interrupted":false,"stderr":"","stdout":"clean"}}}`},
	})
}

// A verdict that has not been degraded still leaves in no form that the host
// ignores or takes for something else.
func TestUndegraded(t *testing.T) {
	out := "clean"
	call := &trammel.ToolCall{Name: "Write", Input: map[string]any{"file_path": "/a"}, Response: map[string]any{"type": "create"}}
	for name, c := range map[string]struct {
		kind       trammel.Kind
		answer     trammel.Answer
		with, less string
	}{
		"arguments of a call that is not granted": {trammel.PermissionRequest, trammel.Answer{Input: map[string]any{"file_path": "/b"}},
			`"behavior":"deny"`, "updatedInput"},
		"output without a known shape": {trammel.PostToolUse, trammel.Answer{Output: &out}, "seen the original", "updatedToolOutput"},
		"context when it stops":        {trammel.Stop, trammel.Answer{Context: []string{"c"}, Notice: "n"}, "n", "additionalContext"},
		"a prompt to be changed": {trammel.UserPromptSubmit, trammel.Answer{Input: map[string]any{"prompt": "p"}},
			`"decision":"block"`, "updatedInput"},
	} {
		r := Dialect.EncodeVerdict(&trammel.Event{Kind: c.kind, Host: Host.System, Tool: call}, &trammel.Verdict{Answer: c.answer})
		if !strings.Contains(string(r.Stdout), c.with) || strings.Contains(string(r.Stdout), c.less) {
			t.Errorf("%s: %s", name, r.Stdout)
		}
	}
}

// What has no JSON form must not get through because of it.
func TestUnwritableRewriteDenies(t *testing.T) {
	dialectsuite.UnwritableRewriteDenies(t, &Dialect, "Bash", `"permissionDecision":"deny"`)
}

// An event of this host goes to a hook program as it came.
func TestEncodeEventIsThePayload(t *testing.T) {
	dialectsuite.EventIsThePayload(t, &Dialect, func(object map[string]any) {
		dialectsuite.NoNulls(object)
		if ms, ok := object["duration_ms"].(float64); ok { // times in whole milliseconds
			object["duration_ms"] = int64(ms)
		}
	})
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
