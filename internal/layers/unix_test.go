//go:build unix

package layers

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestOthersMustNotWrite(t *testing.T) {
	for _, c := range []struct {
		name string
		mode os.FileMode
		ok   bool
	}{
		{"etc/trammel.yaml", 0o644, true}, {"etc/trammel.yaml", 0o664, false}, {"etc/hooks.d/x.yaml", 0o646, false},
		{"user/trammel.yaml", 0o600, true}, {"user/trammel.yaml", 0o602, false}, {"p/trammel.yaml", 0o666, true},
	} {
		w := newWorld(t)
		w.mkdir("p")
		w.write(c.name, "")
		if err := os.Chmod(w.path(c.name), c.mode); err != nil {
			t.Fatal(err)
		}
		_, err := Find(w.Dirs, w.path("p"))
		if (err == nil) != c.ok {
			t.Errorf("%s with mode %o: %v", c.name, c.mode, err)
		}
		if err != nil && !strings.Contains(err.Error(), w.path(c.name)) {
			t.Errorf("the error does not name the file: %v", err)
		}
	}
}

func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	for _, name := range []string{"etc/trammel.yaml", "user/trammel.yaml"} {
		w := newWorld(t)
		w.write(name, "")
		if err := os.Chown(w.path(name), 12345, -1); err != nil {
			t.Fatal(err)
		}
		if _, err := Find(w.Dirs); err == nil {
			t.Errorf("%s of another user was taken", name)
		}
	}
}

// A pipe under the name of a configuration file must not make the hook wait
// for a writer until its host gives up on it.
func TestPipeDoesNotHang(t *testing.T) {
	for _, name := range []string{"p/trammel.yaml", "user/trammel.yaml", "p/hooks.d"} {
		w := newWorld(t)
		w.mkdir("p")
		w.mkdir("user")
		if name == "p/hooks.d" {
			w.write("p/trammel.yaml", "")
		}
		if err := syscall.Mkfifo(w.path(name), 0o600); err != nil {
			t.Skip(err)
		}
		done := make(chan error, 1)
		go func() { _, err := Find(w.Dirs, w.path("p")); done <- err }()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("a pipe called %s was taken", name)
			}
		case <-time.After(time.Minute):
			t.Fatalf("a pipe called %s hangs", name)
		}
	}
}

func TestUnreadableIsAnError(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can read everything")
	}
	w := newWorld(t)
	w.write("p/trammel.yaml", "")
	if err := os.Chmod(w.path("p/trammel.yaml"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(w.Dirs, w.path("p")); err == nil {
		t.Error("a file that cannot be read was passed over")
	}
}

func TestTrustIsPrivate(t *testing.T) {
	w := newWorld(t)
	w.write("p/trammel.yaml", "p")
	w.trust("p", nil)
	home := recordDir(w.Dirs, w.path("p"))
	for path, mode := range map[string]os.FileMode{home: 0o700, home + "/record": 0o600, copyPath(home, digestOf([]byte("p"))): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != mode {
			t.Errorf("%s has mode %o, expected %o", path, info.Mode().Perm(), mode)
		}
	}
}

// enforcement 21: what somebody else puts above a project holds nobody up, and
// what the user's own account puts there says how to get rid of it.
func TestPlantsAboveTheProject(t *testing.T) {
	for _, c := range []struct {
		name  string
		plant func(w *world, path string) error
	}{
		{"rules", func(w *world, path string) error { return os.WriteFile(path, []byte("x"), 0o644) }},
		{"a pipe", func(w *world, path string) error { return syscall.Mkfifo(path, 0o644) }},
		{"a directory", func(w *world, path string) error { return os.Mkdir(path, 0o755) }},
		{"a link to a device", func(w *world, path string) error { return os.Symlink("/dev/zero", path) }},
		{"a link to nowhere", func(w *world, path string) error { return os.Symlink("/nowhere", path) }},
		{"a large file", func(w *world, path string) error { return os.WriteFile(path, make([]byte, MaxFile+1), 0o644) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.mkdir("shared/p/sub")
			path := w.path("shared/trammel.yaml")
			if err := c.plant(w, path); err != nil {
				t.Fatal(err)
			}
			_, err := Find(w.Dirs, w.path("shared/p/sub"))
			if c.name != "rules" && (err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "person")) {
				t.Errorf("of the user: %v", err)
			}
			if os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			if err := os.Lchown(path, 12345, -1); err != nil {
				t.Fatal(err)
			}
			set, err := Find(w.Dirs, w.path("shared/p/sub"))
			if err != nil || len(set.Files) != 0 || len(set.Notes) != 1 ||
				set.Notes[0].Code != CodeForeign || set.Notes[0].Path != path || set.Root != w.path("shared/p/sub") {
				t.Errorf("of somebody else: %+v, %v", set, err)
			}
			if root := Root(w.Dirs, w.path("shared/p/sub")); root != w.path("shared/p/sub") {
				t.Errorf("it makes %s the project", root)
			}
			if c.name != "rules" {
				return
			}
			before := set.Digest
			w.mkdir("shared/.git") // where the project itself belongs to several people, it counts
			if set = w.find("shared/p/sub"); len(set.Files) != 1 || set.Digest == before {
				t.Errorf("in a repository: %+v", set)
			}
			w.mkdir("shared/p/.git")
			if set = w.find("shared/p/sub"); len(set.Files) != 0 || len(set.Notes) != 1 {
				t.Errorf("above a repository: %+v", set)
			}
		})
	}
}

// The same for hooks of a repository.
func TestForeignRepositoryHooks(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	w := newWorld(t)
	w.mkdir("shared/p")
	w.write("shared/.system/hooks/x.yaml", "x")
	if err := os.Lchown(w.path("shared/.system/hooks"), 12345, -1); err != nil {
		t.Fatal(err)
	}
	if set := w.find("shared/p"); len(set.Files) != 0 || len(set.Notes) != 1 || set.Notes[0].Code != CodeForeign {
		t.Errorf("%+v", set)
	}
}
