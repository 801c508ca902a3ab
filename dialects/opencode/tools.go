package opencode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Tools of MCP servers and unknown ones are read loosely. It is
// built when the first tool call is read.
func tools() trammel.Shapes {
	other := trammel.Shape{Kind: trammel.OtherAction}
	patch := trammel.Shape{Kind: trammel.EditAction, Parse: decode.Patches("patchText")}
	file := []string{"filePath"}
	return trammel.Shapes{
		"bash": {Kind: trammel.ShellAction, Command: []string{"command"}, Dir: []string{"workdir"}},

		"write":       {Kind: trammel.WriteAction, Paths: file, Content: []string{"content"}},
		"edit":        {Kind: trammel.EditAction, Paths: file, Content: []string{"newString"}},
		"multiedit":   {Kind: trammel.EditAction, Paths: file, Parse: decode.Several("edits", "newString", "")},
		"patch":       patch,
		"apply_patch": patch,

		"read":       {Kind: trammel.ReadAction, Paths: file},
		"list":       {Kind: trammel.ReadAction, Paths: []string{"path"}},
		"glob":       {Kind: trammel.SearchAction, Paths: []string{"path"}, Query: []string{"pattern"}},
		"grep":       {Kind: trammel.SearchAction, Paths: []string{"path"}, Query: []string{"pattern"}},
		"webfetch":   {Kind: trammel.FetchAction, URL: []string{"url"}},
		"websearch":  {Kind: trammel.SearchAction, Query: []string{"query"}},
		"codesearch": {Kind: trammel.SearchAction, Query: []string{"query"}},

		"task": {Kind: trammel.AgentAction, Agent: []string{"subagent_type"}, Content: []string{"prompt"}},

		// These affect only the session itself. "invalid" is what a call of an
		// unknown tool becomes; it only says so to the model.
		"todowrite": other, "todoread": other, "skill": other, "question": other, "invalid": other,
	}
}
