package kiro

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect   = &Dialect
	_ dialects.PowerLimiter = &Dialect
)

func TestHost(t *testing.T) {
	dialectsuite.Decodes(t, &Dialect)
	dialectsuite.Table(t, &Dialect, &Host)
	for _, event := range []string{"preToolUse", "PreToolUse"} {
		dialectsuite.Hostile(t, &Dialect, dialectsuite.Wire{
			Good:       `{"hook_event_name":"` + event + `","session_id":"s","cwd":"/p","tool_name":"shell","tool_input":{"command":"ls"}}`,
			EventField: `"hook_event_name":"` + event + `",`, ToolKey: "tool_name", ToolName: "shell", Input: `{"command":"ls"}`,
			Event: event, OtherEvent: "Manual",
		})
	}
}

// The suite wants JSON on stdout; where this host takes plain text instead, see
// TestPlainText. Names that differ in case only are answered alike.
func TestEncodes(t *testing.T) {
	var out []*trammel.Event
	seen := map[trammel.Kind]bool{trammel.SessionStart: true, trammel.UserPromptSubmit: true}
	for _, p := range dialectsuite.Payloads(t) {
		ev, err := Dialect.DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		if !seen[ev.Kind] {
			seen[ev.Kind] = true
			out = append(out, ev)
		}
	}
	dialectsuite.Encodes(t, &Dialect, out)
}

func TestPlainText(t *testing.T) {
	type answer = trammel.Answer
	for name, c := range map[string]struct {
		event  string
		answer answer
		want   trammel.Reply
	}{
		"nothing":     {"agentSpawn", answer{}, trammel.Reply{}},
		"context":     {"agentSpawn", answer{Context: []string{"a", "b"}}, trammel.Reply{Stdout: []byte("a\n\nb\n")}},
		"context, v3": {"SessionStart", answer{Context: []string{"a"}}, trammel.Reply{Stdout: []byte("a\n")}},
		"context, prompt": {"userPromptSubmit", answer{Context: []string{"a"}, Notice: "n"}, trammel.Reply{Stdout: []byte("a\n"),
			Stderr: []byte("n\n")}},
		"block, v3": {"UserPromptSubmit", answer{Decision: trammel.Deny, Reason: "no", Context: []string{"a"}},
			trammel.Reply{Exit: 2, Stderr: []byte("no\n")}},
		"block, v2 cannot": {"userPromptSubmit", answer{Decision: trammel.Deny, Reason: "no"},
			trammel.Reply{Stderr: []byte("no. This should have been blocked, but kiro cannot prevent it on user_prompt_submit.\n")}},
		"rewrite is denied": {"UserPromptSubmit", answer{Input: map[string]any{"prompt": "p"}}, trammel.Reply{Exit: 2,
			Stderr: []byte("A hook corrected this, but kiro cannot change it on user_prompt_submit. Use this instead: {\"prompt\":\"p\"}\n")}},
	} {
		kind, _ := Host.Exact(c.event)
		r := Dialect.EncodeVerdict(&trammel.Event{Kind: kind, Host: Host.System, Name: c.event}, &trammel.Verdict{Answer: c.answer})
		if string(r.Stdout) != string(c.want.Stdout) || string(r.Stderr) != string(c.want.Stderr) || r.Exit != c.want.Exit {
			t.Errorf("%s: %q, %q, %d", name, r.Stdout, r.Stderr, r.Exit)
		}
	}
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
