package pi

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Tools of other extensions are read loosely.
func tools() trammel.Shapes {
	path := []string{"path"}
	return trammel.Shapes{
		"bash":  {Kind: trammel.ShellAction, Command: []string{"command"}},
		"write": {Kind: trammel.WriteAction, Paths: path, Content: []string{"content"}},
		"edit":  {Kind: trammel.EditAction, Paths: path, Content: []string{"newText"}, Parse: decode.Several("edits", "newText", "")},
		"read":  {Kind: trammel.ReadAction, Paths: path},
		"ls":    {Kind: trammel.ReadAction, Paths: path},
		"grep":  {Kind: trammel.SearchAction, Paths: path, Query: []string{"pattern"}},
		"find":  {Kind: trammel.SearchAction, Paths: path, Query: []string{"pattern"}},
	}
}
