package pi

import (
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
)

// tools says where the host's tools keep what they are about. Tools of other
// extensions are read loosely. It is built when the first tool call is read.
var tools = sync.OnceValue(func() trammel.Shapes {
	path := []string{"path"}
	return trammel.Shapes{
		"bash":  {Kind: trammel.ShellAction, Command: []string{"command"}},
		"write": {Kind: trammel.WriteAction, Paths: path, Content: []string{"content"}},
		"edit":  {Kind: trammel.EditAction, Paths: path, Content: []string{"newText"}, Parse: parseEdits},
		"read":  {Kind: trammel.ReadAction, Paths: path},
		"ls":    {Kind: trammel.ReadAction, Paths: path},
		"grep":  {Kind: trammel.SearchAction, Paths: path, Query: []string{"pattern"}},
		"find":  {Kind: trammel.SearchAction, Paths: path, Query: []string{"pattern"}},
	}
})

// parseEdits collects what a list of edits would put into the file.
func parseEdits(input map[string]any, a *trammel.Action) {
	edits, _ := input["edits"].([]any)
	for _, e := range edits {
		if edit, ok := e.(map[string]any); ok {
			if text, ok := edit["newText"].(string); ok {
				a.Content = strings.TrimPrefix(a.Content+"\n"+text, "\n")
			}
		}
	}
}
