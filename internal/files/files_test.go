package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// A reader sees the old content or the new, whoever else writes, and nothing
// unfinished stays behind.
func TestReplaceIsWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	text := func(n int) []byte { return []byte(fmt.Sprintf("%0*d", 10_000, n)) }
	if err := Replace(path, text(0)); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for n := range 4 {
		writers.Go(func() {
			for range 10 {
				if err := Replace(path, text(n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		got, err := os.ReadFile(path)
		if err != nil || len(got) != 10_000 {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	writers.Wait()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	failed := errors.New("no")
	if err := ReplaceWith(path, nil, func(*os.File) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// What is there stays, and one that fails leaves nothing.
func TestCreateReplacesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := Create(path, []byte("first"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Create(path, []byte("second"), 0o600); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "first" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestReadRefusesWhatIsLongOrNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := Create(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(path, 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	for _, c := range []struct {
		path  string
		most  int64
		unfit bool
	}{{path, 4, true}, {filepath.Dir(path), 5, true}, {os.DevNull, 5, true}, {path + "x", 5, false}} {
		data, err := Read(c.path, c.most)
		if _, unfit := errors.AsType[Unfit](err); err == nil || unfit != c.unfit || data != nil {
			t.Errorf("Read(%q, %d) = %q, %v", c.path, c.most, data, err)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		dir, path string
		want      bool
	}{
		{"/a", "/a", true}, {"/a", "/a/b/c", true}, {"/a", "/ab", false}, {"/a", "/", false},
		{"/a", "/a/../b", false}, {"/a", "/a/..b", true}, {"/", "/x", true},
	} {
		if got := Within(c.dir, c.path); got != c.want {
			t.Errorf("Within(%q, %q) = %v", c.dir, c.path, got)
		}
	}
}

func TestRealFollowsAsFarAsThereIsAPath(t *testing.T) {
	dir := Real(t.TempDir())
	if err := os.Symlink(dir, filepath.Join(dir, "loop")); err != nil {
		t.Skip(err)
	}
	if got := Real(filepath.Join(dir, "loop", "none", "x")); got != filepath.Join(dir, "none", "x") {
		t.Error(got)
	}
}

func TestDigestRefusesWhatIsNoFile(t *testing.T) {
	if _, err := Digest(t.TempDir()); err == nil {
		t.Error("a directory has a digest")
	}
	if _, err := Digest(os.DevNull); err == nil {
		t.Error("a device has a digest")
	}
}
