//go:build unix

package plan

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// foreign is a file as it would be if it belonged to somebody else.
type foreign struct{ os.FileInfo }

func (f foreign) Sys() any {
	st := *f.FileInfo.Sys().(*syscall.Stat_t)
	st.Uid++
	return &st
}

// Another user's plans are not used: neither a directory nor a file that is not
// ours (code.md, mutations: owner of the cache directory).
func TestAnotherUsersPlansAreNotUsed(t *testing.T) {
	c := CacheIn(t.TempDir())
	data := Encode(nil, DefaultSettings(), "sha256:abc", nil)
	if err := c.Save("p", "sha256:abc", data); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{c.Dir, c.path("p", "sha256:abc")} {
		fi, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if !ours(fi) || ours(foreign{fi}) {
			t.Errorf("%s: ours %v, another user's taken for ours %v", path, ours(fi), ours(foreign{fi}))
		}
	}
	if os.Geteuid() != 0 {
		return // only root can give a file away
	}
	for _, path := range []string{c.Dir, c.path("p", "sha256:abc")} {
		if err := os.Chown(path, 12345, -1); err != nil {
			t.Fatal(err)
		}
		for name, load := range map[string]func(string, string) (*Plan, error){"Load": c.Load, "LoadWhole": c.LoadWhole} {
			if _, err := load("p", "sha256:abc"); !errors.Is(err, ErrForeign) {
				t.Errorf("%s of a plan whose %s belongs to another user: %v", name, filepath.Base(path), err)
			}
		}
		if err := c.Save("p", "sha256:abc", data); path == c.Dir && !errors.Is(err, ErrForeign) {
			t.Errorf("saved among another user's plans: %v", err)
		}
		os.Chown(path, 0, -1)
	}
}
