package full

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
)

func lint(t *testing.T, layer layers.Layer, path string, data []byte) ([]config.Finding, error) {
	t.Helper()
	p := New(layers.Dirs{})
	dir := filepath.Dir(path)
	set := &layers.Set{Root: dir, Files: []layers.File{{Layer: layer, Path: path, Dir: dir, Data: data, Trust: layers.Trusted}}}
	return config.Lint(set, Registry{p.Registry, p.Dialects})
}

// TEAM-23: one file per code; each finding has its place and a fix. The first line
// of a file says whose it is and where the finding is.
func TestLintCodes(t *testing.T) {
	list, err := filepath.Glob("testdata/lint/*.yaml")
	if err != nil || len(list) < 13 {
		t.Fatalf("%d files: %v", len(list), err)
	}
	for _, name := range list {
		code := strings.TrimSuffix(filepath.Base(name), ".yaml")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), layers.FileName)
		old := time.Now().AddDate(0, 0, -40)
		if err := errors.Join(os.WriteFile(path, data, 0o600), os.Chtimes(path, old, old)); err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(strings.TrimPrefix(string(data), "# "), "\n")
		whose, place, _ := strings.Cut(head, ", ")
		layer := map[string]layers.Layer{"user": layers.User, "project": layers.Project}[whose]
		found, err := lint(t, layer, path, data)
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %v, %v", code, found, err)
			continue
		}
		f := found[0]
		at := fmt.Sprintf("%d:%d", f.Line, f.Column)
		if f.Code != code || f.File != path || at != place || f.Fix == "" || f.Message == "" {
			t.Errorf("%s: found %s at %s, fix %q, expected it at %s", code, f.Code, at, f.Fix, place)
		}
	}
}

// TEAM-23: what could never match is refused, with its place and what to write
// instead.
func TestLintRefusesWhatNeverMatches(t *testing.T) {
	for _, match := range []string{`{ tool: "Bash(git push:*)" }`, `{ tool: "mcp__.*" }`, `{ program: "git push" }`, `{ host: clode }`} {
		text := "version: 1\nhooks:\n  - { id: x, on: pre_tool_use, match: " + match + ", deny: Use another one. }\n"
		found, err := lint(t, layers.User, "/u/trammel.yaml", []byte(text))
		wrong := (*config.Errors)(nil)
		if !errors.As(err, &wrong) || wrong.List[0].Line != 3 || wrong.List[0].Column < 40 {
			t.Errorf("%s: %v, %v", match, found, err)
		}
	}
}

// TEAM-23: a pack that cannot be used is reported with the reason.
func TestLintOfAPack(t *testing.T) {
	dir := t.TempDir()
	rules := "version: 1\nhooks:\n  - { id: x, on: pre_tool_use, pack: { dir: ext, hook: h } }\n"
	if err := os.Mkdir(filepath.Join(dir, "ext"), 0o700); err != nil {
		t.Fatal(err)
	}
	found, err := lint(t, layers.User, filepath.Join(dir, layers.FileName), []byte(rules))
	if err != nil || len(found) != 1 || found[0].Code != "missing-program" ||
		!strings.Contains(found[0].Message, "there is no hooks.yaml in ") {
		t.Errorf("%+v, %v", found, err)
	}
}

// An agent is known by its name, by the beginning of it, or as native/NAME.
func TestHostNames(t *testing.T) {
	p := New(layers.Dirs{})
	for name, want := range map[string]string{"codex": "codex", "claude": "claude-code", "Claude Code": "claude-code", "native/mine": "mine",
		"native/codex": "codex", "native/": "", "c": "", "nobody": ""} {
		text := "version: 1\nhooks:\n  - { id: x, on: pre_tool_use, match: { host: " + name + " }, deny: Use another one. }\n"
		file := layers.File{Layer: layers.User, Path: "/u/trammel.yaml", Dir: "/u", Data: []byte(text), Trust: layers.Trusted}
		c, err := config.Compile(&layers.Set{Files: []layers.File{file}}, Registry{p.Registry, p.Dialects})
		got := ""
		if err == nil {
			got = strings.Join(c.Hooks[0].Match.Hosts, " ")
		}
		if got != want {
			t.Errorf("%s: found %q, expected %q, %v", name, got, want, err)
		}
	}
}

// TEAM-23: presets and recipes are clean.
func TestLintOfWhatWeShip(t *testing.T) {
	presets, _ := filepath.Glob("../../config/presets/*.yaml")
	shipped, err := filepath.Glob("../../recipes/*/trammel.yaml")
	if err != nil || len(presets) < 4 || len(shipped) < 20 {
		t.Fatalf("%v, %d presets, %d recipes", err, len(presets), len(shipped))
	}
	for _, name := range append(presets, shipped...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		found, err := lint(t, layers.User, abs, data)
		found = slices.DeleteFunc(found, func(f config.Finding) bool {
			return f.Code == "missing-program" && strings.Contains(name, "tests-before-stop") // the reader's own script
		})
		if err != nil || len(found) > 0 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}
