package snapshot

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
	"github.com/trammel-dev/trammel/test/testfile"
)

func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main", "-c",
		"commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

// project is a repository with one commit.
func project(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	t.Setenv("HOME", t.TempDir())
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "init", "-q")
	testfile.Tree(t, dir, map[string]string{"a.txt": "one\n", "sub/b.txt": "b\n", ".gitignore": "ignored/\n*.log\n"})
	runGit(t, dir, "add", ".")
	runGit(t, dir, "commit", "-qm", "first")
	return dir
}

// files is everything in a directory but .git: content, links, executability.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".git" && path == filepath.Join(dir, ".git") {
				return fs.SkipDir
			}
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if d.Type()&fs.ModeSymlink != 0 {
			target, _ := os.Readlink(path)
			out[rel] = "-> " + target
			return nil
		}
		data, err := os.ReadFile(path)
		info, _ := d.Info()
		if info.Mode()&0o100 != 0 {
			rel += "*"
		}
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(policysuite.Spec("").Dirs.State, dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func take(t *testing.T, s *Store, label string) Snapshot {
	t.Helper()
	snap, _, err := s.Take(t.Context(), label, "session")
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("found  %q\nwanted %q", got, want)
	}
}

// Whatever an agent did to the files, the snapshot brings them back, byte by
// byte, and the way back brings back what the agent did.
func TestThereAndBack(t *testing.T) {
	dir := project(t)
	testfile.Tree(t, dir, map[string]string{"crlf.txt": "a\r\nb\r\n", ".gitattributes": "* text=auto\n*.txt ident\n", "id.txt": "$Id$\n",
		"name with\nline": "x", "-dash": "d", "untracked.txt": "mine", "swap": "file"})
	os.Symlink("a.txt", filepath.Join(dir, "link"))
	os.Chmod(filepath.Join(dir, "a.txt"), 0o755)
	before := files(t, dir)
	s := open(t, filepath.Join(dir, "sub")) // from below the root, too
	first := take(t, s, "first")

	os.RemoveAll(filepath.Join(dir, "sub"))
	os.Remove(filepath.Join(dir, "link"))
	os.Remove(filepath.Join(dir, "swap"))
	testfile.Tree(t, dir, map[string]string{"a.txt": "changed", "new/deep/c.txt": "c", "link": "no link any more",
		"swap/inside": "a directory now", "untracked.txt": "overwritten", "crlf.txt": "gone", "id.txt": "gone"})
	os.Chmod(filepath.Join(dir, "a.txt"), 0o644)
	after := files(t, dir)

	done, err := s.Restore(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	same(t, files(t, dir), before)
	if len(done.Kept) > 0 || !slices.Contains(done.Removed, "new/deep/c.txt") || !slices.Contains(done.Written, "untracked.txt") {
		t.Errorf("%+v", done)
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("an empty directory is left")
	}
	if _, err := s.Restore(t.Context(), done.Before); err != nil {
		t.Fatal(err)
	}
	same(t, files(t, dir), after)
}

// The user's repository is as it was: index, references, objects, stashes.
func TestTheRepositoryIsNotTouched(t *testing.T) {
	dir := project(t)
	testfile.Tree(t, dir, map[string]string{"staged.txt": "s"})
	runGit(t, dir, "add", "staged.txt")
	testfile.Tree(t, dir, map[string]string{"a.txt": "work", "new.txt": "n"})
	inside := func() map[string]string { return files(t, filepath.Join(dir, ".git")) }
	before := inside()
	s := open(t, dir)
	first := take(t, s, "x")
	testfile.Tree(t, dir, map[string]string{"a.txt": "more work"})
	take(t, s, "y")
	if _, err := s.Diff(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Restore(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	same(t, inside(), before)
}

// What no snapshot holds is not lost: ignored and large files stay, also where
// a file of the snapshot would have to stand.
func TestNothingIsLost(t *testing.T) {
	dir := project(t)
	testfile.Tree(t, dir, map[string]string{"grows.bin": "small", "later.log.txt": "x", "place": "file", "d/f": "f"})
	s := open(t, dir)
	s.MaxFile = 1000
	first := take(t, s, "first")
	large := strings.Repeat("x", 1001)
	os.Remove(filepath.Join(dir, "place"))
	os.RemoveAll(filepath.Join(dir, "d"))
	outside := t.TempDir()
	testfile.Tree(t, outside, map[string]string{"f": "not yours"})
	testfile.Tree(t, dir, map[string]string{"grows.bin": large, "ignored/secret": "i", "x.log": "log", "place/keep.log": "ignored in the way"})
	testfile.Tree(t, dir, map[string]string{".git/info/exclude": "d\n"})
	os.Symlink(outside, filepath.Join(dir, "d"))
	done, err := s.Restore(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(done.Kept)
	if !slices.Equal(done.Kept, []string{"d/f", "grows.bin", "place"}) {
		t.Errorf("kept %q", done.Kept)
	}
	got := files(t, dir)
	for name, want := range map[string]string{"grows.bin": large, "ignored/secret": "i", "x.log": "log",
		"place/keep.log": "ignored in the way", "d": "-> " + outside} {
		if got[name] != want {
			t.Errorf("%s is %.40q", name, got[name])
		}
	}
	same(t, files(t, outside), map[string]string{"f": "not yours"})
}

func TestOnlyWhenFilesChanged(t *testing.T) {
	dir := project(t)
	s := open(t, dir)
	if list, err := s.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	first := take(t, s, "one\nline")
	if _, changed, err := s.Take(t.Context(), "again", ""); changed || err != nil {
		t.Errorf("%v, %v", changed, err)
	}
	testfile.Tree(t, dir, map[string]string{"x.log": "ignored"})
	if _, changed, _ := s.Take(t.Context(), "again", ""); changed {
		t.Error("an ignored file counts")
	}
	testfile.Tree(t, dir, map[string]string{"c": "new"})
	second := take(t, s, "two")
	list, err := s.List(t.Context())
	if err != nil || len(list) != 2 || list[0] != second || list[1] != first || list[1].Label != "one line" ||
		list[1].Session != "session" || time.Since(list[0].Time) > time.Minute {
		t.Errorf("%+v, %v", list, err)
	}
	patch, err := s.Diff(t.Context(), first, &second)
	if err != nil || !bytes.Contains(patch, []byte("+new")) {
		t.Errorf("%s, %v", patch, err)
	}
	testfile.Tree(t, dir, map[string]string{"c": "newer"})
	if patch, err := s.Diff(t.Context(), second, nil); err != nil || !bytes.Contains(patch, []byte("+newer")) {
		t.Errorf("%s, %v", patch, err)
	}
	if _, err := s.Find(t.Context(), 99); err == nil {
		t.Error("found a snapshot that is not there")
	}
}

func TestKeepsSoMany(t *testing.T) {
	dir := project(t)
	s := open(t, dir)
	s.Keep = 3
	for _, text := range []string{"1", "2", "3", "4", "5"} {
		testfile.Tree(t, dir, map[string]string{"a.txt": text})
		take(t, s, text)
	}
	list, err := s.List(t.Context())
	if err != nil || len(list) != 3 || list[0].ID != 5 || list[2].ID != 3 {
		t.Errorf("%+v, %v", list, err)
	}
	if err := s.Tidy(t.Context()); err != nil {
		t.Error(err)
	}
}

// Several agents in one tree: no snapshot is lost, none has a number twice.
func TestConcurrently(t *testing.T) {
	dir := project(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			s, err := Open(policysuite.Spec("").Dirs.State, dir)
			if err != nil {
				t.Error(err)
				return
			}
			for range 3 {
				testfile.Tree(t, dir, map[string]string{"f" + string(rune('a'+i)): time.Now().String()})
				if _, _, err := s.Take(t.Context(), "x", ""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	list, err := open(t, dir).List(t.Context())
	if err != nil || len(list) == 0 || len(list) > 12 || list[0].ID != len(list) {
		t.Errorf("%d snapshots, %v", len(list), err)
	}
}

// Embedded repositories, pipes, unreadable files and a lock that a killed
// process left do not stop it.
func TestRoughTrees(t *testing.T) {
	dir := project(t)
	s := open(t, dir)
	take(t, s, "first")
	runGit(t, dir, "init", "-q", "embedded")
	testfile.Tree(t, dir, map[string]string{"embedded/x": "x", "unreadable": "u"})
	os.Chmod(filepath.Join(dir, "unreadable"), 0)
	exec.Command("mkfifo", filepath.Join(dir, "pipe")).Run()
	os.WriteFile(filepath.Join(s.repo().Shadow, "index.lock"), nil, 0o600)
	testfile.Tree(t, dir, map[string]string{"a.txt": "two"})
	second := take(t, s, "second")
	if second.ID != 2 {
		t.Errorf("%+v", second)
	}
	os.RemoveAll(filepath.Join(dir, "sub"))
	os.Symlink(t.TempDir(), filepath.Join(dir, "sub"))
	if third := take(t, s, "third"); third.ID != 3 {
		t.Errorf("%+v", third)
	}
}

func TestPolicy(t *testing.T) {
	dir := project(t)
	h, err := Policy().New(policysuite.Spec(`{"keep":5,"max_file":"1MiB"}`))
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ev *trammel.Event, want string) {
		t.Helper()
		ev.Session = trammel.Session{ID: "s", Dir: dir}
		a, err := h.Handle(t.Context(), ev)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(a.Diagnostics, ";"); got != want {
			t.Errorf("%s: %q, want %q", ev.Kind, got, want)
		}
	}
	shell := func(kind trammel.Kind, command string) *trammel.Event {
		return &trammel.Event{Kind: kind, Tool: &trammel.ToolCall{Name: "Bash", Action: trammel.Action{Kind: trammel.ShellAction,
			Command: command}}}
	}
	ask(&trammel.Event{Kind: trammel.SessionStart, Rehearsal: true}, "would take a snapshot: session_start")
	ask(&trammel.Event{Kind: trammel.SessionStart}, "snapshot 1: session_start")
	ask(shell(trammel.PreToolUse, "make"), "")
	testfile.Tree(t, dir, map[string]string{"a.txt": "made"})
	ask(shell(trammel.PostToolUse, "make"), "snapshot 2: after Bash: make")
	testfile.Tree(t, dir, map[string]string{"a.txt": "by hand"})
	denied := shell(trammel.PreToolUse, "rm -rf /")
	denied.Outcome = &trammel.Answer{Decision: trammel.Deny}
	ask(denied, "")
	ask(&trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "Read", Action: trammel.Action{Kind: trammel.ReadAction}}}, "")
	ask(shell(trammel.PreToolUse, "ls\nx"), "snapshot 3: before Bash: ls x")
	ask(&trammel.Event{Kind: trammel.SessionEnd}, "")

	testfile.Tree(t, dir, map[string]string{"a.txt": "large"})
	h.(*handler).patience = 1 // what takes too long holds nobody up
	ask(shell(trammel.PostToolUse, "x"), "no snapshot yet: reading the project takes longer than 1ns")
	h.(*handler).patience = patience
	ask(shell(trammel.PostToolUse, "x"), "snapshot 4: after Bash: x")

	dir = t.TempDir() // in no repository
	ask(&trammel.Event{Kind: trammel.SessionStart}, "")
	if _, err := Open(t.TempDir(), dir); !errors.Is(err, ErrNoRepository) {
		t.Error(err)
	}
	for _, options := range []string{`{"keep":1}`, `{"max_file":0}`, `{"x":1}`} {
		if _, err := Policy().New(policysuite.Spec(options)); err == nil {
			t.Errorf("takes %s", options)
		}
	}
}

func BenchmarkUnchanged(b *testing.B) {
	dir := b.TempDir()
	b.Setenv("HOME", b.TempDir())
	if err := exec.Command("git", "init", "-q", dir).Run(); err != nil {
		b.Skip(err)
	}
	for i := range 1000 {
		os.WriteFile(filepath.Join(dir, "file"+string(rune('a'+i%26))+strings.Repeat("x", i/26)), []byte("text"), 0o644)
	}
	s, err := Open(policysuite.Spec("").Dirs.State, dir)
	if err != nil {
		b.Fatal(err)
	}
	s.Take(b.Context(), "x", "")
	for b.Loop() {
		if _, changed, err := s.Take(b.Context(), "x", ""); changed || err != nil {
			b.Fatal(changed, err)
		}
	}
}
