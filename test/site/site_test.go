package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	target  = regexp.MustCompile(`(href|src)="([^"]*)"`)
	foreign = regexp.MustCompile(`(?i)<(script|iframe|object|embed|form)\b|src="[a-z]*:?//|<link[^>]*href="[a-z]*:?//|@import|url\(|` +
		` on[a-z]+="`)
)

// The site is whole: every link leads to a file and a heading that are there, and
// no page loads anything from elsewhere.
func TestSite(t *testing.T) {
	out := t.TempDir()
	n, err := build("../..", out)
	if err != nil || n < 80 {
		t.Fatalf("%d pages, %v", n, err)
	}
	texts := map[string]string{}
	err = filepath.WalkDir(out, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		name, _ := filepath.Rel(out, file)
		texts[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		if !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".css") {
			continue
		}
		if bad := foreign.FindString(text); bad != "" {
			t.Errorf("%s has %q in it", name, bad)
		}
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			file, anchor, _ := strings.Cut(m[2], "#")
			if strings.Contains(file, "://") {
				continue
			}
			to := name
			if file != "" {
				to = path.Join(path.Dir(name), file)
			}
			switch there, ok := texts[to]; {
			case !ok:
				t.Errorf("%s leads to %s, which is not there", name, m[2])
			case anchor != "" && !strings.Contains(there, `id="`+anchor+`"`):
				t.Errorf("%s leads to %s, which has no such heading", name, m[2])
			}
		}
	}
}

// What the pages use of Markdown, and what must stay text.
func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"# A *b*":                       "<h1 id=\"a-b\">A <em>b</em></h1>\n",
		"a\nb `<x>` **c**":              "<p>a\nb <code>&lt;x&gt;</code> <strong>c</strong></p>\n",
		"<script>x</script>":            "<p>&lt;script&gt;x&lt;/script&gt;</p>\n",
		"<!-- no -->\n[a `b`](c \"d\")": "<p>[a <code>b</code>](c &#34;d&#34;)</p>\n",
		"[a](b.md)":                     "<p><a href=\"to b.md\">a</a></p>\n",
		"[a](x\"onclick=1)":             "<p><a href=\"to x&#34;onclick=1\">a</a></p>\n",
		"```sh\n<!-- a -->\n```":        "<pre><code>&lt;!-- a --&gt;</code></pre>\n",
		"| a | b |\n|---|---|\n| `x\\|y` | 2 |": "<div class=\"wide\"><table>\n<tr><th>a</th><th>b</th></tr>\n" +
			"<tr><td><code>x|y</code></td><td>2</td></tr>\n</table></div>\n",
		"* a\n  b\n  * c\n* d": "<ul>\n<li>a\nb\n<ul>\n<li>c\n</li>\n</ul>\n</li>\n<li>d\n</li>\n</ul>\n",
		"1. a\n2. b":           "<ol>\n<li>a\n</li>\n<li>b\n</li>\n</ol>\n",
		`a \<b\> \*c\*`:        "<p>a &lt;b&gt; *c*</p>\n",
	} {
		r := renderer{link: func(s string) string { return "to " + s }}
		if got := r.render(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
