package claudecode

import (
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
)

// tools says where the host's tools keep what they are about. Tools of MCP
// servers and unknown ones are read loosely. It is built when the first tool
// call is read.
var tools = sync.OnceValue(func() trammel.Shapes {
	other := trammel.Shape{Kind: trammel.OtherAction}
	agent := trammel.Shape{Kind: trammel.AgentAction, Agent: []string{"subagent_type"}, Content: []string{"prompt"}}
	return trammel.Shapes{
		"Bash":       {Kind: trammel.ShellAction, Command: []string{"command"}},
		"PowerShell": {Kind: trammel.ShellAction, Command: []string{"command"}},

		"Write":        {Kind: trammel.WriteAction, Paths: []string{"file_path"}, Content: []string{"content"}},
		"Edit":         {Kind: trammel.EditAction, Paths: []string{"file_path"}, Content: []string{"new_string"}},
		"MultiEdit":    {Kind: trammel.EditAction, Paths: []string{"file_path"}, Parse: parseEdits},
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

		// These touch nothing but the session itself; read loosely, a word in
		// their arguments could pass for a path or a command.
		"BashOutput": other, "KillShell": other, "KillBash": other, "TaskOutput": other, "TaskStop": other,
		"TodoWrite": other, "TaskCreate": other, "TaskUpdate": other, "TaskGet": other, "TaskList": other,
		"ToolSearch": {Kind: trammel.OtherAction, Query: []string{"query"}},
		"Skill":      other, "ExitPlanMode": other, "EnterPlanMode": other, "AskUserQuestion": other,
	}
})

// parseEdits collects what the edits of a MultiEdit would put into the file.
func parseEdits(input map[string]any, a *trammel.Action) {
	edits, _ := input["edits"].([]any)
	var texts []string
	for _, e := range edits {
		if edit, ok := e.(map[string]any); ok {
			if text, ok := edit["new_string"].(string); ok {
				texts = append(texts, text)
			}
		}
	}
	a.Content = strings.Join(texts, "\n")
}
