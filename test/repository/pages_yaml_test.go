package repository

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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
	pages, err := filepath.Glob("docs/*.md")
	policies, wrong := filepath.Glob("docs/policies/*.md")
	if err != nil || wrong != nil || len(policies) == 0 {
		t.Fatal(err, wrong)
	}
	for _, page := range append(append(pages, policies...), "README.md") {
		if slices.Contains([]string{"docs/packs.md", "docs/repository-hooks.md", "docs/tasks.md"}, page) { // of other files
			continue
		}
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
			if !strings.Contains("\n"+text, "\nversion:") {
				text = "version: 1\n" + text
			}
			set := &layers.Set{Root: "/", Files: []layers.File{{Path: page, Layer: layers.User, Dir: "/", Data: []byte(text),
				Trust: layers.Trusted}}}
			found, err := config.Lint(set, reg)
			for _, f := range found {
				if slices.Contains([]string{"always-true", "never-matches", "contradiction", "spaced-argument",
					"unsupported-on-host"}, f.Code) {
					t.Errorf("%s: %s", page, f.String())
				}
			}
			if refs, wrong := config.Extends(page, []byte(text)); len(refs) > 0 { // what it extends is not here
				err = wrong
				for i := range refs {
					err = errors.Join(err, refs[i].Check())
				}
			}
			if err != nil {
				t.Errorf("%s: an example cannot be used: %v", page, err)
			}
		}
	}
}
