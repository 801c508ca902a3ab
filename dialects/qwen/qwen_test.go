package qwen

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var _ trammel.HostDialect = Dialect{}

func TestDecodes(t *testing.T) { dialectsuite.Decodes(t, New()) }

func TestEncodes(t *testing.T) { dialectsuite.Encodes(t, New(), eventsToAnswer(t)) }

func TestHostile(t *testing.T) {
	dialectsuite.Hostile(t, New(), dialectsuite.Wire{
		Good: `{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_use_id":"t"}`,

		EventField: `"hook_event_name":"PreToolUse",`, ToolKey: "tool_name", ToolName: "run_shell_command", Input: `{"command":"ls"}`,
		Event: "PreToolUse", OtherEvent: "Notification",
	})
}

// eventsToAnswer is one event of each name.
func eventsToAnswer(t testing.TB) []*trammel.Event {
	var out []*trammel.Event
	seen := map[string]bool{}
	for _, p := range dialectsuite.Payloads(t) {
		ev, err := New().DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		if !seen[ev.Name] {
			seen[ev.Name] = true
			out = append(out, ev)
		}
	}
	for _, e := range events {
		if !seen[e.Name] {
			t.Errorf("no payload for %s", e.Name)
		}
	}
	return out
}

// The table of events and the catalogue must name the same events.
func TestEvents(t *testing.T) {
	inCatalogue := 0
	for _, kind := range trammel.Kinds() {
		for _, a := range kind.Aliases() {
			if a.System == Name {
				inCatalogue++
				if got, ok := events.Kind(a.Name); !ok || got != kind {
					t.Errorf("%s is %v here, and %v in the catalogue", a.Name, got, kind)
				}
			}
		}
	}
	if len(events) != 22 || inCatalogue != 22 {
		t.Errorf("%d events here, %d in the catalogue, want 22", len(events), inCatalogue)
	}
	for _, e := range events {
		if beyond := New().Powers(e.Kind).Can &^ e.Kind.Can(); beyond != 0 {
			t.Errorf("%s: %v is more than the catalogue knows of", e.Name, beyond)
		}
	}
}

// What Qwen was seen to ignore must not be sent, because then nobody would
// notice that it was not done.
func TestNothingIgnoredIsSent(t *testing.T) {
	clean := "clean"
	for _, ev := range eventsToAnswer(t) {
		for _, decision := range []trammel.Decision{trammel.None, trammel.Allow, trammel.Ask, trammel.Deny} {
			for _, reason := range []string{"", "why", `{"decision":"allow"}`} {
				for _, input := range []map[string]any{nil, {"command": "ls -l"}} {
					v := trammel.Verdict{Answer: trammel.Answer{Decision: decision, Reason: reason, Input: input, Output: &clean, Context: []string{"c"},
						Notice: "n"}, Granted: decision == trammel.Allow}
					can := New().Powers(ev.Kind).Can
					mustBlock := (decision == trammel.Deny || input != nil) && can.Any(trammel.Block)
					r := New().EncodeVerdict(ev, &v)
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
		ev, err := New().DecodeEvent([]byte(c.raw), "")
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
		ev, err := New().DecodeEvent([]byte(raw), "")
		if err != nil || ev.Session.AgentID != c.wantAgent || !slices.Equal(ev.Session.Parents, c.want) {
			t.Errorf("%s: agent %q, parents %q, %v", name, ev.Session.AgentID, ev.Session.Parents, err)
		}
	}
}

func TestProjectDir(t *testing.T) {
	if dir := New().ProjectDir(func(key string) string { return key }); dir != "QWEN_PROJECT_DIR" {
		t.Errorf("project %q", dir)
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
		if err != nil {
			if !errors.As(err, &failure) || failure.Code != trammel.CodeInput {
				t.Fatal(err)
			}
			return
		}
		v := trammel.Verdict{Answer: trammel.Denial("no")}
		if r := New().EncodeVerdict(ev, &v); New().Powers(ev.Kind).Can.Any(trammel.Block) && !blocked(t, r) {
			t.Fatal("a denial got lost")
		}
	})
}
