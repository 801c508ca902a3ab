package state

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// keepTexts keeps texts that all share, and texts of its own, and says where
// they are.
func keepTexts(dir string, who int) {
	o := OutputsOf(trammel.Dirs{State: dir}, outputsEvent("session"), "test", 1<<30)
	for i := range 10 {
		for _, text := range []string{shared(i), shared(i) + fmt.Sprint("process ", who)} {
			path, err := o.Keep(context.Background(), text)
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println(path)
		}
	}
}

func outputsEvent(session string) *trammel.Event {
	return &trammel.Event{Host: "host", Session: trammel.Session{ID: session}}
}

func shared(i int) string { return strings.Repeat(fmt.Sprint("line ", i, "\n"), 5000) }

func open(t *testing.T, dir, session string, max int64) *Outputs {
	t.Helper()
	return OutputsOf(trammel.Dirs{State: dir}, outputsEvent(session), "test", max)
}

func TestTextsAreKeptWholeAcrossProcesses(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for p := range 32 {
		wg.Go(func() {
			out, err := role("outputs", dir, p).Output()
			paths := strings.Fields(string(out))
			if err != nil || len(paths) != 20 {
				t.Errorf("%v: %s", err, out)
				return
			}
			for i, path := range paths {
				want := shared(i / 2)
				if i%2 == 1 {
					want += fmt.Sprint("process ", p)
				}
				if got, err := os.ReadFile(path); err != nil || string(got) != want {
					t.Errorf("%s holds %d bytes, want %d: %v", path, len(got), len(want), err)
				}
			}
		})
	}
	wg.Wait()
	entries, _ := os.ReadDir(open(t, dir, "session", 1).dir)
	if want := 10 + 32*10; len(entries) != want {
		t.Errorf("%d files, want %d: the same text is kept once and nothing unfinished stays", len(entries), want)
	}
}

func TestOnlyTheUserCanLook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	dir := t.TempDir()
	path, err := open(t, dir, "../../x", 100).Keep(context.Background(), "text")
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, filepath.Dir(filepath.Dir(path)): 0o700} {
		if fi, err := os.Stat(at); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s is %v, want %o (%v)", at, fi.Mode(), want, err)
		}
	}
	if strings.Contains(path, "x/") && strings.Contains(path, "..") {
		t.Errorf("the session's id got into the path %s", path)
	}
}

func TestTheOldestMakesRoom(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "s", 25)
	var paths []string
	for i, text := range []string{"first 0123", "second 012", "third 0123"} {
		path, err := s.Keep(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(time.Duration(i-10) * time.Minute)
		os.Chtimes(path, old, old)
		paths = append(paths, path)
	}
	if _, err := os.Stat(paths[0]); err == nil {
		t.Error("the oldest is still there")
	}
	for _, path := range paths[1:] {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Keep(context.Background(), strings.Repeat("x", 26)); err == nil {
		t.Error("a text larger than the store was kept")
	}
}

func TestRemoveTakesAll(t *testing.T) {
	dir := t.TempDir()
	s, other := open(t, dir, "s", 100), open(t, dir, "t", 100)
	for _, each := range []*Outputs{s, other} {
		if _, err := each.Keep(context.Background(), "text"); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := s.Remove(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("it is still there")
	}
	if _, err := os.Stat(other.dir); err != nil {
		t.Errorf("the other session lost its texts: %v", err)
	}
}

func TestForgottenSessionsGo(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "s", 100)
	if _, err := s.Keep(context.Background(), "text"); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-outputsAge - time.Hour)
	os.Chtimes(s.dir, old, old)
	if _, err := open(t, dir, "t", 100).Keep(context.Background(), "text"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("the outputsAge session is still there")
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "outputs"), nil, 0o600); err != nil { // no directory can be made there
		t.Fatal(err)
	}
	if path, err := open(t, dir, "s", 100).Keep(context.Background(), "text"); err == nil {
		t.Errorf("kept in %s", path)
	}
}

// A rehearsal learns the path that the text gets, and leaves all as it is.
func TestARehearsalKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, "s", 1<<20)
	s.rehearsal = true
	rehearsed, err := s.Keep(t.Context(), "text")
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("something is in the state: %v", entries)
	}
	if _, err := s.Keep(t.Context(), strings.Repeat("x", 2<<20)); err == nil {
		t.Error("what is too large would be kept")
	}
	s.rehearsal = false
	path, err := s.Keep(t.Context(), "text")
	if err != nil || path != rehearsed {
		t.Errorf("%s became %s, %v", rehearsed, path, err)
	}
	s.rehearsal = true
	if err := s.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("a rehearsal has removed it: %v", err)
	}
}
