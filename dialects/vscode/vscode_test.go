package vscode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var _ trammel.HostDialect = &Dialect

func TestHost(t *testing.T) {
	dialectsuite.Host(t, &Dialect, &Host, dialectsuite.Wire{
		Good: `{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"run_in_terminal","tool_input":{"command":"ls"},` +
			`"tool_use_id":"t"}`,
		EventField: `"hook_event_name":"PreToolUse",`, ToolKey: "tool_name", ToolName: "run_in_terminal", Input: `{"command":"ls"}`,
		Event: "PreToolUse", OtherEvent: "SessionStart",
	})
}

// Forms that could be taken for consent, or for nothing: an allow that is no
// grant, a block without a reason, JSON beside exit code 2, text on stderr
// with exit code 0, an unknown field.
func TestForbiddenForms(t *testing.T) {
	clean := "clean"
	for _, ev := range dialectsuite.Events(t, &Dialect) {
		for _, decision := range []trammel.Decision{trammel.None, trammel.Allow, trammel.Ask, trammel.Deny} {
			for _, reason := range []string{"", "why", `{"decision":"allow"}`} {
				for _, input := range []map[string]any{nil, {"command": "ls -l"}, {"command": func() {}}} {
					for _, granted := range []bool{false, decision == trammel.Allow} {
						v := trammel.Verdict{Answer: trammel.Answer{Decision: decision, Reason: reason, Input: input, Output: &clean,
							Context: []string{"c"}, Notice: "n"}, Granted: granted}
						r := Dialect.EncodeVerdict(ev, &v)
						said := fmt.Sprintf("%s: %v: %s%s", ev.Name, decision, r.Stdout, r.Stderr)
						if wrong := wrong(r, granted); wrong != "" {
							t.Errorf("%s: %s", said, wrong)
						}
						if decision == trammel.Deny && Dialect.Powers(ev.Kind).Can.Any(trammel.Block) && !denies(r) {
							t.Errorf("%s does not deny", said)
						}
					}
				}
			}
		}
	}
}

func wrong(r trammel.Reply, granted bool) string {
	switch {
	case r.Exit == 2 && (len(r.Stdout) > 0 || strings.TrimSpace(string(r.Stderr)) == "" || r.Stderr[0] == '{'):
		return "exit code 2 with JSON, or without a reason"
	case r.Exit == 0 && len(r.Stderr) > 0 || r.Exit != 0 && r.Exit != 2:
		return "text on stderr, or an exit code that means nothing"
	case len(r.Stdout) == 0:
		return ""
	}
	obj, err := strict.Object(r.Stdout, strict.Limits{})
	if err != nil {
		return err.Error()
	}
	in, _ := obj["hookSpecificOutput"].(map[string]any)
	delete(obj, "hookSpecificOutput")
	delete(obj, "systemMessage")
	word, _ := in["permissionDecision"].(string)
	switch {
	case len(obj) > 0:
		return "an unknown field"
	case word == "allow" && !granted:
		return "an allow that is no grant"
	case (word == "deny" || word == "ask") && in["permissionDecisionReason"] == nil:
		return "no reason"
	}
	return ""
}

func denies(r trammel.Reply) bool {
	return r.Exit == 2 || strings.Contains(string(r.Stdout), `"permissionDecision":"deny"`)
}

func TestProjectDir(t *testing.T) {
	if dir := Dialect.ProjectDir(func(string) string { return "/x" }); dir != "" {
		t.Errorf("project %q", dir)
	}
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
