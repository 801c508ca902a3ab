package gemini

import (
	"maps"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dialect is Gemini CLI's dialect, for the host and for hook programs.
var Dialect = dialect{decode.Reader{Host: &Host, Bypass: []string{"yolo"}, Read: readOwn,
	Known: []string{"prompt_response", "llm_request", "llm_response", "mcp_context"}}}

type dialect struct{ decode.Reader }

func readOwn(_ *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PostToolUse:
		readServer(f, ev)
		readError(ev.Tool)
	case trammel.UserPromptSubmit:
		ev.Prompt.Synthetic = synthetic(ev.Prompt.Text)
	case trammel.Stop:
		ev.Stop.Message = f.String("prompt_response")
	case trammel.BeforeLLMCall, trammel.AfterLLMCall, trammel.ToolSelection:
		readModel(f, ev)
	}
}

// goOn begins the reason of every blocked stop. The payload says nothing else
// about where a prompt comes from, and Gemini hands the reason back as one, so
// these words mark our own.
const goOn = "A hook says that this is not done yet: "

// synthetic reports whether a prompt is not from the user. Gemini fires
// BeforeAgent again for the reason of a blocked stop; what is sent back with
// tool results has no text, or the host's words for a result. A person who
// types the mark is taken for a hook; no guard is skipped for it.
func synthetic(prompt string) bool {
	return strings.HasPrefix(prompt, goOn) || strings.HasPrefix(prompt, "[Function Response: ") || strings.TrimSpace(prompt) == ""
}

// readServer finds out which server a tool belongs to. Names alone are
// ambiguous here (mcp_server_tool, server__tool), so what the host says about
// the call counts. The tool goes into the event's own table, so that it is
// still known after a rewrite.
func readServer(f *strict.Fields, ev *trammel.Event) {
	t := ev.Tool
	if _, known := ev.Tools[t.Name]; known {
		return
	}
	server, tool := serverOf(t.Name)
	if context, ok := f.Rest()["mcp_context"].(map[string]any); ok {
		if name, ok := context["server_name"].(string); ok && name != "" {
			server = name
			tool, _ = context["tool_name"].(string)
		}
	}
	if server == "" {
		return
	}
	ev.Tools = withServer(ev.Tools, t.Name, server, tool)
	t.Action = ev.Tools.Action(t)
}

func withServer(tools trammel.Shapes, name, server, tool string) trammel.Shapes {
	tools = maps.Clone(tools)
	tools[name] = decode.MCP(server, tool)
	return tools
}

// ShapesFor implements dialects.CallShaper.
func (d dialect) ShapesFor(name string) trammel.Shapes {
	_, known := d.Shapes()[name]
	if server, tool := serverOf(name); server != "" && !known {
		return withServer(d.Shapes(), name, server, tool)
	}
	return d.Shapes()
}

func serverOf(name string) (server, tool string) {
	if strings.HasPrefix(name, "mcp__") { // the usual form, read without our help
		return "", ""
	}
	if rest, ok := strings.CutPrefix(name, "mcp_"); ok {
		server, tool, _ = strings.Cut(rest, "_")
		return server, tool
	}
	if server, tool, ok := strings.Cut(name, "__"); ok && server != "" && tool != "" {
		return server, tool
	}
	return "", ""
}

// readError finds a failure in a tool's response: there is no event for it.
func readError(t *trammel.ToolCall) {
	response, _ := t.Response.(map[string]any)
	switch e := response["error"].(type) {
	case nil:
		return
	case map[string]any:
		t.Error, _ = e["message"].(string)
	case string:
		t.Error = e
	}
	t.Failed = true
}

// readModel looks at a call of the model. The fields stay where they are: an
// event shows its messages, not the whole request.
func readModel(f *strict.Fields, ev *trammel.Event) {
	ev.Model = &trammel.ModelCall{}
	if request, ok := f.Rest()["llm_request"].(map[string]any); ok {
		ev.Session.Model, _ = request["model"].(string)
		ev.Model.Messages, _ = request["messages"].([]any)
	}
	if response, ok := f.Rest()["llm_response"].(map[string]any); ok {
		ev.Model.Response, _ = response["text"].(string)
		if usage, ok := response["usageMetadata"].(map[string]any); ok {
			ev.Model.Usage.Input, _ = usage["promptTokenCount"].(int64)
			ev.Model.Usage.Output, _ = usage["candidatesTokenCount"].(int64)
		}
	}
}
