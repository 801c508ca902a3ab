package pi

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var _ trammel.HostDialect = &Dialect

func TestHost(t *testing.T) {
	dialectsuite.Host(t, &Dialect, &Host, dialectsuite.Wire{
		Good: `{"event":{"type":"tool_call","toolName":"bash","toolCallId":"t","input":{"command":"ls"}},"cwd":"/p","session":"s",` +
			`"hasUI":false,"mode":"print"}`,
		EventField: `"type":"tool_call",`, ToolKey: "toolName", ToolName: "bash", Input: `{"command":"ls"}`,
		Event: "tool_call", OtherEvent: "model_select",
	})
}

// FLOW-60, the defects of the reference: a tool call has to reach a policy with
// its command or path (3), and the events have to be known for what they are (4).
func TestNothingIsInert(t *testing.T) {
	dialectsuite.NothingIsInert(t, &Dialect, map[string]dialectsuite.Reached{
		"write biome.json": {`{"event":{"type":"tool_call","toolName":"write","input":{"path":"biome.json","content":"{}"}}}`,
			trammel.PreToolUse, trammel.Action{Kind: trammel.WriteAction, Paths: []string{"biome.json"}, Content: "{}"}},
		"edit": {`{"event":{"type":"tool_call","toolName":"edit","input":{"path":"a","edits":[{"newText":"x"},{"newText":"y"}]}}}`,
			trammel.PreToolUse, trammel.Action{Kind: trammel.EditAction, Paths: []string{"a"}, Content: "x\ny"}},
		"git commit --no-verify": {`{"event":{"type":"tool_call","toolName":"bash","input":{"command":"git commit --no-verify"}}}`,
			trammel.PreToolUse, trammel.Action{Kind: trammel.ShellAction, Command: "git commit --no-verify"}},
		"before_agent_start": {`{"event":{"type":"before_agent_start"}}`, trammel.TurnStart, trammel.Action{}},
		"input":              {`{"event":{"type":"input","text":""}}`, trammel.UserPromptSubmit, trammel.Action{}},
	})
}

// A prompt that an extension sent was not written by a person, and a prompt can
// be rewritten.
func TestPrompt(t *testing.T) {
	raw := `{"event":{"type":"input","text":"p","source":"extension"},"session":"s"}`
	ev, err := Dialect.DecodeEvent([]byte(raw), "input")
	if err != nil || !ev.Prompt.Synthetic {
		t.Errorf("%+v, %v", ev.Prompt, err)
	}
	r := Dialect.EncodeVerdict(ev, &trammel.Verdict{Answer: trammel.Answer{Input: map[string]any{"prompt": "q"}}})
	if string(r.Stdout) != `{"args":{"prompt":"q"}}`+"\n" {
		t.Errorf("got %s", r.Stdout)
	}
}

func TestUnwritableRewriteDenies(t *testing.T) {
	dialectsuite.UnwritableRewriteDenies(t, &Dialect, "bash", `"block":true`)
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
