package full_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// A Go runtime is governed by the trammel.yaml of the project that it works on.
func Example() {
	project, options := exampleProject()
	defer os.RemoveAll(filepath.Dir(project))

	p, err := full.Open(options) // full.Options{} for this user and machine
	if err != nil {
		panic(err)
	}
	v, err := p.Dispatch(context.Background(), &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Dir: project},
		Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": "git push --force"}}})
	fmt.Println(v.Decision, err)
	// Output: deny <nil>
}

func exampleProject() (project string, o full.Options) {
	dir, _ := os.MkdirTemp("", "")
	project = filepath.Join(dir, "project")
	os.MkdirAll(project, 0o700)
	os.WriteFile(filepath.Join(project, "trammel.yaml"), []byte("version: 1\nhooks:\n  - id: no-push\n    on: PreToolUse\n"+
		"    match: {program: git}\n    deny: {when: 'args.has(\"push\")', reason: Open a pull request.}\n"), 0o600)
	return project, full.Options{Dirs: trammel.Dirs{Machine: filepath.Join(dir, "etc"), User: filepath.Join(dir, "user"),
		State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache")}}
}

// Whoever embeds us says where everything goes: nothing is left in the state
// directory but the compiled plan if state is in memory and records go elsewhere
// (code.md, ambient state).
func TestAnEmbedderChooses(t *testing.T) {
	dir := t.TempDir()
	user := filepath.Join(dir, "user")
	os.MkdirAll(user, 0o700)
	os.WriteFile(filepath.Join(user, "trammel.yaml"), []byte("version: 1\nhooks:\n"+
		"  - {id: few, on: PreToolUse, use: rate-limit, with: {limits: [{max: 2, per: 1h}]}}\n"+
		"  - {id: loops, on: PreToolUse, use: loop-detector}\n"), 0o600)
	var records []*evidence.Record
	options := full.Options{Dirs: trammel.Dirs{User: user, State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache")},
		State: full.InMemory(), Sink: func(_ context.Context, r *evidence.Record) error { records = append(records, r); return nil }}
	for i, want := range []trammel.Decision{trammel.None, trammel.None, trammel.Deny} {
		p, err := full.Open(options) // as another part of the runtime would; the state is shared
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Dispatch(t.Context(), &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{ID: "s", Dir: dir},
			Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": "ls"}}})
		if err != nil || v.Decision != want {
			t.Errorf("call %d: %v %s, %v", i+1, v.Decision, v.Reason, err)
		}
	}
	if len(records) != 3 || !bytes.Contains(records[2].AppendJSON(nil), []byte("deny")) {
		t.Errorf("%d records: %+v", len(records), records)
	}
	if _, err := os.Lstat(filepath.Join(dir, "state")); err == nil {
		t.Error("something was written to the state directory")
	}
}

// What cannot be judged is denied, and the error says why; what cannot be
// recorded is denied, too.
func TestDispatchFailsClosed(t *testing.T) {
	project, options := exampleProject()
	defer os.RemoveAll(filepath.Dir(project))
	event := func() *trammel.Event {
		return &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Dir: project},
			Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": "ls"}}}
	}
	p, err := full.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := p.Dispatch(t.Context(), event()); err != nil || v.Decision != trammel.None {
		t.Errorf("%v %s, %v", v.Decision, v.Reason, err)
	}
	p.Sink = func(context.Context, *evidence.Record) error { return os.ErrPermission }
	if v, err := p.Dispatch(t.Context(), event()); err != nil || v.Decision != trammel.Deny {
		t.Errorf("unrecorded: %v %s, %v", v.Decision, v.Reason, err)
	}
	p.Sink = nil
	os.MkdirAll(options.Dirs.User, 0o700)
	os.WriteFile(filepath.Join(options.Dirs.User, "trammel.yaml"), []byte("version: 1\nhooks: [{}]\n"), 0o600)
	v, err := p.Dispatch(t.Context(), event())
	if err == nil || v == nil || v.Decision != trammel.Deny {
		t.Errorf("a broken configuration: %+v, %v", v, err)
	}
}
