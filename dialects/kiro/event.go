package kiro

import (
	"maps"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dialect is Kiro's dialect, for the host.
var Dialect = dialect{decode.Reader{Host: &Host, Foreign: true, Read: read, Known: []string{"hook_event_name", "session_id", "cwd",
	"tool_name", "tool_input", "tool_response", "prompt", "assistant_response", "file_path"}}}

type dialect struct{ decode.Reader }

func read(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	ev.Session.ID, ev.Session.Dir = f.String("session_id"), f.String("cwd")
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PostToolUse:
		readTool(r, f, ev)
	case trammel.UserPromptSubmit:
		ev.Prompt = decode.Prompt(f, "prompt")
	case trammel.Stop:
		ev.Stop = &trammel.StopInfo{Message: f.String("assistant_response")}
	}
}

// readTool reads a tool call. The host names a tool of an MCP server
// @server/tool.
func readTool(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{Name: f.String("tool_name"), Input: f.Object("tool_input")}
	r.Tool(f, ev, t, "tool_name", "tool_input")
	ev.Tools = withServer(ev.Tools, t.Name)
	t.Action = ev.Tools.Action(t)
	if ev.Kind == trammel.PostToolUse {
		t.Done, t.Response = true, f.Any("tool_response")
		t.Output = decode.Text(t.Response)
		if response, ok := t.Response.(map[string]any); ok && response["success"] == false {
			t.Failed, t.Error = true, t.Output
		}
	}
}

// ShapesFor implements dialects.CallShaper.
func (d dialect) ShapesFor(name string) trammel.Shapes { return withServer(d.Shapes(), name) }

// withServer adds a tool by whose name its server is known to a table.
func withServer(tools trammel.Shapes, name string) trammel.Shapes {
	if rest, ok := strings.CutPrefix(name, "@"); ok {
		if server, tool, ok := strings.Cut(rest, "/"); ok {
			tools = maps.Clone(tools)
			tools[name] = decode.MCP(server, tool)
		}
	}
	return tools
}
