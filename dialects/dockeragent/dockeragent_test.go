package dockeragent

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect = Dialect{}
	_ trammel.HookDialect = Dialect{}
	_ dialects.Narrower   = Dialect{}
)

func TestDecodes(t *testing.T) { dialectsuite.Decodes(t, New()) }

func TestHostile(t *testing.T) {
	dialectsuite.Hostile(t, New(), dialectsuite.Wire{
		Good:       `{"session_id":"s","cwd":"/p","hook_event_name":"pre_tool_use","tool_name":"shell","tool_use_id":"t","tool_input":{"command":"ls"}}`,
		EventField: `"hook_event_name":"pre_tool_use",`, ToolKey: "tool_name", ToolName: "shell", Input: `{"command":"ls"}`,
		Event: "pre_tool_use", OtherEvent: "notification",
	})
}

// DA-01: the table of events and the catalogue name the same events.
func TestEvents(t *testing.T) {
	inCatalogue := 0
	for _, kind := range trammel.Kinds() {
		for _, a := range kind.Aliases() {
			if a.System == Name {
				inCatalogue++
				if got, ok := kindOf(a.Name); !ok || got != kind || nameOf(kind) != a.Name {
					t.Errorf("%s is %v here, and %v in the catalogue", a.Name, got, kind)
				}
			}
		}
	}
	if len(events) != 28 || inCatalogue != len(events) {
		t.Errorf("%d events here, %d in the catalogue, want 28", len(events), inCatalogue)
	}
	for _, e := range events {
		if beyond := New().Powers(e.kind).Can &^ e.kind.Can(); beyond != 0 {
			t.Errorf("%s: %v is more than the catalogue knows of", e.name, beyond)
		}
	}
}

func TestEncodes(t *testing.T) {
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
		if !seen[e.name] {
			t.Errorf("no payload for %s", e.name)
		}
	}
	dialectsuite.Encodes(t, New(), out)
}

// What only some answers can do.
func TestNarrow(t *testing.T) {
	messages := map[string]any{"messages": []any{map[string]any{"role": "user"}}}
	for name, c := range map[string]struct {
		kind   trammel.Kind
		answer trammel.Answer
		want   string
	}{
		"messages": {trammel.BeforeLLMCall, trammel.Answer{Input: messages},
			`{"hook_specific_output":{"hook_event_name":"before_llm_call","updated_messages":[{"role":"user"}]}}`},
		"summary": {trammel.BeforeCompaction, trammel.Answer{Summary: "short"},
			`{"hook_specific_output":{"hook_event_name":"before_compaction","summary":"short"}}`},
		"guard": {trammel.ToolGuard, trammel.Denial("no"),
			`{"hook_specific_output":{"hook_event_name":"tool_guard","permission_decision":"deny","permission_decision_reason":"no"}}`},
	} {
		r := New().EncodeVerdict(&trammel.Event{Kind: c.kind, Host: Name}, &trammel.Verdict{Answer: c.answer})
		if string(r.Stdout) != c.want+"\n" || r.Exit != 0 {
			t.Errorf("%s:\ngot  %s\nwant %s", name, r.Stdout, c.want)
		}
	}
}

func TestUnwritableRewriteDenies(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: Name, Tool: &trammel.ToolCall{Name: "shell"}}
	r := New().EncodeVerdict(ev, &trammel.Verdict{Answer: trammel.Answer{Input: map[string]any{"f": func() {}}}})
	if !strings.Contains(string(r.Stdout), `"permission_decision":"deny"`) {
		t.Errorf("got %s", r.Stdout)
	}
}

// DA-02: an event of this host goes to a hook program with the fields that it
// came with.
func TestEncodeEventIsThePayload(t *testing.T) {
	for _, p := range dialectsuite.Payloads(t) {
		ev, err := New().DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		out, err := New().EncodeEvent(ev)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := plain(t, out), plain(t, p.Raw); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", p.Label, got, want)
		}
	}
}

func plain(t *testing.T, raw []byte) string {
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := canonical.Append(nil, obj)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func codeOf(err error) trammel.Code {
	var f *trammel.Failure
	if errors.As(err, &f) {
		return f.Code
	}
	return trammel.Code(fmt.Sprint(err))
}

func FuzzDecodeEvent(f *testing.F) {
	for _, p := range dialectsuite.Payloads(f) {
		f.Add(p.Raw, "")
	}
	f.Add([]byte(`{"hook_event_name":"pre_tool_use","TOOL_NAME":1}`), "pre_tool_use")
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		ev, err := New().DecodeEvent(raw, name)
		if ev == nil {
			t.Fatal("no event")
		}
		if err != nil {
			if codeOf(err) != trammel.CodeInput {
				t.Fatal(err)
			}
			return
		}
		v := trammel.Verdict{Answer: trammel.Denial("no")}
		r := New().EncodeVerdict(ev, &v)
		if v.Decision == trammel.Deny && len(r.Stdout) == 0 && r.Exit != 2 {
			t.Fatal("a denial got lost")
		}
		out, err := New().EncodeEvent(ev)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := New().DecodeEvent(out, ""); err != nil || again.Kind != ev.Kind {
			t.Fatalf("%s: %v", out, err)
		}
	})
}
