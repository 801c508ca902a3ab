package cursor

import (
	"fmt"
	"io/fs"
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

// files is a machine with a few files.
type files struct {
	trammel.World
	texts map[string]string
}

func (f files) ReadFile(path string, _ int) ([]byte, error) {
	if text, ok := f.texts[path]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}
func (files) Home() string { return "/home/me" }

// A tool of an MCP server is known by its server and name, as in other agents,
// where the host says how the server is reached, or there is only one (MCP-31).
func TestServerOfATool(t *testing.T) {
	const (
		one   = `{"mcpServers":{"bank":{"url":"https://bank.example/mcp"}}}`
		two   = `{"mcpServers":{"files":{"command":"npx","args":["-y","srv"]},"own":{"command":"/opt/trammel","args":["mcp","proxy"]}}}`
		both  = `{"mcpServers":{"bank":{"url":"https://bank.example/mcp/"},"again":{"url":"https://bank.example/mcp"}}}`
		at    = `"url":"https://bank.example/mcp",`
		run   = `"command":"npx -y srv",`
		named = "mcp__%s__pay"
	)
	for name, c := range map[string]struct {
		event, said, project, home string
		server                     string
	}{
		"by address":            {"beforeMCPExecution", at, one, two, "bank"},
		"by address, at home":   {"beforeMCPExecution", at, two, one, "bank"},
		"by command":            {"beforeMCPExecution", run, one, two, "files"},
		"by program":            {"beforeMCPExecution", `"command":"/opt/trammel",`, one, two, "own"},
		"two have the address":  {"beforeMCPExecution", at, both, "", ""},
		"no server has it":      {"beforeMCPExecution", `"url":"https://other.example",`, one, two, ""},
		"no files":              {"beforeMCPExecution", at, "", "", ""},
		"a broken file":         {"beforeMCPExecution", at, "{", one, "bank"},
		"there is only one":     {"preToolUse", "", one, "", "bank"},
		"nothing says which":    {"preToolUse", "", one, two, ""},
		"afterwards, by itself": {"afterMCPExecution", "", one, "", "bank"},
	} {
		ev, err := Dialect.DecodeEvent([]byte(`{"conversation_id":"s","workspace_roots":["/p"],"hook_event_name":"`+c.event+`",`+c.said+
			`"tool_name":"MCP:pay","tool_input":{}}`), "")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		Dialect.Locate(ev, files{texts: map[string]string{"/p/.cursor/mcp.json": c.project, "/home/me/.cursor/mcp.json": c.home}})
		a := ev.Tool.Action
		rule := trammel.Match{Tools: []string{fmt.Sprintf(named, c.server)}}
		if a.Server != c.server || a.Tool != "pay" || a.Kind != trammel.MCPAction || c.server != "" && !rule.Matches(ev) {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
