// Command site renders the pages as a static site: HTML and one style sheet, no
// script, and nothing that is loaded from elsewhere.
//
//	go run ./test/site -out site
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"html"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/docs"
)

//go:embed style.css
var style string

const repository = "https://github.com/trammel-dev/trammel/blob/main/"

func main() {
	out := flag.String("out", "site", "the directory to write to")
	flag.Parse()
	n, err := build(".", *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages in %s\n", n, *out)
}

// build renders all pages of the repository at root.
func build(root, out string) (pages int, err error) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return 0, err
	}
	list := append([]docs.Page{{Topic: "start", Group: "start", Title: "Trammel", Path: "README.md", Text: string(readme)}}, docs.Pages()...)
	known := map[string]bool{}
	for _, p := range list {
		known[p.Path] = true
	}
	for _, p := range list {
		if err := write(out, place(p.Path), page(list, known, &p)); err != nil {
			return 0, err
		}
	}
	if err := write(out, "style.css", style); err != nil {
		return 0, err
	}
	images := filepath.Join(out, "docs", "images")
	if err := os.RemoveAll(images); err != nil {
		return 0, err
	}
	return len(list), os.CopyFS(images, os.DirFS(filepath.Join(root, "docs", "images")))
}

func write(out, name, text string) error {
	file := filepath.Join(out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// place is where a page is on the site.
func place(file string) string {
	dir, base := path.Split(file)
	if base == "README.md" {
		return dir + "index.html"
	}
	return strings.TrimSuffix(file, ".md") + ".html"
}

// relative is the way from one place of the site to another.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

func page(list []docs.Page, known map[string]bool, p *docs.Page) string {
	here := place(p.Path)
	r := renderer{link: func(target string) string {
		file, anchor, hasAnchor := strings.Cut(target, "#")
		if strings.Contains(target, "://") || file == "" {
			return target
		}
		file = path.Join(path.Dir(p.Path), file)
		switch {
		case known[file]:
			file = relative(here, place(file))
		case strings.HasPrefix(file, "docs/images/"):
			file = relative(here, file)
		default:
			file = repository + file
		}
		if hasAnchor {
			file += "#" + anchor
		}
		return file
	}}
	body := r.render(p.Text)
	return fmt.Sprintf("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n<link rel=\"stylesheet\" href=\"%s\">\n"+
		"</head>\n<body>\n<nav>\n%s</nav>\n<main>\n%s</main>\n</body>\n</html>\n",
		html.EscapeString(p.Title), relative(here, "style.css"), navigation(list, here), body)
}

var groups = map[string]string{"start": "Start", "page": "Pages", "reference": "Reference", "recipe": "Recipes", "policy": "Policies"}

func navigation(list []docs.Page, here string) string {
	var b strings.Builder
	group := ""
	for _, p := range list {
		if p.Group != group {
			if group != "" {
				b.WriteString("</ul></details>\n")
			}
			group = p.Group
			open := ""
			if group == "start" || group == "page" {
				open = " open"
			}
			fmt.Fprintf(&b, "<details%s><summary>%s</summary><ul>\n", open, groups[group])
		}
		current := ""
		if place(p.Path) == here {
			current = ` aria-current="page"`
		}
		fmt.Fprintf(&b, "<li><a href=\"%s\"%s>%s</a></li>\n", relative(here, place(p.Path)), current,
			html.EscapeString(strings.ReplaceAll(p.Title, "`", "")))
	}
	b.WriteString("</ul></details>\n")
	return b.String()
}
