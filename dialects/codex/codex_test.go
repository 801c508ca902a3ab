package codex

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect = &Dialect
	_ trammel.HookDialect = &Dialect
)

func TestHost(t *testing.T) {
	dialectsuite.Host(t, &Dialect, &Host, dialectsuite.Wire{
		Good: `{"session_id":"s","turn_id":"t","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash",` +
			`"tool_input":{"command":"ls"},"tool_use_id":"t"}`,
		EventField: `"hook_event_name":"PreToolUse",`, ToolKey: "tool_name", ToolName: "Bash", Input: `{"command":"ls"}`,
		Event: "PreToolUse", OtherEvent: "SessionEnd",
	})
}

// honours is Codex's reading of a reply, as far as it could drop it: the
// reason why the whole answer would be dropped, "" if it counts.
func honours(kind trammel.Kind, r trammel.Reply) (dropped string, blocks bool) {
	if r.Exit == 2 {
		if strings.TrimSpace(string(r.Stderr)) == "" || len(r.Stdout) > 0 {
			return "exit 2 without a reason, or with an answer", false
		}
		return "", true
	}
	if r.Exit != 0 || len(r.Stderr) > 0 {
		return "an exit code or a text on stderr that mean nothing", false
	}
	if len(r.Stdout) == 0 {
		return "", false
	}
	obj, err := strict.Object(r.Stdout, strict.Limits{})
	if err != nil {
		return err.Error(), false
	}
	top := []string{"hookSpecificOutput", "systemMessage"}
	inner := []string{"hookEventName"}
	switch kind {
	case trammel.PreToolUse:
		inner = append(inner, "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext")
	case trammel.PermissionRequest:
		inner = append(inner, "decision")
	case trammel.PostToolUse, trammel.UserPromptSubmit:
		top, inner = append(top, "decision", "reason"), append(inner, "additionalContext")
	case trammel.SessionStart, trammel.SubagentStart:
		inner = append(inner, "additionalContext")
	case trammel.Stop, trammel.SubagentStop:
		top, inner = []string{"systemMessage", "decision", "reason"}, nil
	case trammel.PreCompact, trammel.PostCompact:
		top, inner = []string{"systemMessage"}, nil
	default:
		return "this event takes no answer", false
	}
	specific, _ := obj["hookSpecificOutput"].(map[string]any)
	for key := range obj {
		if !slices.Contains(top, key) {
			return "unknown field " + key, false
		}
	}
	for key := range specific {
		if !slices.Contains(inner, key) {
			return "unknown field " + key, false
		}
	}
	if specific != nil && specific["hookEventName"] != Host.EventName(kind) {
		return "hookEventName", false
	}
	text := func(v any) bool { s, _ := v.(string); return strings.TrimSpace(s) != "" }
	if d, there := obj["decision"]; there || obj["reason"] != nil {
		if d != "block" || !text(obj["reason"]) {
			return "decision", false
		}
		blocks = true
	}
	updated, hasInput := specific["updatedInput"]
	switch specific["permissionDecision"] {
	case nil:
		if hasInput || specific["permissionDecisionReason"] != nil {
			return "no permissionDecision", false
		}
	case "deny":
		if hasInput || !text(specific["permissionDecisionReason"]) {
			return "deny", false
		}
		blocks = true
	case "allow":
		if in, ok := updated.(map[string]any); !ok || len(in) == 0 {
			return "a bare allow", false
		}
	default:
		return "permissionDecision", false
	}
	if d, ok := specific["decision"].(map[string]any); ok {
		switch {
		case d["behavior"] == "deny" && text(d["message"]) && len(d) == 2:
			blocks = true
		case d["behavior"] == "allow" && len(d) == 1:
		default:
			return "behavior", false
		}
	}
	return "", blocks
}

// Codex drops an answer for the least flaw, and then the tool runs. No verdict
// may ever leave in such a form, degraded before or not: no unknown key, no
// bare allow, no ask, no noise, no denial without a reason.
func TestNothingIsDropped(t *testing.T) { dialectsuite.NothingIsMisread(t, &Dialect, honours) }

