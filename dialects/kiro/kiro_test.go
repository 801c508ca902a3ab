package kiro

import (
	"errors"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect = Dialect{}
	_ dialects.Narrower   = Dialect{}
)

// The payloads are from the documentation; none was recorded.
func TestDecodes(t *testing.T) { dialectsuite.Decodes(t, New()) }

func TestHostile(t *testing.T) {
	for _, event := range []string{"preToolUse", "PreToolUse"} {
		dialectsuite.Hostile(t, New(), dialectsuite.Wire{
			Good:       `{"hook_event_name":"` + event + `","session_id":"s","cwd":"/p","tool_name":"shell","tool_input":{"command":"ls"}}`,
			EventField: `"hook_event_name":"` + event + `",`, ToolKey: "tool_name", ToolName: "shell", Input: `{"command":"ls"}`,
			Event: event, OtherEvent: "Manual",
		})
	}
}

func TestEvents(t *testing.T) {
	for _, kind := range trammel.Kinds() {
		for _, a := range kind.Aliases() {
			if got, ok := exact(a.Name); a.System == Name && (!ok || got != kind) {
				t.Errorf("%s is %v here, and %v in the catalogue", a.Name, got, kind)
			}
		}
	}
	for _, e := range events {
		if beyond := New().Powers(e.kind).Can &^ e.kind.Can(); beyond != 0 {
			t.Errorf("%s: %v is more than the catalogue knows of", e.name, beyond)
		}
	}
}

// The suite wants JSON on stdout; where this host takes plain text instead, see
// TestPlainText. Names that differ in case only are answered alike.
func TestEncodes(t *testing.T) {
	var out []*trammel.Event
	seen := map[trammel.Kind]bool{trammel.SessionStart: true, trammel.UserPromptSubmit: true}
	for _, p := range dialectsuite.Payloads(t) {
		ev, err := New().DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		if !seen[ev.Kind] {
			seen[ev.Kind] = true
			out = append(out, ev)
		}
	}
	dialectsuite.Encodes(t, New(), out)
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
		kind, _ := exact(c.event)
		r := New().EncodeVerdict(&trammel.Event{Kind: kind, Host: Name, Name: c.event}, &trammel.Verdict{Answer: c.answer})
		if string(r.Stdout) != string(c.want.Stdout) || string(r.Stderr) != string(c.want.Stderr) || r.Exit != c.want.Exit {
			t.Errorf("%s: %q, %q, %d", name, r.Stdout, r.Stderr, r.Exit)
		}
	}
}

func FuzzDecodeEvent(f *testing.F) {
	for _, p := range dialectsuite.Payloads(f) {
		f.Add(p.Raw, "")
	}
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		ev, err := New().DecodeEvent(raw, name)
		if ev == nil {
			t.Fatal("no event")
		}
		var failure *trammel.Failure
		if err != nil && (!errors.As(err, &failure) || failure.Code != trammel.CodeInput) {
			t.Fatal(err)
		}
		v := trammel.Verdict{Answer: trammel.Denial("no")}
		if r := New().EncodeVerdict(ev, &v); v.Decision == trammel.Deny && r.Exit != 2 {
			t.Fatal("a denial got lost")
		}
	})
}
