package tasks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
)

// A direct run hands on what the hooks said before it, and says what is wrong with the registry.
func TestDirectRunSays(t *testing.T) {
	said := &repohooks.Result{Context: []string{"be kind"}, Warnings: []string{"w"}}
	r := runner(simple(t), &spy{answer: on(repohooks.PreAbilityCreateEvent, said)})
	q := tasks.Request{Ability: "say.hello", Input: map[string]any{"name": "Ada"}}
	if result, err := r.DirectRun(t.Context(), q); err != nil || strings.Join(result.Context, "") != "be kind" || len(result.Warnings) == 0 {
		t.Errorf("%+v, %v", result, err)
	}
	if err := os.WriteFile(filepath.Join(r.Root, ".system/registry/low-level/bad.yaml"), []byte("kind: scirpt\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if result, err := r.DirectRun(t.Context(), q); err == nil {
		t.Errorf("%+v", result)
	}
}

// What somebody does while a person decides does not run with the person's yes:
// the program is another one, the registry names another one, the input of the
// task is another one, or the task's file says so.
func TestWhatWasShownRuns(t *testing.T) {
	const other = "#!/bin/sh\ntouch pwned\nprintf '{\"greeting\":\"hello Ada\"}'\n"
	for name, c := range map[string]struct {
		meanwhile func(r *tasks.Runner, key string) error
		status    tasks.Status
	}{
		"nothing": {func(*tasks.Runner, string) error { return nil }, tasks.Success},
		"another program": {func(r *tasks.Runner, _ string) error {
			return os.WriteFile(filepath.Join(r.Root, "scripts/hello.sh"), []byte(other), 0o700)
		}, tasks.Failure},
		"a link in its place": {func(r *tasks.Runner, _ string) error {
			file := filepath.Join(r.Root, "scripts/hello.sh")
			if err := os.WriteFile(file+".new", []byte(other), 0o700); err != nil {
				return err
			}
			os.Remove(file)
			return os.Symlink("hello.sh.new", file)
		}, tasks.Failure},
		"another registry": {func(r *tasks.Runner, _ string) error {
			os.WriteFile(filepath.Join(r.Root, "scripts/other.sh"), []byte(other), 0o700)
			return os.WriteFile(filepath.Join(r.Root, ".system/registry/low-level/hello.yaml"), []byte(strings.Replace(greet, "hello.sh", "other.sh",
				1)), 0o600)
		}, tasks.Success},
		"another input": {func(r *tasks.Runner, key string) error {
			if _, err := r.Update(t.Context(), key, map[string]any{"name": "mallory"}); err == nil {
				t.Error("a task is changed while a person decides about it")
			}
			return nil
		}, tasks.Success},
		"another file of the task": {func(r *tasks.Runner, key string) error {
			file := filepath.Join(r.Root, tasks.Dir, key, "task.json")
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "Ada", "mallory")), 0o600)
		}, tasks.Success},
	} {
		t.Run(name, func(t *testing.T) {
			r := runner(simple(t), &spy{answer: on(repohooks.PreAbilityCallEvent, &repohooks.Result{Decision: trammel.Ask, Reason: "Sure?"})})
			key := create(t, r, "say.hello", map[string]any{"name": "Ada"})
			r.Approve = func(tasks.Question) bool {
				if err := c.meanwhile(r, key); err != nil {
					t.Fatal(err)
				}
				return true
			}
			result := run(t, r, key)
			if result.Status != c.status || result.Status == tasks.Success && result.Output["greeting"] != "hello Ada" {
				t.Errorf("%+v", result)
			}
			if _, err := os.Stat(filepath.Join(r.Root, "pwned")); err == nil {
				t.Error("a call ran that the person had not seen")
			}
		})
	}
}
