package git

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestRoot(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := Root(deep); strings.HasPrefix(got, dir) {
		t.Errorf("found %s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: elsewhere\n"), 0o644); err != nil { // a worktree
		t.Fatal(err)
	}
	if got := Root(deep); got != dir {
		t.Errorf("found %q", got)
	}
	for _, relative := range []string{"", ".", "a/b"} {
		if got := Root(relative); got != "" {
			t.Errorf("%q: found %q", relative, got)
		}
	}
}

func TestOutput(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	r := Repo{Dir: dir}
	if _, _, err := r.Output(t.Context(), 100, nil, "init", "-q"); err != nil {
		t.Fatal(err)
	}
	out, truncated, err := r.Output(t.Context(), 5, []byte("some text"), "hash-object", "--stdin")
	if err != nil || !truncated || len(out) != 5 {
		t.Errorf("%q, %v, %v", out, truncated, err)
	}
	var failed *Error
	if _, _, err := r.Output(t.Context(), 100, nil, "rev-parse", "HEAD~5"); !errors.As(err, &failed) || failed.Exit == 0 {
		t.Errorf("%v", err)
	}
	// An embedded bare repository is none: its configuration came with the files.
	bare := filepath.Join(dir, "bare")
	if _, _, err := r.Output(t.Context(), 100, nil, "init", "-q", "--bare", "bare"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (Repo{Dir: bare}).Output(t.Context(), 100, nil, "rev-parse", "--git-dir"); !errors.As(err, &failed) {
		t.Errorf("a bare repository is used: %v", err)
	}
}
