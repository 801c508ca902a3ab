package cursor

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// mcp stands before the name of a tool of an MCP server; the server is not told.
const mcp = "MCP:"

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Unknown ones are read loosely.
func tools() trammel.Shapes {
	path := []string{"file_path", "path", "target_file"}
	return trammel.Shapes{
		"Shell":  {Kind: trammel.ShellAction, Command: []string{"command"}, Dir: []string{"working_directory", "cwd"}},
		"Write":  {Kind: trammel.WriteAction, Paths: path, Content: []string{"content", "contents"}},
		"Edit":   {Kind: trammel.EditAction, Paths: path, Content: []string{"new_string"}, Parse: decode.Several("edits", "new_string", "")},
		"Read":   {Kind: trammel.ReadAction, Paths: path},
		"Delete": {Kind: trammel.DeleteAction, Paths: path},
		"Grep":   {Kind: trammel.SearchAction, Paths: []string{"path"}, Query: []string{"pattern"}},
		"Task":   {Kind: trammel.AgentAction, Agent: []string{"subagent_type"}, Content: []string{"prompt"}},

		"run_terminal_cmd": {Kind: trammel.ShellAction, Command: []string{"command"}}, // what its model calls Shell
	}
}
