package conformance

import (
	"testing"

	"github.com/trammel-dev/trammel"
)

// TestForms: what hosts were seen to let through is not taken for a denial, and
// what they were seen to honour is (the matrix of hosts.md).
func TestForms(t *testing.T) {
	const claude = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No."}}`
	for _, c := range []struct {
		name, host     string
		class          Class
		stdout, stderr string
		exit           int
		ok             bool
	}{
		{"its own form", "claude-code", Deny, claude, "", 0, true},
		{"exit 2", "claude-code", Deny, "", "No.\n", 2, true},
		{"exit 2 without a reason", "claude-code", Deny, "", "", 2, false},
		{"exit 1", "claude-code", Deny, "", "No.\n", 1, false},
		{"noise before it", "claude-code", Deny, "starting\n" + claude, "", 0, false},
		{"noise on stderr", "claude-code", Deny, claude, "starting\n", 0, false},
		{"an extra key", "claude-code", Deny, claude[:len(claude)-1] + `,"x":1}`, "", 0, true},
		{"no hookEventName", "claude-code", Deny, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"No."}}`, "",
			0, false},
		{"another system's word", "claude-code", Deny, `{"decision":"deny","reason":"No."}`, "", 0, false},
		{"silence", "claude-code", Deny, "", "", 0, false},
		{"its own form", "codex", Deny, claude, "", 0, true},
		{"an extra key", "codex", Deny, claude[:len(claude)-1] + `,"x":1}`, "", 0, false},
		{"no reason", "codex", Deny, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`, "", 0, false},
		{"a bare allow", "codex", Allow, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`, "", 0, false},
		{"a rewrite without allow", "codex", Rewrite, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}`,
			"", 0, false},
		{"a rewrite", "codex", Rewrite,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}`, "", 0, true},
		{"another rewrite", "codex", Rewrite,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"rm"}}}`, "", 0, false},
		{"its own form", "gemini-cli", Deny, `{"decision":"deny","reason":"No."}`, "", 0, true},
		{"Claude's form", "gemini-cli", Deny, claude, "", 0, false},
		{"its own form", "copilot-cli", Deny, `{"permissionDecision":"deny","permissionDecisionReason":"No."}`, "", 0, true},
		{"Claude's form", "copilot-cli", Deny, claude, "", 0, false},
		{"a block", "copilot-cli", Deny, `{"decision":"block","reason":"No."}`, "", 0, false},
		{"silence", "codex", Allow, "", "", 0, true},
		{"noise", "codex", Allow, "ok\n", "", 0, false},
		{"an opinion", "gemini-cli", Allow, `{"decision":"allow"}`, "", 0, false},
	} {
		t.Run(c.host+": "+c.name, func(t *testing.T) {
			h, err := loadHost(c.host)
			if err != nil {
				t.Fatal(err)
			}
			f := &Fixture{Event: "pre_tool_use", Expect: Expectation{Class: c.class, Text: "No."}}
			if c.class == Rewrite {
				f.Expect.Text, f.Expect.Command = "", "ls"
			}
			x := &trial{host: h, fixture: f, result: &Result{}}
			x.reply(trammel.Reply{Stdout: []byte(c.stdout), Stderr: []byte(c.stderr), Exit: c.exit}, c.class, false)
			if ok := len(x.result.Problems) == 0; ok != c.ok {
				t.Errorf("taken for %s: %v, expected %v: %+v", c.class, ok, c.ok, x.result.Problems)
			}
		})
	}
}
