package qwen

import (
	"github.com/trammel-dev/trammel"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Tools of MCP servers and unknown ones are read loosely.
func tools() trammel.Shapes {
	other := trammel.Shape{Kind: trammel.OtherAction}
	edit := trammel.Shape{Kind: trammel.EditAction, Paths: []string{"file_path"}, Content: []string{"new_string"}}
	grep := trammel.Shape{Kind: trammel.SearchAction, Paths: []string{"path", "dir_path"}, Query: []string{"pattern"}}
	agent := trammel.Shape{Kind: trammel.AgentAction, Agent: []string{"subagent_type"}, Content: []string{"prompt"}}
	return trammel.Shapes{
		"run_shell_command": {Kind: trammel.ShellAction, Command: []string{"command"}, Dir: []string{"directory", "dir_path"}},

		"write_file": {Kind: trammel.WriteAction, Paths: []string{"file_path"}, Content: []string{"content"}},
		"edit":       edit, "replace": edit,
		"notebook_edit": {Kind: trammel.EditAction, Paths: []string{"notebook_path"}, Content: []string{"new_source"}},
		"save_memory":   {Kind: trammel.WriteAction, Content: []string{"fact"}},

		"read_file":       {Kind: trammel.ReadAction, Paths: []string{"file_path", "absolute_path"}},
		"read_many_files": {Kind: trammel.ReadAction, Paths: []string{"paths", "include"}},
		"list_directory":  {Kind: trammel.ReadAction, Paths: []string{"path", "dir_path"}},
		"glob":            grep, "grep_search": grep, "search_file_content": grep,

		"web_fetch":  {Kind: trammel.FetchAction, URL: []string{"url"}, Query: []string{"prompt"}},
		"web_search": {Kind: trammel.SearchAction, Query: []string{"query"}},

		"agent": agent, "task": agent,

		// These affect only the session itself.
		"todo_write": other, "task_create": other, "task_get": other, "task_list": other, "task_update": other, "task_stop": other,
		"task_output": other,
		"skill":       other, "exit_plan_mode": other, "ask_user_question": other, "send_message": other,
	}
}
