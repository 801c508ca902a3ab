package full

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
)

// TEAM-15: whatever a bundle says, what a project lets through with it, it lets
// through without it. Each bundle is tried with each file, trusted and not, on each call.
func TestBundleOnlyTightens(t *testing.T) {
	const on = "on: pre_tool_use"
	own := []string{
		"",
		"hooks: [{id: a, " + on + ", match: {program: git}, deny: x}]",
		"hooks: [{id: a, " + on + ", match: {program: rm}, ask: x}, {id: b, " + on + ", match: {path: '**/.env'}, deny: x}]",
		"preset: careful",
		"disabled: [shell-guard, a]\nhooks: [{id: a, " + on + ", deny: x}]",
		"profile: minimal\nhooks: [{id: a, " + on + ", match: {program: git}, deny: x, profile: minimal}]",
	}
	shared := []string{
		"hooks: []",
		"hooks: [{id: a, " + on + ", allow: x}]",
		"hooks: [{id: a, " + on + ", match: {program: git}, ask: x, overridable: true}]",
		"hooks: [{id: a, " + on + ", match: {program: ls}, deny: x}, {id: b, " + on + ", allow: x}]",
		"hooks: [{id: a, " + on + ", deny: x, enabled: false}, {id: b, " + on + ", deny: x, trial: true}]",
		"hooks: [{id: a, " + on + ", deny: x, profile: strict}, {id: shell-guard, use: shell-guard, enabled: false}]",
		"preset: observe\nhooks: [{id: shell-guard, use: shell-guard, trial: true}]",
		"preset: careful\nhooks: [{id: a, " + on + ", context: {text: x}}]",
	}
	calls := []string{"ls", "git status", "git push -f", "rm -rf build", "cat .env", "rm -rf /"}
	stronger := 0
	for i, rules := range own {
		for _, trusted := range []bool{true, false} {
			plain := verdicts(t, rules, "", trusted, calls)
			for k, text := range shared {
				with := verdicts(t, rules, text, trusted, calls)
				for n := range calls {
					if strength(with[n]) < strength(plain[n]) {
						t.Errorf("file %d, bundle %d, trusted %v, %s: %s without the bundle, %s with it", i, k, trusted, calls[n],
							plain[n].Decision, with[n].Decision)
					}
					if strength(with[n]) > strength(plain[n]) {
						stronger++
					}
				}
			}
		}
	}
	if stronger < 20 {
		t.Errorf("bundles tighten only %d verdicts: they are not in force", stronger)
	}
}

// strength orders verdicts by how little they let through: one that grants spares
// the host's question; an allow that does not is as good as none.
func strength(v *trammel.Verdict) int {
	switch {
	case v.Granted:
		return 0
	case v.Decision < trammel.Ask:
		return 1
	}
	return int(v.Decision)
}

func verdicts(t *testing.T, rules, bundle string, trusted bool, calls []string) []*trammel.Verdict {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(root, "p")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := Open(Options{Dirs: trammel.Dirs{User: filepath.Join(root, "user"), State: filepath.Join(root, "state"),
		Cache: filepath.Join(root, "cache")}, State: InMemory(), Sink: func(context.Context, *evidence.Record) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	text := "version: 1\n" + rules + "\n"
	if bundle != "" {
		b, err := bundles.New([]bundles.File{{Name: bundles.Manifest, Data: []byte("name: b\nversion: v1.0.0\n")},
			{Name: layers.FileName, Data: []byte("version: 1\n" + bundle + "\n")}})
		if err != nil {
			t.Fatal(err)
		}
		if err := bundles.Store(layers.BundlesIn(p.Dirs), b); err != nil {
			t.Fatal(err)
		}
		text += "extends: [{from: ./b}]\n"
		lock := layers.FormatLock([]layers.Locked{{Sum: b.Sum, Name: b.Name, Version: b.Version, From: "./b"}})
		if err := os.WriteFile(filepath.Join(project, layers.LockName), lock, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(project, layers.FileName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if trusted {
		s, err := config.Review(p.Dirs, project, Registry{p.Registry, p.Dialects})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Accept(time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	var out []*trammel.Verdict
	for i, command := range calls {
		v, err := p.Dispatch(t.Context(), &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{ID: fmt.Sprint(i), Dir: project},
			Tool: &trammel.ToolCall{ID: fmt.Sprint(i), Name: "shell", Input: map[string]any{"command": command}}})
		if err != nil || strings.Contains(v.Reason, "cannot") && strings.Contains(v.Reason, "configuration") {
			t.Fatalf("%v: %+v", err, v)
		}
		out = append(out, v)
	}
	return out
}
