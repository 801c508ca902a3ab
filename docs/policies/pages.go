// Package policies holds the pages about the built-in policies, one for each,
// so that `trammel policies show` can print what the documentation says.
package policies

import (
	"embed"
	"strings"
)

// Files are the pages.
//
//go:embed *.md
var Files embed.FS

// Page is the page of a policy, without what is generated for the web.
func Page(name string) (string, bool) {
	data, err := Files.ReadFile(name + ".md")
	if err != nil {
		return "", false
	}
	before, rest, ok := strings.Cut(string(data), "<!-- generated: options -->\n")
	if !ok {
		return string(data), true
	}
	_, after, _ := strings.Cut(rest, "<!-- end -->\n")
	return before + after, true
}
