package projects

import (
	"fmt"
	"path"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// A project has more workspaces than are looked at: what they run is a doubt.
func TestScriptsBeyondLimits(t *testing.T) {
	names, doubts := []string{}, 0
	for i := range maxFolders + 2 {
		names = append(names, fmt.Sprint("p", i))
	}
	h := Host{
		Place: func(w model.Word) model.Path {
			return model.Path{Text: w.Text, Abs: path.Join("/p", w.Text), Real: path.Join("/p", w.Text)}
		},
		Names: func(model.Path) []string { return names },
		Doubt: func(_, _ string) { doubts++ },
		Text: func(p model.Path) string {
			if path.Base(p.Abs) == "project.json" {
				return ""
			}
			return fmt.Sprintf(`{"workspaces": ["packages/*"], "name": %q, "scripts": {"build": %q}}`, p.Abs, "make "+p.Abs)
		},
	}
	parser := options.Parser{}
	a := parser.Read([]model.Word{word("run"), word("build")})
	if got := Scripts(h, "turbo", &a); len(got) != maxFolders || doubts != 1 {
		t.Errorf("%d scripts, %d doubts", len(got), doubts)
	}
	h.Text = func(p model.Path) string {
		return map[string]string{"package.json": `{"workspaces": ["packages/*"], "scripts": {"build": "tsc"}}`}[path.Base(p.Abs)]
	}
	if got := Scripts(h, "turbo", &a); len(got) != 1 {
		t.Errorf("%d scripts that are the same", len(got))
	}
}
