package copilot

import (
	"maps"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses, under the names of both languages. Tools of MCP servers and
// unknown ones are read loosely.
func tools() trammel.Shapes {
	other := trammel.Shape{Kind: trammel.OtherAction}
	shell := trammel.Shape{Kind: trammel.ShellAction, Command: []string{"command"}}
	typed := trammel.Shape{Kind: trammel.ShellAction, Command: []string{"input"}, Parse: func(_ map[string]any, a *trammel.Action) {
		a.Command = strings.ReplaceAll(a.Command, "{enter}", "\n") // into a shell that is open
	}}
	path := []string{"path", "file_path"}
	read := trammel.Shape{Kind: trammel.ReadAction, Paths: path}
	write := trammel.Shape{Kind: trammel.WriteAction, Paths: path, Content: []string{"file_text", "content"}}
	edit := trammel.Shape{Kind: trammel.EditAction, Paths: path, Content: []string{"new_str", "new_string"}}
	search := trammel.Shape{Kind: trammel.SearchAction, Paths: path, Query: []string{"pattern", "query"}}
	fetch := trammel.Shape{Kind: trammel.FetchAction, URL: []string{"url"}}
	agent := trammel.Shape{Kind: trammel.AgentAction, Agent: []string{"agent_type", "subagent_type"}, Content: []string{"prompt"}}
	return trammel.Shapes{
		"bash": shell, "powershell": shell, "Bash": shell, "PowerShell": shell,
		"write_bash": typed, "write_powershell": typed,
		"read_bash": other, "stop_bash": other, "list_bash": other, "read_powershell": other, "stop_powershell": other, "list_powershell": other,

		"view": read, "Read": read,
		"create": write, "Write": write,
		"edit": edit, "Edit": edit,
		// Its argument "command" is a verb, not a command line.
		"str_replace_editor": {Kind: trammel.EditAction, Paths: path, Content: []string{"file_text", "new_str"},
			Parse: func(input map[string]any, a *trammel.Action) {
				if input["command"] == "view" {
					a.Kind = trammel.ReadAction
				}
			}},
		"apply_patch": {Kind: trammel.EditAction, Parse: decode.Patches()},

		"glob": search, "grep": search, "rg": search, "Glob": search, "Grep": search,
		"web_fetch": fetch, "WebFetch": fetch, "web_search": search, "WebSearch": search,
		"task": agent, "Task": agent,

		"report_intent": other, "update_todo": other, "ask_user": other, "skill": other, "exit_plan_mode": other, "sql": other,
	}
}

// flatTools are the tools as the first language names them.
var flatTools = sync.OnceValue(func() trammel.Shapes {
	out := maps.Clone(Host.Shapes())
	maps.DeleteFunc(out, func(name string, _ trammel.Shape) bool { return name[0] < 'a' })
	return out
})

// ShapesFor implements dialects.CallShaper.
func (d dialect) ShapesFor(name string) trammel.Shapes {
	if name != "" && name[0] >= 'a' {
		return flatTools()
	}
	return d.Shapes()
}
