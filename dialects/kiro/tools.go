package kiro

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Unknown ones are read loosely.
func tools() trammel.Shapes {
	shell := trammel.Shape{Kind: trammel.ShellAction, Command: []string{"command"}, Dir: []string{"working_dir", "cwd"}}
	read := trammel.Shape{Kind: trammel.ReadAction, Paths: []string{"path", "paths"}, Parse: func(input map[string]any, a *trammel.Action) {
		decode.Several("operations", "", "path")(input, a)
		operations, _ := input["operations"].([]any)
		for _, o := range operations {
			operation, _ := o.(map[string]any)
			images, _ := operation["image_paths"].([]any)
			for _, image := range images {
				if name, ok := image.(string); ok {
					a.Paths = append(a.Paths, name)
				}
			}
		}
	}}
	// Its argument "command" is a verb, not a command line.
	write := trammel.Shape{Kind: trammel.WriteAction, Paths: []string{"path"}, Content: []string{"file_text", "content", "new_str"},
		Parse: func(input map[string]any, a *trammel.Action) {
			if verb, _ := input["command"].(string); verb != "create" {
				a.Also = append(a.Also, trammel.EditAction)
			}
		}}
	search := trammel.Shape{Kind: trammel.SearchAction, Paths: []string{"path"}, Query: []string{"pattern", "query"}}
	fetch := trammel.Shape{Kind: trammel.FetchAction, URL: []string{"url"}}
	return trammel.Shapes{
		"execute_bash": shell, "execute_cmd": shell, "shell": shell,
		"fs_read": read, "read": read,
		"fs_write": write, "write": write,
		"grep": search, "glob": search, "web_search": search, "web_fetch": fetch,
		"thinking": {Kind: trammel.OtherAction}, "todo_list": {Kind: trammel.OtherAction}, "introspect": {Kind: trammel.OtherAction},
	}
}
