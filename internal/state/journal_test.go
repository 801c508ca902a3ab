package state

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// writeLines appends 100 lines.
func writeLines(path string) {
	for i := range 100 {
		if err := (Journal{Path: path, Size: 16 << 10, Keep: 100}).Append(context.Background(), fmt.Appendf(nil, "%d-%d %0100d", os.Getpid(), i,
			0)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

func TestManyProcessesLoseNoLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "log")
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			if out, err := role("journal", path, 0).Output(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	group.Wait()
	files, _ := filepath.Glob(path + "*")
	var lines []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 16<<10 {
			t.Errorf("%s has %d bytes", name, len(data))
		}
		for line := range strings.Lines(string(data)) {
			if len(line) < 100 || !strings.HasSuffix(line, "0\n") {
				t.Errorf("a line is torn: %q", line)
			}
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	if n := len(slices.Compact(lines)); n != 1600 || len(files) < 5 {
		t.Errorf("%d lines in %d files, want 1600 in several", n, len(files))
	}
}

func TestOldFilesAreFew(t *testing.T) {
	for keep, want := range []string{"1", "12", "123"} {
		f := Journal{Path: filepath.Join(t.TempDir(), "log"), Size: 10, Keep: keep}
		for i := range 9 {
			if err := f.Append(t.Context(), fmt.Appendf(nil, "line %d", i)); err != nil {
				t.Fatal(err)
			}
		}
		var got string
		for i, name := range []string{f.Path, f.old(1), f.old(2), f.old(3)} {
			if data, err := os.ReadFile(name); err == nil {
				got += fmt.Sprint(i + 1)
				if text := fmt.Sprintf("line %d\n", 8-i); string(data) != text {
					t.Errorf("%s holds %q, want %q", name, data, text)
				}
			}
		}
		if got != want {
			t.Errorf("keep %d: files %s, want %s", keep, got, want)
		}
	}
}

func TestACutLineStaysAlone(t *testing.T) {
	f := Journal{Path: filepath.Join(t.TempDir(), "log")}
	os.WriteFile(f.Path, []byte("whole\ncut o"), 0o600)
	if err := f.Append(t.Context(), []byte("next")); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(f.Path); !bytes.Equal(data, []byte("whole\ncut o\nnext\n")) {
		t.Errorf("%q", data)
	}
}

func TestLinksAndFoldersAreRefused(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{link, dir} {
		if err := (Journal{Path: path}).Append(t.Context(), []byte("x")); err == nil {
			t.Errorf("%s was taken", path)
		}
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("the target was made")
	}
}
