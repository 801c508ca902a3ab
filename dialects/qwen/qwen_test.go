package qwen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var _ trammel.HostDialect = &Dialect

func TestHost(t *testing.T) {
	dialectsuite.Host(t, &Dialect, &Host, dialectsuite.Wire{
		Good: `{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"run_shell_command","tool_input":{"command":"ls"},` +
			`"tool_use_id":"t"}`,
		EventField: `"hook_event_name":"PreToolUse",`, ToolKey: "tool_name", ToolName: "run_shell_command", Input: `{"command":"ls"}`,
		Event: "PreToolUse", OtherEvent: "Notification",
	})
}

// What Qwen was seen to ignore must not be sent, because then nobody would
// notice that it was not done.
func TestNothingIgnoredIsSent(t *testing.T) {
	clean := "clean"
	for _, ev := range dialectsuite.Events(t, &Dialect) {
		for _, decision := range []trammel.Decision{trammel.None, trammel.Allow, trammel.Ask, trammel.Deny} {
			for _, reason := range []string{"", "why", `{"decision":"allow"}`} {
				for _, input := range []map[string]any{nil, {"command": "ls -l"}} {
					v := trammel.Verdict{Answer: trammel.Answer{Decision: decision, Reason: reason, Input: input, Output: &clean, Context: []string{"c"},
						Notice: "n"}, Granted: decision == trammel.Allow}
					can := Dialect.Powers(ev.Kind).Can
					mustBlock := (decision == trammel.Deny || input != nil) && can.Any(trammel.Block)
					r := Dialect.EncodeVerdict(ev, &v)
					said := fmt.Sprintf("%s: %v: %s%s", ev.Name, decision, r.Stdout, r.Stderr)
					for _, never := range []string{"updatedInput", "updatedToolOutput", "modified", `"allow"`, `"approve"`, "continue"} {
						if strings.Contains(strings.ReplaceAll(string(r.Stdout), `{\"decision\":\"allow\"}`, ""), never) {
							t.Errorf("%s holds %s", said, never)
						}
					}
					if strings.Contains(string(r.Stdout), "additionalContext") && !can.Any(trammel.Inject) {
						t.Errorf("%s: context is ignored there", said)
					}
					if r.Exit == 0 && len(r.Stderr) > 0 || r.Exit == 2 && (len(r.Stdout) > 0 || len(r.Stderr) == 0) {
						t.Errorf("%s: stderr and exit code %d", said, r.Exit)
					}
					if blocks := blocked(t, r); mustBlock && !blocks {
						t.Errorf("%s does not block", said)
					}
				}
			}
		}
	}
}

// blocked reports whether a reply denies, with a reason.
func blocked(t *testing.T, r trammel.Reply) bool {
	if r.Exit == 2 {
		return true
	}
	if len(r.Stdout) == 0 {
		return false
	}
	obj, err := strict.Object(r.Stdout, strict.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if obj["decision"] == "block" {
		return obj["reason"] != nil
	}
	in, _ := obj["hookSpecificOutput"].(map[string]any)
	if d, ok := in["decision"].(map[string]any); ok {
		return d["behavior"] == "deny" && d["message"] != nil
	}
	return in["permissionDecision"] == "deny" && in["permissionDecisionReason"] != nil
}

// Qwen repeats its prompt event for tool results and stop-blocks; only what
// the user submitted says so.
func TestSyntheticPrompts(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want bool
	}{
		{`{"hook_event_name":"UserPromptSubmit","prompt":"p","submitted_prompt":"p"}`, false},
		{`{"hook_event_name":"UserPromptSubmit","prompt":"p and more","submitted_prompt":"p"}`, false},
		{`{"hook_event_name":"UserPromptSubmit","prompt":"run the tests"}`, true},
		{`{"hook_event_name":"UserPromptSubmit","prompt":"run the tests","submitted_prompt":null}`, true},
	} {
		ev, err := Dialect.DecodeEvent([]byte(c.raw), "")
		if err != nil || ev.Prompt.Synthetic != c.want {
			t.Errorf("%s: %+v, %v", c.raw, ev.Prompt, err)
		}
	}
}

func TestParents(t *testing.T) {
	for name, c := range map[string]struct {
		turn, agent string
		wantAgent   string
		want        []string
	}{
		"the main agent":         {turn: "s########0"},
		"no turn":                {},
		"another session's turn": {turn: "x#a#0"},
		"a sub-agent's call":     {turn: "s#a#0", wantAgent: "a", want: []string{"s"}},
		"about a sub-agent":      {turn: "s########0", agent: "a", wantAgent: "a", want: []string{"s"}},
		"about a child of one":   {turn: "s#a#0", agent: "b", wantAgent: "b", want: []string{"a", "s"}},
		"a strange turn":         {turn: "s#"},
	} {
		raw := fmt.Sprintf(`{"hook_event_name":"SubagentStop","session_id":"s","prompt_id":%q,"agent_id":%q}`, c.turn, c.agent)
		ev, err := Dialect.DecodeEvent([]byte(raw), "")
		if err != nil || ev.Session.AgentID != c.wantAgent || !slices.Equal(ev.Session.Parents, c.want) {
			t.Errorf("%s: agent %q, parents %q, %v", name, ev.Session.AgentID, ev.Session.Parents, err)
		}
	}
}

func TestProjectDir(t *testing.T) {
	if dir := Dialect.ProjectDir(func(key string) string { return key }); dir != "QWEN_PROJECT_DIR" {
		t.Errorf("project %q", dir)
	}
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
