package trammel_test

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// What people copy out of the pages works: every trammel.yaml in them, and every
// part of one, can be used as written.
func TestExamplesOfThePages(t *testing.T) {
	p := full.New(trammel.Dirs{})
	reg := full.Registry{Registry: p.Registry, Dialects: p.Dialects}
	for _, page := range []string{"README.md", "docs/approvals.md", "docs/channels.md", "docs/security.md", "docs/writing-hooks.md",
		"docs/asking.md", "docs/team.md"} {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range blocks(string(data), "yaml") {
			if strings.HasPrefix(example, "tests:") { // another file
				continue
			}
			text := strings.ReplaceAll(example, "ed25519:…", "ed25519:"+strings.Repeat("A", 43))
			if strings.HasPrefix(text, "  - ") {
				text = "hooks:\n" + text
			}
			if !strings.HasPrefix(text, "version:") {
				text = "version: 1\n" + text
			}
			set := &layers.Set{Root: "/", Files: []layers.File{{Path: page, Layer: layers.User, Dir: "/", Data: []byte(text),
				Trust: layers.Trusted}}}
			if _, err := config.Compile(set, reg); err != nil {
				t.Errorf("%s: an example cannot be used: %v", page, err)
			}
		}
	}
}
