package buildcheck

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"

	"github.com/trammel-dev/trammel/test/policysuite"
	"github.com/trammel-dev/trammel/test/testfile"
)

// AIC-65: the recipe as a policy.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// run ends a session that has changed files of a project.
func run(t *testing.T, options string, files map[string]string, changed ...string) (trammel.Answer, string) {
	t.Helper()
	dir := t.TempDir()
	testfile.Tree(t, dir, files)
	list := make([]any, len(changed))
	for i, file := range changed {
		list[i] = file
	}
	h, err := Policy().New(policysuite.Spec(options))
	if err != nil {
		t.Fatal(err)
	}
	a, err := h.Handle(t.Context(), &trammel.Event{Kind: trammel.SessionEnd, Session: trammel.Session{ID: "s", Project: dir},
		Fields: map[string]any{"changed_files": list}})
	if err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(filepath.Join(dir, "summary.json"))
	return a, string(data)
}

// AIC-65: the nearest component of each changed file is checked, once, and the
// summary says what came of it.
func TestComponents(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make on this machine")
	}
	files := map[string]string{
		"services/good/Makefile": "check:\n\t@echo fine\n", "services/good/a/b.txt": "",
		"services/bad/Makefile":  "all:\n\ncheck: all\n\t@echo 'password = \"hunter2hunter2\"' ; exit 3\n",
		"services/slow/Makefile": "check:\n\t@sleep 1000\n", "docs/x.md": "",
		"apps/web/package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`,
	}
	var a trammel.Answer
	var summary string
	for limit := 4; limit < 100; limit *= 2 { // a slow machine takes longer for those that end
		a, summary = run(t, fmt.Sprintf(`{"summary":"summary.json","timeout":"%ds"}`, limit), files, "services/good/a/b.txt", "services/good/c",
			"services/bad/x", "services/slow/x", "docs/x.md", "apps/web/a.js", "../outside/x", "/etc/passwd")
		if strings.Count(summary, `"timeout"`) == 1 {
			break
		}
	}
	var got struct {
		Status  string
		Results []struct {
			Component, Status, Output string
			Check                     []string
		}
	}
	if err := json.Unmarshal([]byte(summary), &got); err != nil || got.Status != "failed" || len(got.Results) != 3 {
		t.Fatalf("%v: %s", err, summary)
	}
	for i, want := range []string{"services/bad failed", "services/good passed", "services/slow timeout"} {
		if r := got.Results[i]; r.Component+" "+r.Status != want || !slices.Equal(r.Check, []string{"make", "check"}) {
			t.Errorf("found %+v, expected %s", r, want)
		}
	}
	if len(a.Findings) != 2 || !strings.Contains(a.Notice, "2 of 3") || a.Decision != trammel.None {
		t.Errorf("%+v", a)
	}
}

// AIC-65: how a component is checked follows from its build files.
func TestChecks(t *testing.T) {
	for text, want := range map[string]string{
		"go.mod":         "go build ./...; go vet ./...",
		"Cargo.toml":     "cargo check --quiet",
		"pyproject.toml": "python3 -m compileall -q .",
		"Makefile":       "",
		"other":          "",
	} {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, text), []byte("build:\n"), 0o644)
		var got []string
		for _, c := range checksIn(dir) {
			got = append(got, strings.Join(c, " "))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A tool that is not there is skipped, and one component more than the bound is
// said to be left out.
func TestBounds(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	files := map[string]string{"a/go.mod": "module a\n", "b/go.mod": "module b\n"}
	_, summary := run(t, `{"summary":"summary.json","most":1}`, files, "a/x.go", "b/x.go")
	if !strings.Contains(summary, `"components_left_out":1`) || strings.Count(summary, `"status":"skipped"`) != 3 {
		t.Errorf("%s", summary)
	}
}
