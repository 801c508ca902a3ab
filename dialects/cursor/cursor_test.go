package cursor

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect = &Dialect
	_ dialects.Narrower   = &Dialect
)

func TestHost(t *testing.T) {
	dialectsuite.Host(t, &Dialect, &Host, dialectsuite.Wire{
		Good: `{"conversation_id":"s","cwd":"/p","hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"ls"},` +
			`"tool_use_id":"t"}`,
		EventField: `"hook_event_name":"preToolUse",`, ToolKey: "tool_name", ToolName: "Shell", Input: `{"command":"ls"}`,
		Event: "preToolUse", OtherEvent: "sessionEnd",
	})
}

// The other events before something happens, broken.
func TestHostileSingle(t *testing.T) {
	for name, raw := range map[string]string{
		"no command":         `{"hook_event_name":"beforeShellExecution"}`,
		"command a list":     `{"hook_event_name":"beforeShellExecution","command":["ls"]}`,
		"no path":            `{"hook_event_name":"beforeReadFile"}`,
		"twins in a string":  `{"hook_event_name":"beforeMCPExecution","tool_name":"q","tool_input":"{\"a\":1,\"A\":2}"}`,
		"twice in a string":  `{"hook_event_name":"beforeMCPExecution","tool_name":"q","tool_input":"{\"a\":1,\"a\":2}"}`,
		"NUL in a string":    `{"hook_event_name":"beforeMCPExecution","tool_name":"q","tool_input":"{\"a\":\"\\u0000\"}"}`,
		"no tool":            `{"hook_event_name":"beforeMCPExecution","tool_input":"{}"}`,
		"no prompt":          `{"hook_event_name":"beforeSubmitPrompt"}`,
		"another's spelling": `{"hook_event_name":"PreToolUse","tool_name":"Shell","tool_input":{}}`,
	} {
		ev, err := Dialect.DecodeEvent([]byte(raw), "")
		if err == nil || !ev.Kind.FailsClosed() {
			t.Errorf("%s: kind %v, %v", name, ev.Kind, err)
		}
	}
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
