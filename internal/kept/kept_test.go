package kept

import (
	"context"
	"fmt"
	_ "github.com/trammel-dev/trammel/internal/layers/isolated" // HOME and XDG_* choose the directories
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain lets the test binary be its own subprocess: it keeps texts that all
// share, and texts of its own, and says where they are.
func TestMain(m *testing.M) {
	who := os.Getenv("KEPT_TEST_ROLE")
	if who == "" {
		os.Exit(m.Run())
	}
	s, err := Open("test", "host", "session", 1<<30)
	for i := range 10 {
		for _, text := range []string{shared(i), shared(i) + who} {
			var path string
			if err == nil {
				path, err = s.Keep(context.Background(), text)
			}
			fmt.Println(path)
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func shared(i int) string { return strings.Repeat(fmt.Sprint("line ", i, "\n"), 5000) }

func open(t *testing.T, session string, max int64) *Store {
	t.Helper()
	s, err := Open("test", "host", session, max)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("LocalAppData", dir)
	return dir
}

func TestTextsAreKeptWholeAcrossProcesses(t *testing.T) {
	home(t)
	var wg sync.WaitGroup
	for p := range 32 {
		wg.Go(func() {
			who := fmt.Sprint("process ", p)
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "KEPT_TEST_ROLE="+who)
			out, err := cmd.Output()
			paths := strings.Fields(string(out))
			if err != nil || len(paths) != 20 {
				t.Errorf("%v: %s", err, out)
				return
			}
			for i, path := range paths {
				want := shared(i / 2)
				if i%2 == 1 {
					want += who
				}
				if got, err := os.ReadFile(path); err != nil || string(got) != want {
					t.Errorf("%s holds %d bytes, want %d: %v", path, len(got), len(want), err)
				}
			}
		})
	}
	wg.Wait()
	entries, _ := os.ReadDir(open(t, "session", 1).dir)
	if want := 10 + 32*10; len(entries) != want {
		t.Errorf("%d files, want %d: the same text is kept once and nothing unfinished stays", len(entries), want)
	}
}

func TestOnlyTheUserCanLook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	home(t)
	path, err := open(t, "../../x", 100).Keep(context.Background(), "text")
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
	home(t)
	s := open(t, "s", 25)
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
	home(t)
	s, other := open(t, "s", 100), open(t, "t", 100)
	for _, each := range []*Store{s, other} {
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
	home(t)
	s := open(t, "s", 100)
	if _, err := s.Keep(context.Background(), "text"); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-forgotten - time.Hour)
	os.Chtimes(s.dir, old, old)
	if _, err := open(t, "t", 100).Keep(context.Background(), "text"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("the forgotten session is still there")
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	dir := home(t)
	if err := os.WriteFile(filepath.Join(dir, "trammel"), nil, 0o600); err != nil { // no directory can be made there
		t.Fatal(err)
	}
	if path, err := open(t, "s", 100).Keep(context.Background(), "text"); err == nil {
		t.Errorf("kept in %s", path)
	}
}

// A rehearsal learns the path that the text gets, and leaves all as it is.
func TestARehearsalKeepsNothing(t *testing.T) {
	state := home(t)
	s := open(t, "s", 1<<20)
	s.Rehearsal = true
	rehearsed, err := s.Keep(t.Context(), "text")
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(state); len(entries) > 0 {
		t.Errorf("something is in the state: %v", entries)
	}
	if _, err := s.Keep(t.Context(), strings.Repeat("x", 2<<20)); err == nil {
		t.Error("what is too large would be kept")
	}
	s.Rehearsal = false
	path, err := s.Keep(t.Context(), "text")
	if err != nil || path != rehearsed {
		t.Errorf("%s became %s, %v", rehearsed, path, err)
	}
	s.Rehearsal = true
	if err := s.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("a rehearsal has removed it: %v", err)
	}
}
