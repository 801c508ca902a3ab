package pages

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
)

// TEAM-53: every recipe does what its tests say, as the rules of a user. Each
// stops its call in another spelling, too, and lets a near miss pass. Its page
// shows the rules as they are, and the index names it.
func TestRecipes(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(Root, "recipes", "*", "trammel.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) < 20 {
		t.Errorf("there are %d recipes, expected at least 20", len(dirs))
	}
	index := written(t, "recipes.md")
	for _, file := range dirs {
		dir := filepath.Dir(file)
		name := filepath.Base(dir)
		index += fmt.Sprintf("| [%s](../recipes/%s/README.md) | `%s` |\n", recipePage(t, dir), name, name)
		t.Run(name, func(t *testing.T) {
			p := recipeProgram(t, file)
			files, err := policytest.Find(dir)
			if err != nil {
				t.Fatal(err)
			}
			caught, passed := 0, 0
			for _, path := range files {
				cases, err := policytest.Read(path)
				if err != nil {
					t.Fatal(err)
				}
				for i := range cases {
					r := (&policytest.Runner{Program: &p.Program}).Run(context.Background(), inside(t, path), &cases[i])
					if !r.Passed() {
						t.Errorf("%s: %v %s", r.Name, r.Diff, r.Err)
					}
					e := cases[i].Expect
					if e.Decision != "" || e.Input != nil || e.Output != nil || e.Context != nil {
						caught++
					} else {
						passed++
					}
				}
			}
			if name != "limit-calls" && caught < 2 || passed < 1 {
				t.Errorf("%d cases are stopped or changed and %d pass; expected one in another spelling, and a near miss", caught, passed)
			}
		})
	}
	if wrong := Keep("docs/recipes.md", index, refresh, *update); wrong != "" {
		t.Error(wrong)
	}
}

// recipePage checks that a page shows the rules as they are, and returns its title.
func recipePage(t *testing.T, dir string) string {
	page, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile(filepath.Join(dir, "trammel.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(rules), "\n") // the line for editors
	if !strings.Contains(string(page), "```yaml\n"+text+"```\n") {
		t.Errorf("%s/README.md does not show the rules of trammel.yaml", dir)
	}
	title, _, _ := strings.Cut(strings.TrimPrefix(string(page), "# "), "\n")
	return title
}

// recipeProgram is a program whose user has the rules of a file and nothing else.
func recipeProgram(t *testing.T, file string) *full.Program {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	user, state := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(user, "trammel.yaml"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	return full.New(layers.Dirs{User: user, State: state, Cache: filepath.Join(state, "cache")})
}

// inside copies what lies around a test file to a project of its own, without
// rules, and returns the place of the test file in it.
func inside(t *testing.T, file string) string {
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(filepath.Dir(file))); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(to, "trammel.yaml")); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(to, filepath.Base(file))
}

// TEAM-53: the recipe that limits calls lets 30 of them pass, and no more.
func TestRecipeLimit(t *testing.T) {
	p := recipeProgram(t, filepath.Join(Root, "recipes/limit-calls/trammel.yaml"))
	dir := t.TempDir()
	for i := 1; i <= 31; i++ {
		tool := fmt.Sprintf("mcp__jira__tool%d", i%3) // the connector counts, whatever the tool
		judged, err := p.Judge(context.Background(), &pipeline.Request{Dirs: []string{dir}, Event: &trammel.Event{Kind: trammel.PreToolUse,
			Host: "claude-code", Session: trammel.Session{ID: "s", Dir: dir}, Tool: &trammel.ToolCall{Name: tool, Input: map[string]any{}}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := judged.Verdict.Decision; (got == trammel.Deny) != (i == 31) {
			t.Errorf("call %d: %v %s", i, got, judged.Verdict.Reason)
		}
	}
}
