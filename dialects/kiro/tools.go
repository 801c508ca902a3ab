package kiro

import (
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
)

// tools says where the host's tools keep what they are about. Unknown ones are
// read loosely. It is built when the first tool call is read.
var tools = sync.OnceValue(func() trammel.Shapes {
	shell := trammel.Shape{Kind: trammel.ShellAction, Command: []string{"command"}, Dir: []string{"working_dir", "cwd"}}
	read := trammel.Shape{Kind: trammel.ReadAction, Paths: []string{"path", "paths"}, Parse: parseOperations}
	// Its argument "command" is a verb, not a command line.
	write := trammel.Shape{Kind: trammel.WriteAction, Paths: []string{"path"}, Content: []string{"file_text", "content", "new_str"}}
	search := trammel.Shape{Kind: trammel.SearchAction, Paths: []string{"path"}, Query: []string{"pattern", "query"}}
	fetch := trammel.Shape{Kind: trammel.FetchAction, URL: []string{"url"}}
	return trammel.Shapes{
		"execute_bash": shell, "execute_cmd": shell, "shell": shell,
		"fs_read": read, "read": read,
		"fs_write": write, "write": write,
		"grep": search, "glob": search, "web_search": search, "web_fetch": fetch,
		"thinking": {Kind: trammel.OtherAction}, "todo_list": {Kind: trammel.OtherAction}, "introspect": {Kind: trammel.OtherAction},
	}
})

// parseOperations finds the paths of a read that does several things at once.
func parseOperations(input map[string]any, a *trammel.Action) {
	operations, _ := input["operations"].([]any)
	for _, o := range operations {
		if operation, ok := o.(map[string]any); ok {
			if path, ok := operation["path"].(string); ok {
				a.Paths = append(a.Paths, path)
			}
		}
	}
}

// action reads a tool call. The host names a tool of an MCP server
// @server/tool.
func action(t *trammel.ToolCall) trammel.Action {
	a := tools().Action(t)
	if rest, ok := strings.CutPrefix(t.Name, "@"); ok {
		if server, tool, ok := strings.Cut(rest, "/"); ok {
			a.Kind, a.Server, a.Tool = trammel.MCPAction, server, tool
		}
	}
	return a
}
