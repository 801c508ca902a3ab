package cursor

import (
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
)

// mcp stands before the name of a tool of an MCP server; the server is not told.
const mcp = "MCP:"

// tools says where the host's tools keep what they are about. Unknown ones are
// read loosely. It is built when the first tool call is read.
var tools = sync.OnceValue(func() trammel.Shapes {
	path := []string{"file_path", "path", "target_file"}
	return trammel.Shapes{
		"Shell":  {Kind: trammel.ShellAction, Command: []string{"command"}, Dir: []string{"working_directory", "cwd"}},
		"Write":  {Kind: trammel.WriteAction, Paths: path, Content: []string{"content", "contents"}},
		"Edit":   {Kind: trammel.EditAction, Paths: path, Content: []string{"new_string"}, Parse: parseEdits},
		"Read":   {Kind: trammel.ReadAction, Paths: path},
		"Delete": {Kind: trammel.DeleteAction, Paths: path},
		"Grep":   {Kind: trammel.SearchAction, Paths: []string{"path"}, Query: []string{"pattern"}},
		"Task":   {Kind: trammel.AgentAction, Agent: []string{"subagent_type"}, Content: []string{"prompt"}},
	}
})

// parseEdits collects what a list of edits puts into the file.
func parseEdits(input map[string]any, a *trammel.Action) {
	edits, _ := input["edits"].([]any)
	for _, e := range edits {
		if edit, ok := e.(map[string]any); ok {
			if text, ok := edit["new_string"].(string); ok {
				a.Content = strings.TrimPrefix(a.Content+"\n"+text, "\n")
			}
		}
	}
}

func action(t *trammel.ToolCall) trammel.Action {
	a := tools().Action(t)
	if tool, ok := strings.CutPrefix(t.Name, mcp); ok {
		a.Kind, a.Tool = trammel.MCPAction, tool
	}
	return a
}
