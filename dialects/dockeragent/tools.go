package dockeragent

import (
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Tools of MCP servers and unknown ones are read loosely. It is
// built when the first tool call is read.
func tools() trammel.Shapes {
	shell := trammel.Shape{Kind: trammel.ShellAction, Command: []string{"cmd", "command"}, Dir: []string{"cwd"}}
	path := []string{"path"}
	agent := trammel.Shape{Kind: trammel.AgentAction, Agent: []string{"agent"}, Content: []string{"task"}}
	other := trammel.Shape{Kind: trammel.OtherAction}
	return trammel.Shapes{
		"shell":                shell,
		"run_shell_background": shell,
		"run_background_job":   shell,

		"write_file":       {Kind: trammel.WriteAction, Paths: path, Content: []string{"content"}},
		"create_directory": {Kind: trammel.WriteAction, Paths: []string{"path", "paths"}},
		"edit_file":        {Kind: trammel.EditAction, Paths: path, Parse: decode.Several("edits", "newText", "")},
		"move_file": {Kind: trammel.EditAction, Paths: []string{"source", "destination"},
			Parse: func(_ map[string]any, a *trammel.Action) { a.Also = append(a.Also, trammel.DeleteAction) }},
		"remove_directory": {Kind: trammel.DeleteAction, Paths: []string{"path", "paths"}},

		"read_file":            {Kind: trammel.ReadAction, Paths: path},
		"read_multiple_files":  {Kind: trammel.ReadAction, Paths: []string{"paths"}},
		"list_directory":       {Kind: trammel.ReadAction, Paths: path},
		"directory_tree":       {Kind: trammel.ReadAction, Paths: path},
		"get_file_info":        {Kind: trammel.ReadAction, Paths: path},
		"search_files":         {Kind: trammel.SearchAction, Paths: path, Query: []string{"pattern"}},
		"search_files_content": {Kind: trammel.SearchAction, Paths: path, Query: []string{"query"}},

		"fetch": {Kind: trammel.FetchAction, Parse: parseURLs},

		"transfer_task": agent,
		"handoff":       agent,

		// These affect only the session itself.
		"think": other, "create_todo": other, "create_todos": other, "update_todo": other, "update_todos": other, "list_todos": other,
	}
}

// parseURLs reads the addresses of a fetch. An Action has one; several are
// listed together, so that a pattern finds each of them.
func parseURLs(input map[string]any, a *trammel.Action) {
	if url, ok := input["url"].(string); ok {
		a.URL = url
	}
	urls, _ := input["urls"].([]any)
	for _, u := range urls {
		if url, ok := u.(string); ok {
			a.URL = strings.TrimSpace(a.URL + " " + url)
		}
	}
}

// ToolNames are the names of docker-agent's own tools.
func ToolNames() []string { return slices.Sorted(maps.Keys(Host.Shapes())) }
