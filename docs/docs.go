// Package docs holds the pages for users, so that `trammel docs` can show them
// where there is no network.
package docs

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/docs/policies"
	"github.com/trammel-dev/trammel/recipes"
)

//go:embed *.md reference/*.md
var pages embed.FS

// Page is one page.
type Page struct {
	// Topic is the name by which it is asked for.
	Topic string `json:"topic"`
	// Group says what it is: page, reference, recipe, policy.
	Group string `json:"group"`
	Title string `json:"title"`
	// Path is the file in the repository.
	Path string `json:"path"`
	Text string `json:"-"`
}

// Pages are all pages, group by group, in the order of their topics.
func Pages() []Page {
	var out []Page
	for _, from := range []struct {
		group, dir, pattern string
		files               fs.FS
	}{
		{"page", "docs", "*.md", pages},
		{"reference", "docs", "reference/*.md", pages},
		{"recipe", "recipes", "*/README.md", recipes.Pages},
		{"policy", "docs/policies", "*.md", policies.Files},
	} {
		names, _ := fs.Glob(from.files, from.pattern) // the patterns are good
		for _, name := range names {
			data, err := fs.ReadFile(from.files, name)
			if err != nil {
				continue // it is embedded
			}
			p := Page{Topic: strings.TrimSuffix(path.Base(name), ".md"), Group: from.group, Path: path.Join(from.dir, name), Text: string(data)}
			if p.Topic == "README" {
				p.Topic = path.Dir(name)
			}
			title, _, _ := strings.Cut(p.Text, "\n")
			p.Title = strings.TrimPrefix(title, "# ")
			out = append(out, p)
		}
	}
	return out
}

// Section is the part of a page below the heading with this anchor, "" if there
// is none.
func (p *Page) Section(anchor string) string {
	var out []string
	depth, fenced := 0, false
	for line := range strings.Lines(p.Text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if level := len(line) - len(strings.TrimLeft(line, "#")); level > 0 && !fenced {
			switch {
			case depth == 0 && Anchor(line[level:]) == anchor:
				depth = level
			case depth > 0 && level <= depth:
				return strings.Join(out, "")
			}
		}
		if depth > 0 {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// Anchors are those of all headings of a page.
func (p *Page) Anchors() []string {
	var out []string
	fenced := false
	for line := range strings.Lines(p.Text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if text := strings.TrimLeft(line, "#"); len(text) < len(line) && !fenced {
			out = append(out, Anchor(text))
		}
	}
	return out
}

// Anchor is the name of a heading in a link: lower case, blanks as hyphens, and
// no other signs than hyphens and underscores.
func Anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_', r > 0x7f && r != '…' && r != '→':
			return r
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(heading)))
}

// Find is the page about a topic: its name, or the path of its file.
func Find(topic string) (Page, bool) {
	all := Pages()
	i := slices.IndexFunc(all, func(p Page) bool {
		return p.Topic == topic || p.Path == topic || p.Group+"/"+p.Topic == topic || strings.TrimPrefix(p.Path, "docs/") == topic
	})
	if i < 0 {
		return Page{}, false
	}
	return all[i], true
}
