package repository

import (
	"fmt"
	"strings"
	"testing"
)

// docs/architecture.md names every package, with the first sentence of its own
// comment, so that none is missing and none says something else.
func TestPackagesPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("| package | what it is |\n|---|---|\n")
	for _, p := range list(t, "./...") {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if name == "" || strings.HasPrefix(name, "test/") {
			continue
		}
		words := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(p.Doc, "Package "), "Command "), ".")
		if words == "" {
			t.Errorf("%s has no comment that says what it is", p.ImportPath)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, strings.ReplaceAll(words, "|", `\|`))
	}
	generate(t, "docs/architecture.md", "<!-- packages -->\n", b.String())
}
