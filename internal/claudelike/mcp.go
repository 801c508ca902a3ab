package claudelike

import "github.com/trammel-dev/trammel"

// MCP is the shape of a tool of an MCP server, for hosts whose names do not
// say which server it is. Nobody knows the arguments of such a tool, so what
// is usually a command, a path or a URL is taken for one.
func MCP(server, tool string) trammel.Shape {
	return trammel.Shape{
		Kind:    trammel.MCPAction,
		Command: []string{"command", "cmd", "shell_command", "script"},
		Dir:     []string{"cwd", "workdir", "working_directory", "dir_path"},
		Paths: []string{"file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename", "file",
			"source", "old_path", "destination", "new_path", "paths", "files"},
		Content: []string{"content", "new_string", "newString", "new_source", "file_text", "text"},
		URL:     []string{"url", "uri"},
		Query:   []string{"query", "pattern"},
		Parse: func(_ map[string]any, a *trammel.Action) {
			a.Server, a.Tool = server, tool
		},
	}
}
