package gemini

import (
	"strings"

	"github.com/trammel-dev/trammel"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Tools of MCP servers and unknown ones are read loosely.
func tools() trammel.Shapes {
	other := trammel.Shape{Kind: trammel.OtherAction}
	dir := []string{"dir_path", "path"}
	grep := trammel.Shape{Kind: trammel.SearchAction, Paths: dir, Query: []string{"pattern"}}
	return trammel.Shapes{
		"run_shell_command": {Kind: trammel.ShellAction, Command: []string{"command"}, Dir: []string{"dir_path", "directory"}},

		"write_file":  {Kind: trammel.WriteAction, Paths: []string{"file_path"}, Content: []string{"content"}},
		"replace":     {Kind: trammel.EditAction, Paths: []string{"file_path"}, Content: []string{"new_string"}},
		"save_memory": {Kind: trammel.WriteAction, Content: []string{"fact"}},

		"read_file":           {Kind: trammel.ReadAction, Paths: []string{"file_path", "absolute_path"}},
		"read_many_files":     {Kind: trammel.ReadAction, Paths: []string{"include", "paths"}},
		"list_directory":      {Kind: trammel.ReadAction, Paths: dir},
		"glob":                grep,
		"grep_search":         grep,
		"search_file_content": grep,

		"web_fetch":         {Kind: trammel.FetchAction, URL: []string{"url"}, Query: []string{"prompt"}, Parse: parseFetch},
		"google_web_search": {Kind: trammel.SearchAction, Query: []string{"query"}},

		"codebase_investigator": {Kind: trammel.AgentAction, Content: []string{"objective"}},
		"invoke_agent":          {Kind: trammel.AgentAction, Agent: []string{"agent_name"}, Content: []string{"prompt"}},

		// These affect only the session itself.
		"write_todos": other, "activate_skill": other, "ask_user": other, "enter_plan_mode": other, "exit_plan_mode": other,
		"update_topic": other, "get_internal_docs": other, "cli_help": other,
	}
}

// parseFetch finds the address in the prompt of a fetch, which is free text. Of
// several, the first is used; the whole prompt is the query.
func parseFetch(_ map[string]any, a *trammel.Action) {
	if a.URL != "" {
		return
	}
	for _, word := range strings.Fields(a.Query) {
		for _, scheme := range [...]string{"https://", "http://"} {
			if at := strings.Index(strings.ToLower(word), scheme); at >= 0 {
				a.URL = strings.TrimRight(word[at:], `.,;:!?"')>]`)
				return
			}
		}
	}
}
