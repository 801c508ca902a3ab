package world

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trammel-dev/trammel"
)

// This machine and a frozen one with the same files give the same answers.
func TestWorlds(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	for _, err := range []error{os.MkdirAll(at("d/e"), 0o755), os.WriteFile(at("d/f"), []byte("text"), 0o644), os.Symlink("f", at("d/l")),
		os.Symlink("loop", at("loop"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("WORLD", "x")
	frozen := &Frozen{Files: map[string]string{at("d/e") + "/": "", at("d/f"): "text"}, Links: map[string]string{at("d/l"): "f",
		at("loop"): "loop"},
		Env: map[string]string{"WORLD": "x"}}
	for name, w := range map[string]trammel.World{"system": System{}, "frozen": frozen} {
		if data, err := w.ReadFile(at("d/f"), 4); string(data) != "text" || err != nil {
			t.Errorf("%s: read %q, %v", name, data, err)
		}
		for what, err := range map[string]error{
			"a file that is too long": second(w.ReadFile(at("d/f"), 3)), "a directory": second(w.ReadFile(at("d"), 99)),
			"a file as a directory": second(w.ReadDir(at("d/f"), 9)), "what is no link": second(w.Readlink(at("d/f"))),
			"a link to itself": second(Stat(w, at("loop"))),
		} {
			if err == nil {
				t.Errorf("%s: %s is read", name, what)
			}
		}
		if _, err := w.Lstat(at("no")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: what is missing: %v", name, err)
		}
		if entries, err := w.ReadDir(at("d"), 9); len(entries) != 3 || err != nil {
			t.Errorf("%s: lists %v, %v", name, entries, err)
		}
		if entries, _ := w.ReadDir(at("d"), 2); len(entries) != 2 {
			t.Errorf("%s: lists %d of at most 2", name, len(entries))
		}
		if info, err := Stat(w, at("d/l")); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s: behind the link: %v, %v", name, info, err)
		}
		if value, ok := w.LookupEnv("WORLD"); value != "x" || !ok {
			t.Errorf("%s: variable %q %v", name, value, ok)
		}
	}
	if _, err := (&Frozen{}).Lstat("/x"); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("a world that knows nothing says %v", err)
	}
	if Of(&trammel.Event{}) != (System{}) || Of(&trammel.Event{World: frozen}) != frozen {
		t.Error("an event has another world than it brings")
	}
}

// $HOME does not decide where the account's home is.
func TestHomes(t *testing.T) {
	before := System{}.AccountHome()
	t.Setenv("HOME", "/moved/")
	if got := (System{}).AccountHome(); got == "" || got != before || got == "/moved" {
		t.Errorf("the account's home is %q, and was %q", got, before)
	}
	if got := Homes(System{}); !slices.Equal(got, []string{"/moved", before}) {
		t.Errorf("the homes are %q", got)
	}
	if got := Homes(&Frozen{HomeDir: "/h"}); !slices.Equal(got, []string{"/h"}) {
		t.Errorf("one home is %q", got)
	}
}

func second[T any](_ T, err error) error { return err }
