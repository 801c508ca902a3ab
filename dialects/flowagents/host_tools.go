package flowagents

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// shapes says what a tool does by its name, whichever host it is of: adapters
// pass names on as they are. Names that are not here are read loosely.
func shapes(tool string) trammel.Shapes {
	paths := []string{"file_path", "path", "filePath", "absolute_path", "notebook_path", "target_file"}
	var s trammel.Shape
	switch strings.ToLower(tool) {
	case "bash", "shell", "sh", "exec", "exec_command", "run", "run_command", "command", "terminal", "run_in_terminal", "cmd",
		"powershell", "process", "execute_bash", "execute_cmd", "run_shell_command", "local_shell":
		s = trammel.Shape{Kind: trammel.ShellAction, Command: []string{"command", "cmd", "script"}, Dir: []string{"cwd", "workdir",
			"working_dir"}}
	case "write", "fs_write", "write_file", "create", "create_file":
		// An argument "command" is a verb here, not a command line.
		s = trammel.Shape{Kind: trammel.WriteAction, Paths: paths, Content: []string{"content", "file_text", "new_str", "text"}}
	case "edit", "edit_file", "replace", "str_replace", "str_replace_editor", "multiedit", "notebookedit":
		s = trammel.Shape{Kind: trammel.EditAction, Paths: paths, Content: []string{"new_string", "newString", "new_source", "new_str",
			"content"}}
	case "apply_patch":
		s = trammel.Shape{Kind: trammel.EditAction, Paths: paths, Parse: func(input map[string]any, a *trammel.Action) {
			for _, key := range [...]string{"command", "input", "patch", "patchText"} {
				if patch, ok := input[key].(string); ok {
					decode.ReadPatch(patch, a)
				}
			}
		}}
	case "read", "fs_read", "read_file", "view", "ls", "list", "list_directory", "notebookread":
		s = trammel.Shape{Kind: trammel.ReadAction, Paths: paths}
	case "glob", "grep", "search", "codesearch":
		s = trammel.Shape{Kind: trammel.SearchAction, Paths: paths, Query: []string{"pattern", "query"}}
	case "websearch", "web_search":
		s = trammel.Shape{Kind: trammel.SearchAction, Query: []string{"query"}}
	case "webfetch", "web_fetch", "fetch":
		s = trammel.Shape{Kind: trammel.FetchAction, URL: []string{"url"}}
	case "task", "agent", "invokesubagents", "use_subagent", "subagent":
		s = trammel.Shape{Kind: trammel.AgentAction, Agent: []string{"subagent_type", "agent_name", "agent"}, Content: []string{"prompt"}}
	default:
		return nil
	}
	return trammel.Shapes{tool: s}
}
