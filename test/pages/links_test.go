package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/docs"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Every page says in its first sentence who it is for.
func TestPagesSayWhoTheyAreFor(t *testing.T) {
	for _, p := range docs.Pages() {
		_, text, _ := strings.Cut(p.Text, "\n\n")
		if p.Group != "policy" && p.Topic != "requirements" && !strings.HasPrefix(text, "For ") {
			t.Errorf("%s begins with %.60q, expected \"For people who …\"", p.Path, text)
		}
	}
}

// What a page links to is there, down to the heading.
func TestLinks(t *testing.T) {
	all := docs.Pages()
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		data, err := os.ReadFile(filepath.Join(Root, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, docs.Page{Path: name, Text: string(data)})
	}
	byPath := map[string]*docs.Page{}
	for i := range all {
		byPath[all[i].Path] = &all[i]
	}
	for _, p := range all {
		for _, m := range link.FindAllStringSubmatch(outsideOfCode(p.Text), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			path := p.Path
			if target != "" {
				path = filepath.ToSlash(filepath.Join(filepath.Dir(p.Path), target))
			}
			if _, err := os.Stat(filepath.Join(Root, path)); err != nil {
				t.Errorf("%s links to %s, which is not there", p.Path, m[1])
				continue
			}
			if to := byPath[path]; anchor != "" && to != nil && !slices.Contains(to.Anchors(), anchor) {
				t.Errorf("%s links to %s, and there is no such heading", p.Path, m[1])
			}
		}
	}
}

var codeSpan = regexp.MustCompile("(?s)```.*?\n```|`[^`\n]*`")

func outsideOfCode(text string) string { return codeSpan.ReplaceAllString(text, "") }
