package codex

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// patchTool changes files; its one argument is a patch.
const patchTool = "apply_patch"

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Codex renames some for its hooks: what the model calls
// exec_command arrives as Bash. A patch that a shell feeds to apply_patch
// arrives as Bash, too, and is a command like any other. Text for an open shell
// (write_stdin) is not hooked in the known versions; if it is some day, it is a
// command. Tools of MCP servers and unknown ones are read loosely.
func tools() trammel.Shapes {
	other := trammel.Shape{Kind: trammel.OtherAction}
	shell := trammel.Shape{Kind: trammel.ShellAction, Command: []string{"command", "cmd"}, Dir: []string{"workdir"}}
	agent := trammel.Shape{Kind: trammel.AgentAction, Agent: []string{"agent_type"}, Content: []string{"message"}}
	return trammel.Shapes{
		"Bash": shell, "shell": shell, "local_shell": shell, "exec_command": shell,
		"write_stdin": {Kind: trammel.ShellAction, Command: []string{"chars"}},

		patchTool:    {Kind: trammel.EditAction, Parse: decode.Patches("command", "input", "patch")},
		"view_image": {Kind: trammel.ReadAction, Paths: []string{"path"}},
		"web_search": {Kind: trammel.SearchAction, Query: []string{"query"}},

		"spawn_agent": agent, "multi_agent_v1spawn_agent": agent,

		// These affect only the session itself.
		"update_plan": other, "request_user_input": other,
		"wait_agent": other, "multi_agent_v1wait_agent": other, "close_agent": other, "multi_agent_v1close_agent": other,
	}
}