// The forms that were seen to work, byte for byte.
func TestDocumentedForms(t *testing.T) {
	clean := "clean"
	bash := &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls", "timeout": int64(5)}}
	type answer = trammel.Answer
	dialectsuite.Forms(t, &Dialect, bash, map[string]dialectsuite.Form{
		"deny": {trammel.PreToolUse, trammel.Verdict{Answer: trammel.Denial("no")},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`},
		"rewrite": {trammel.PreToolUse, trammel.Verdict{Answer: answer{Input: map[string]any{"command": "ls -l"}}},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls -l","timeout":5}}}`},
		"context": {trammel.PreToolUse, trammel.Verdict{Answer: answer{Context: []string{"a", "b"}}},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"a\n\nb"}}`},
		"output": {trammel.PostToolUse, trammel.Verdict{Answer: answer{Output: &clean}}, `{"decision":"block","reason":"clean"}`},
		"stop":   {trammel.Stop, trammel.Verdict{Answer: trammel.Denial("go on")}, `{"decision":"block","reason":"go on"}`},
		"grant": {trammel.PermissionRequest, trammel.Verdict{Answer: answer{Decision: trammel.Allow}, Granted: true},
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`},
	})
}

func TestPatches(t *testing.T) {
	for name, c := range map[string]struct {
		patch string
		want  trammel.Action
	}{
		"add": {"*** Begin Patch\n*** Add File: a\n+x\n+y\n*** End Patch", trammel.Action{Kind: trammel.WriteAction,
			Paths: []string{"a"}, Content: "x\ny"}},
		"delete": {"*** Begin Patch\n*** Delete File: a b\n*** End Patch", trammel.Action{Kind: trammel.DeleteAction,
			Paths: []string{"a b"}}},
		"update and move": {"*** Begin Patch\n*** Update File: a\n*** Move to: /etc/b\n@@\n-x\n+y\n*** End Patch",
			trammel.Action{Kind: trammel.EditAction, Also: []trammel.ActionKind{trammel.DeleteAction}, Paths: []string{"a", "/etc/b"},
				Content: "y"}},
		"several": {"*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch", trammel.Action{Kind: trammel.EditAction,
			Also: []trammel.ActionKind{trammel.WriteAction, trammel.DeleteAction}, Paths: []string{"a", "b"}, Content: "x"}},
		"indented": {"<<'EOF'\n *** Begin Patch\r\n  *** update file: a \r\n@@\r\n+x\r\n*** End Patch\r\nEOF",
			trammel.Action{Kind: trammel.EditAction, Paths: []string{"a"}, Content: "x"}},
		"added header": {"*** Begin Patch\n*** Add File: a\n+*** Delete File: b\n*** End Patch", trammel.Action{Kind: trammel.WriteAction,
			Paths: []string{"a"}, Content: "*** Delete File: b"}},
		"no patch": {"", trammel.Action{Kind: trammel.EditAction}},
	} {
		call := &trammel.ToolCall{Name: "apply_patch", Input: map[string]any{"command": c.patch}}
		if got := Dialect.Shapes().Action(call); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, c.want)
		}
	}
}

func TestDeadlines(t *testing.T) {
	for _, kind := range []trammel.Kind{trammel.SessionEnd, trammel.Interrupt} {
		if d := Dialect.Powers(kind).Deadline; d != 3*time.Second {
			t.Errorf("%v: %v, want what Codex clamps it to", kind, d)
		}
	}
	if dir := Dialect.ProjectDir(func(string) string { return "/x" }); dir != "" {
		t.Errorf("project %q", dir)
	}
}

// An event of this host goes to a hook program as it came.
func TestEncodeEventIsThePayload(t *testing.T) {
	dialectsuite.EventIsThePayload(t, &Dialect, dialectsuite.NoNulls)
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
