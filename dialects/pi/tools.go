package pi

import (
	"strings"
	"unicode"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// tools says which arguments of the host's tools hold commands, paths and
// addresses. Tools of other extensions are read loosely.
func tools() trammel.Shapes {
	path := []string{"path"}
	return trammel.Shapes{
		"bash":  {Kind: trammel.ShellAction, Command: []string{"command"}},
		"write": {Kind: trammel.WriteAction, Paths: path, Content: []string{"content"}, Parse: opened},
		"edit":  {Kind: trammel.EditAction, Paths: path, Content: []string{"newText"}, Parse: edits},
		"read":  {Kind: trammel.ReadAction, Paths: path, Parse: opened},
		"ls":    {Kind: trammel.ReadAction, Paths: path, Parse: opened},
		"grep":  {Kind: trammel.SearchAction, Paths: path, Query: []string{"pattern"}, Parse: opened},
		"find":  {Kind: trammel.SearchAction, Paths: path, Query: []string{"pattern"}, Parse: opened},
	}
}

func edits(input map[string]any, a *trammel.Action) {
	decode.Several("edits", "newText", "")(input, a)
	opened(input, a)
}

// opened makes of the paths those that pi opens: it takes every blank for a plain one, and an
// @ in front away.
func opened(_ map[string]any, a *trammel.Action) {
	for i, name := range a.Paths {
		name = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Zs, r) {
				return ' '
			}
			return r
		}, name)
		a.Paths[i] = strings.TrimPrefix(name, "@")
	}
}
