package claudecode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Tools of MCP servers and unknown ones are read loosely. It is
// built when the first tool call is read.
func tools() trammel.Shapes {
	other := trammel.Shape{Kind: trammel.OtherAction}
	agent := trammel.Shape{Kind: trammel.AgentAction, Agent: []string{"subagent_type"}, Content: []string{"prompt"}}
	return trammel.Shapes{
		"Bash":       {Kind: trammel.ShellAction, Command: []string{"command"}},
		"PowerShell": {Kind: trammel.ShellAction, Command: []string{"command"}},

		"Write":        {Kind: trammel.WriteAction, Paths: []string{"file_path"}, Content: []string{"content"}},
		"Edit":         {Kind: trammel.EditAction, Paths: []string{"file_path"}, Content: []string{"new_string"}},
		"MultiEdit":    {Kind: trammel.EditAction, Paths: []string{"file_path"}, Parse: decode.Several("edits", "new_string", "")},
		"NotebookEdit": {Kind: trammel.EditAction, Paths: []string{"notebook_path"}, Content: []string{"new_source"}},

		"Read":         {Kind: trammel.ReadAction, Paths: []string{"file_path"}},
		"NotebookRead": {Kind: trammel.ReadAction, Paths: []string{"notebook_path"}},
		"LS":           {Kind: trammel.ReadAction, Paths: []string{"path"}},
		"Glob":         {Kind: trammel.SearchAction, Paths: []string{"path"}, Query: []string{"pattern"}},
		"Grep":         {Kind: trammel.SearchAction, Paths: []string{"path"}, Query: []string{"pattern"}},

		"WebFetch":  {Kind: trammel.FetchAction, URL: []string{"url"}, Query: []string{"prompt"}},
		"WebSearch": {Kind: trammel.SearchAction, Query: []string{"query"}},

		"Task":  agent,
		"Agent": agent,

		// These affect only the session itself; read loosely, a word in their
		// arguments could pass for a path or a command.
		"BashOutput": other, "KillShell": other, "KillBash": other, "TaskOutput": other, "TaskStop": other,
		"TodoWrite": other, "TaskCreate": other, "TaskUpdate": other, "TaskGet": other, "TaskList": other,
		"ToolSearch": {Kind: trammel.OtherAction, Query: []string{"query"}},
		"Skill":      other, "ExitPlanMode": other, "EnterPlanMode": other, "AskUserQuestion": other,
	}
}
