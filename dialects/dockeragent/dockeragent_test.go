package dockeragent

import (
	"fmt"
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
	dialectsuite.Host(t, &Dialect, &Host, dialectsuite.Wire{
		Good: `{"session_id":"s","cwd":"/p","hook_event_name":"pre_tool_use","tool_name":"shell","tool_use_id":"t",` +
			`"tool_input":{"command":"ls"}}`,
		EventField: `"hook_event_name":"pre_tool_use",`, ToolKey: "tool_name", ToolName: "shell", Input: `{"command":"ls"}`,
		Event: "pre_tool_use", OtherEvent: "notification",
	})
}

// What only some answers can do.
func TestLimitPowers(t *testing.T) {
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
		r := Dialect.EncodeVerdict(&trammel.Event{Kind: c.kind, Host: Host.System}, &trammel.Verdict{Answer: c.answer})
		if string(r.Stdout) != c.want+"\n" || r.Exit != 0 {
			t.Errorf("%s:\ngot  %s\nwant %s", name, r.Stdout, c.want)
		}
	}
}

func TestUnwritableRewriteDenies(t *testing.T) {
	dialectsuite.UnwritableRewriteDenies(t, &Dialect, "shell", `"permission_decision":"deny"`)
}

// DA-61: every event of docker-agent can be given to a command hook, and a denial
// is an answer that it reads: one that it heeds, or where it cannot, a word to the
// person.
func TestEveryEventIsServed(t *testing.T) {
	events := Host.Events()
	if len(events) < 26 {
		t.Fatalf("%d events", len(events))
	}
	for _, e := range events {
		raw := fmt.Sprintf(`{"session_id":"s","cwd":"/p","hook_event_name":%q,"tool_name":"shell","tool_use_id":"t","tool_input":{"cmd":"ls"}}`,
			e.Name)
		ev, err := Dialect.DecodeEvent([]byte(raw), "")
		if err != nil || ev.Kind != e.Kind || ev.Session.ID != "s" {
			t.Errorf("%s: %+v %v", e.Name, ev, err)
			continue
		}
		r := Dialect.EncodeVerdict(ev, &trammel.Verdict{Answer: trammel.Denial("not today")})
		if r.Exit != 0 {
			t.Errorf("%s: exit code %d", e.Name, r.Exit)
		}
		told := dialectsuite.Plain(t, r.Stdout, nil)
		if can := e.Can&trammel.Block != 0; !strings.Contains(told, "not today") || can == strings.Contains(told, "cannot prevent it") {
			t.Errorf("%s can block: %v, and the answer is %s", e.Name, can, told)
		}
	}
}

// DA-02: an event of this host goes to a hook program with the fields that it
// came with.
func TestEncodeEventIsThePayload(t *testing.T) {
	dialectsuite.EventIsThePayload(t, &Dialect, nil)
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
