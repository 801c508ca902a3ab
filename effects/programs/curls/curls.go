// Package curls is what curl and its relatives make of their arguments, where one stands for
// several or for something else than it says.
package curls

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// URLs are those that curl makes of one with alternatives: https://{a,b}.example.
func URLs(w model.Word, off bool) []model.Word {
	before, rest, open := strings.Cut(w.Text, "{")
	inner, after, closed := strings.Cut(rest, "}")
	if off || !w.Known || !open || !closed || strings.Count(w.Text, "{") > 4 {
		return []model.Word{w}
	}
	var out []model.Word
	for _, one := range strings.SplitN(inner, ",", 32) {
		out = append(out, URLs(model.Word{Text: before + one + after, Known: true}, false)...)
	}
	return out[:min(len(out), 256)]
}

// Instead are the addresses that a URL's host stands for: HOST:PORT:ADDRESS,ADDRESS of
// --resolve, HOST:PORT:HOST:PORT of --connect-to.
func Instead(text string) []string {
	if parts := strings.SplitN(text, ":", 3); len(parts) == 3 {
		return strings.Split(parts[2], ",")
	}
	return nil
}

// Outputs are the files that a text after the transfer goes to, if it goes to some:
// %output{FILE}, %output{>>FILE}.
func Outputs(format string) (out []string) {
	for i, part := range strings.Split(format, "%output{") {
		if file, _, ok := strings.Cut(part, "}"); ok && i > 0 {
			out = append(out, strings.TrimPrefix(file, ">>"))
		}
	}
	return out
}

// FileName is the name of the file that a download of a URL gets.
func FileName(url model.Word) model.Word {
	rest := paths.AfterScheme(url.Text)
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	_, name, _ := strings.Cut(rest, "/")
	if name = path.Base(name); name == "." || name == "/" {
		name = "index.html"
	}
	return model.Word{Text: name, Known: url.Known || !strings.ContainsAny(name, "$`") && strings.HasSuffix(url.Text, "/"+name) &&
		strings.Contains(url.Text, "://"), Glob: url.Glob}
}
