package vscode

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses, under the names that the model sees and under those that the
// documentation uses. Tools of MCP servers and unknown ones are read loosely.
func tools() trammel.Shapes {
	other := trammel.Shape{Kind: trammel.OtherAction}
	file := []string{"filePath", "path"}
	shell := trammel.Shape{Kind: trammel.ShellAction, Command: []string{"command"}}
	write := trammel.Shape{Kind: trammel.WriteAction, Paths: file, Content: []string{"content"}}
	edit := trammel.Shape{Kind: trammel.EditAction, Paths: append([]string{"files"}, file...), Content: []string{"newString", "newCode",
		"code"}}
	search := trammel.Shape{Kind: trammel.SearchAction, Paths: []string{"path"}, Query: []string{"query"}}
	return trammel.Shapes{
		"run_in_terminal": shell, "runTerminalCommand": shell, "runInTerminal": shell,

		"create_file": write, "createFile": write, "create_directory": {Kind: trammel.WriteAction, Paths: []string{"dirPath"}},
		"replace_string_in_file": edit, "insert_edit_into_file": edit, "edit_notebook_file": edit, "editFiles": edit,
		"multi_replace_string_in_file": {Kind: trammel.EditAction, Parse: decode.Several("replacements", "newString", "filePath")},
		"apply_patch":                  {Kind: trammel.EditAction, Parse: decode.Patches("input")},
		"deleteFile":                   {Kind: trammel.DeleteAction, Paths: file},

		"read_file": {Kind: trammel.ReadAction, Paths: file}, "readFile": {Kind: trammel.ReadAction, Paths: file},
		"list_dir":    {Kind: trammel.ReadAction, Paths: []string{"path"}},
		"file_search": search, "grep_search": search, "semantic_search": search,

		"fetch_webpage": {Kind: trammel.FetchAction, URL: []string{"url"}, Query: []string{"query"}, Parse: parseAddresses},
		"runSubagent":   {Kind: trammel.AgentAction, Agent: []string{"agentName"}, Content: []string{"prompt"}},

		// These affect only the session itself.
		"manage_todo_list": other, "get_errors": other, "get_terminal_output": other, "think": other,
	}
}

// parseAddresses uses the first of several addresses; the others are added to
// the query.
func parseAddresses(input map[string]any, a *trammel.Action) {
	list, _ := input["urls"].([]any)
	for _, u := range list {
		switch text, ok := u.(string); {
		case !ok:
		case a.URL == "":
			a.URL = text
		default:
			a.Query = strings.TrimSpace(a.Query + " " + text)
		}
	}
}
