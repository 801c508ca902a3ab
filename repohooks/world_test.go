//go:build unix

package repohooks

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/testfile"
)

// world is a repository on a machine of its own.
type world struct {
	*testing.T
	dirs layers.Dirs
	root string
	*Runner
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(base, name) }
	w := &world{T: t, dirs: layers.Dirs{Machine: in("etc"), User: in("user"), State: in("state"), Cache: in("cache")}, root: in("repo")}
	w.Runner = Open(w.dirs, w.root)
	if err := os.MkdirAll(w.root, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		w.write(name, text)
	}
	return w
}

func (w *world) write(name, text string) {
	w.Helper()
	path := filepath.Join(w.root, filepath.FromSlash(name))
	mode := os.FileMode(0o644)
	if filepath.Dir(name) == "scripts/hooks" {
		mode = 0o755
	}
	testfile.Write(w, path, text, mode)
}

func (w *world) replace(name, text string) {
	w.Helper()
	if err := files.Replace(filepath.Join(w.root, filepath.FromSlash(name)), []byte(text)); err != nil {
		w.Error(err)
	}
}

func (w *world) read(name string) string {
	w.Helper()
	data, err := os.ReadFile(filepath.Join(w.root, filepath.FromSlash(name)))
	if err != nil {
		w.Fatal(err)
	}
	return string(data)
}

// trust is what a human does who has read the files.
func (w *world) trust() *world {
	w.Helper()
	p := full.New(w.dirs)
	s, err := config.Review(w.dirs, w.root, full.Registry{Registry: p.Registry, Dialects: p.Dialects})
	if err == nil {
		err = s.Accept(time.Now())
	}
	if err != nil {
		w.Fatal(err)
	}
	return w
}

func (w *world) run(c Context, blockingOnly bool, bound ...string) (*Result, error) {
	w.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	return w.RunHooks(ctx, c.EventType(), c, blockingOnly, bound...)
}

func (w *world) must(c Context, bound ...string) *Result {
	w.Helper()
	r, err := w.run(c, true, bound...)
	if err != nil {
		w.Fatal(err)
	}
	return r
}

// hook is a declaration.
func hook(id, event string, more ...string) string {
	text := "id: " + id + "\nevent_type: " + event + "\nenabled: true\nblocking: true\n"
	for _, m := range more {
		text += m + "\n"
	}
	return text
}

func script(name string) string {
	return "handler:\n  kind: script\n  command: ./scripts/hooks/" + name
}

// says is a script that keeps its input and prints a result.
func says(result string) string {
	return "#!/bin/sh\ncat > \"$(dirname \"$0\")/../../seen.json\"\ncat <<'END'\n" + result + "\nEND\n"
}

func create(ability, environment string) *PreAbilityCreate {
	return &PreAbilityCreate{SessionID: "s1", AbilityRef: AbilityRef{Kind: OperationKey, Value: ability}, Environment: environment,
		Caller: Caller{Source: AISession, SessionID: "s1"}}
}

func call(ability string, args map[string]any) *PreAbilityCall {
	return &PreAbilityCall{SessionID: "s1", AbilityID: ability, TaskKey: "task-1", ArgsSummary: Summary(args),
		Caller: Caller{Source: ManualCLI}, Args: args}
}
