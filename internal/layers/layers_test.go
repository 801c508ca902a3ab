package layers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/test/testfile"
)

// world is a file system of its own: the machine, a user, and a place for projects.
type world struct {
	t    *testing.T
	root string
	Dirs
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &world{t, root, Dirs{Machine: filepath.Join(root, "etc"), User: filepath.Join(root, "user"),
		State: filepath.Join(root, "state"), Cache: filepath.Join(root, "cache")}}
}

func (w *world) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *world) write(name, text string) { testfile.Write(w.t, w.path(name), text, 0o644) }

func (w *world) mkdir(name string) string {
	w.t.Helper()
	if err := os.MkdirAll(w.path(name), 0o755); err != nil {
		w.t.Fatal(err)
	}
	return w.path(name)
}

func (w *world) find(anchors ...string) *Set {
	w.t.Helper()
	var abs []string
	for _, a := range anchors {
		abs = append(abs, w.path(a))
	}
	set, err := Find(w.Dirs, abs...)
	if err != nil {
		w.t.Fatal(err)
	}
	return set
}

// trust trusts the files of a directory as they are.
func (w *world) trust(dir string, pins map[string]string) {
	w.t.Helper()
	var files []File
	for _, f := range w.find(dir).Files {
		if f.Dir == w.path(dir) && !f.Pinned {
			files = append(files, f)
		}
	}
	if err := Trust(w.Dirs, w.path(dir), files, pins, time.Unix(1700000000, 0)); err != nil {
		w.t.Fatal(err)
	}
}

// show is a set in a form that is easy to compare.
func (w *world) show(set *Set) string {
	var b strings.Builder
	for _, f := range set.Files {
		rel, _ := filepath.Rel(w.root, f.Path)
		fmt.Fprintf(&b, "%s %s %s", f.Layer, filepath.ToSlash(rel), f.Trust)
		if f.Pinned {
			b.WriteString(" pinned")
		}
		fmt.Fprintf(&b, " %q\n", f.Data)
	}
	for _, n := range set.Notes {
		rel, _ := filepath.Rel(w.root, n.Path)
		fmt.Fprintf(&b, "note %s %s\n", n.Code, filepath.ToSlash(rel))
	}
	return b.String()
}

func (w *world) want(set *Set, want string) {
	w.t.Helper()
	want = strings.ReplaceAll(strings.TrimLeft(want, "\n"), "\t", "")
	if got := w.show(set); got != want {
		w.t.Errorf("found\n%s\nexpected\n%s", got, want)
	}
}

func TestLayersInOrder(t *testing.T) {
	w := newWorld(t)
	w.write("etc/trammel.yaml", "m")
	w.write("etc/hooks.d/b.yml", "mb")
	w.write("etc/hooks.d/a.yaml", "ma")
	w.write("etc/hooks.d/.hidden.yaml", "x")
	w.write("etc/hooks.d/readme.md", "x")
	w.write("user/hooks.d/u.yaml", "u") // without a file beside it
	w.write("p/trammel.yaml", "p")
	w.write("p/hooks.d/p.yaml", "pd")
	w.write("p/sub/hooks.d/x.yaml", "x") // a project's needs one
	w.write("p/sub/deep/trammel.yaml", "d")
	set := w.find("p/sub/deep", "p/sub/deep/er")
	w.want(set, `
		machine etc/trammel.yaml trusted "m"
		machine etc/hooks.d/a.yaml trusted "ma"
		machine etc/hooks.d/b.yml trusted "mb"
		user user/hooks.d/u.yaml trusted "u"
		project p/sub/deep/trammel.yaml unknown "d"
		project p/trammel.yaml unknown "p"
		project p/hooks.d/p.yaml unknown "pd"
		note untrusted p/sub/deep/trammel.yaml
		note untrusted p/trammel.yaml
		note untrusted p/hooks.d/p.yaml
	`)
}

// An agent that changes into a directory, makes a repository of it, or gets
// there by a link, is still under the rules of the directories around it.
func TestNoWayOut(t *testing.T) {
	w := newWorld(t)
	w.write("p/trammel.yaml", "p")
	w.mkdir("p/sub/.git")
	w.mkdir("elsewhere")
	if err := os.Symlink(w.path("p/sub"), w.path("elsewhere/link")); err != nil {
		t.Skip(err)
	}
	const only = "project p/trammel.yaml unknown \"p\"\nnote untrusted p/trammel.yaml\n"
	for _, anchors := range [][]string{
		{"p"}, {"p/sub"}, {"p/sub/.git"}, {"elsewhere", "p/sub"}, {"elsewhere/link"}, {"elsewhere", "elsewhere/link"},
		{"p/gone/and/gone"}, {"elsewhere/link/gone"}, {"p/trammel.yaml"}, {"p", "p", "p/sub"},
	} {
		if got := w.show(w.find(anchors...)); got != only {
			t.Errorf("from %v: found %s", anchors, got)
		}
	}
	w.write("elsewhere/trammel.yaml", "e")
	w.want(w.find("elsewhere/link"), `
		project p/trammel.yaml unknown "p"
		project elsewhere/trammel.yaml unknown "e"
		note untrusted p/trammel.yaml
		note untrusted elsewhere/trammel.yaml
	`)
}

func TestRoot(t *testing.T) {
	w := newWorld(t)
	w.write("a/trammel.yaml", "")
	w.mkdir("a/b/.git")
	w.mkdir("a/b/c/d")
	w.mkdir("plain/x")
	w.write("worktree/.git", "gitdir: elsewhere")
	w.mkdir("worktree/y")
	w.write("t/trammel.yaml", "")
	w.mkdir("t/u")
	w.trust("t", nil)
	if err := os.Remove(w.path("t/trammel.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ anchor, second, root string }{
		{"a/b/c/d", "", "a/b"}, {"a", "", "a"}, {"a/x", "", "a"}, {"plain/x", "", "plain/x"}, {"worktree/y", "", "worktree"},
		{"plain/x", "a/b", "plain/x"}, {"t/u", "", "t"},
	} {
		anchors := []string{c.anchor}
		if c.second != "" {
			anchors = append(anchors, c.second)
		}
		if got := w.find(anchors...).Root; got != w.path(c.root) {
			t.Errorf("root of %v: found %s, expected %s", anchors, got, c.root)
		}
	}
}

func TestAnchorsMustBeAbsolute(t *testing.T) {
	w := newWorld(t)
	if _, err := Find(w.Dirs, "sub"); err == nil {
		t.Error("a relative anchor was taken")
	}
	if set, err := Find(w.Dirs, ""); err != nil || len(set.Files) != 0 {
		t.Errorf("without anchors: %v, %v", set, err)
	}
}

func TestUserFileIsNotAlsoAProjectFile(t *testing.T) {
	w := newWorld(t)
	w.write("user/trammel.yaml", "u")
	w.want(w.find("user"), "user user/trammel.yaml trusted \"u\"\n")
	if err := os.Symlink(w.path("user"), w.path("dotfiles")); err != nil {
		t.Skip(err)
	}
	w.want(w.find("dotfiles"), "user user/trammel.yaml trusted \"u\"\n")
}

func TestTrust(t *testing.T) {
	w := newWorld(t)
	w.write("p/trammel.yaml", "one")
	w.write("p/hooks.d/x.yaml", "two")
	w.trust("p", map[string]string{w.path("p/a.sh"): "sha256:1"})

	t.Run("trusted", func(t *testing.T) {
		set := w.find("p")
		w.want(set, "project p/trammel.yaml trusted \"one\"\nproject p/hooks.d/x.yaml trusted \"two\"\n")
		if set.Pins[w.path("p/a.sh")] != "sha256:1" {
			t.Errorf("pins: %v", set.Pins)
		}
	})
	t.Run("changed", func(t *testing.T) {
		w.write("p/trammel.yaml", "changed")
		w.want(w.find("p"), `
			project p/trammel.yaml trusted pinned "one"
			project p/trammel.yaml changed "changed"
			project p/hooks.d/x.yaml trusted "two"
			note changed p/trammel.yaml
		`)
	})
	t.Run("vanished", func(t *testing.T) {
		if err := os.RemoveAll(w.path("p/hooks.d")); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(w.path("p/trammel.yaml")); err != nil {
			t.Fatal(err)
		}
		set := w.find("p/sub")
		w.want(set, `
			project p/trammel.yaml trusted pinned "one"
			project p/hooks.d/x.yaml trusted pinned "two"
			note vanished p/trammel.yaml
			note vanished p/hooks.d/x.yaml
		`)
		if set.Pins[w.path("p/a.sh")] != "sha256:1" {
			t.Errorf("pins: %v", set.Pins)
		}
	})
	t.Run("a new file beside trusted ones", func(t *testing.T) {
		w.write("p/hooks.d/y.yaml", "new")
		w.want(w.find("p"), `
			project p/hooks.d/y.yaml unknown "new"
			project p/trammel.yaml trusted pinned "one"
			project p/hooks.d/x.yaml trusted pinned "two"
			note untrusted p/hooks.d/y.yaml
			note vanished p/trammel.yaml
			note vanished p/hooks.d/x.yaml
		`)
	})
	t.Run("trusted again", func(t *testing.T) {
		w.write("p/trammel.yaml", "three")
		w.trust("p", nil)
		w.want(w.find("p"), "project p/trammel.yaml trusted \"three\"\nproject p/hooks.d/y.yaml trusted \"new\"\n")
	})
	t.Run("status", func(t *testing.T) {
		rec, err := Status(w.Dirs, w.path("p"))
		if err != nil || rec == nil || rec.Dir != w.path("p") || len(rec.Files) != 2 || rec.Time.Unix() != 1700000000 {
			t.Errorf("%+v, %v", rec, err)
		}
	})
	t.Run("forgotten", func(t *testing.T) {
		if err := Forget(w.Dirs, w.path("p")); err != nil {
			t.Fatal(err)
		}
		if set := w.find("p"); set.Files[0].Trust != Unknown {
			t.Errorf("still %v", set.Files[0].Trust)
		}
		if rec, err := Status(w.Dirs, w.path("p")); rec != nil || err != nil {
			t.Errorf("%+v, %v", rec, err)
		}
		if err := Forget(w.Dirs, w.path("p")); err != nil {
			t.Errorf("forgetting nothing: %v", err)
		}
	})
}

// A link from a trusted file to another one must not hide what was trusted.
func TestTrustedCopyIsNotHiddenByALink(t *testing.T) {
	w := newWorld(t)
	w.write("user/trammel.yaml", "u")
	w.write("p/trammel.yaml", "p")
	w.trust("p", nil)
	if err := os.Remove(w.path("p/trammel.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(w.path("user/trammel.yaml"), w.path("p/trammel.yaml")); err != nil {
		t.Skip(err)
	}
	w.want(w.find("p"), `
		user user/trammel.yaml trusted "u"
		project p/trammel.yaml trusted pinned "p"
		project p/trammel.yaml changed "u"
		note changed p/trammel.yaml
	`)
}

func TestDamagedTrustIsAnError(t *testing.T) {
	for name, damage := range map[string]func(home string) error{
		"cut off":          func(home string) error { return os.Truncate(filepath.Join(home, "record"), 40) },
		"empty":            func(home string) error { return os.Truncate(filepath.Join(home, "record"), 0) },
		"copy gone":        func(home string) error { return os.RemoveAll(filepath.Join(home, "files")) },
		"copy changed":     func(home string) error { return overwrite(filepath.Join(home, "files"), "other") },
		"another's record": func(home string) error { return edit(filepath.Join(home, "record"), "/p\"", "/q\"") },
		"escaping path": func(home string) error {
			return edit(filepath.Join(home, "record"), "\"trammel.yaml\"", "\"../trammel.yaml\"")
		},
		"later version": func(home string) error { return edit(filepath.Join(home, "record"), "trust 1", "trust 2") },
		"unknown line":  func(home string) error { return edit(filepath.Join(home, "record"), "end", "and") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write("p/trammel.yaml", "p")
			w.trust("p", nil)
			w.write("p/trammel.yaml", "changed")
			if err := damage(filepath.Join(w.State, "trust", Key(w.path("p")))); err != nil {
				t.Fatal(err)
			}
			if set, err := Find(w.Dirs, w.path("p")); err == nil {
				t.Errorf("found\n%s", w.show(set))
			} else {
				t.Log(err)
			}
		})
	}
}

func overwrite(dir, text string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, entries[0].Name()), []byte(text), 0o600)
}

func edit(path, old, new string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !strings.Contains(string(data), old) {
		return fmt.Errorf("%s has no %s", path, old)
	}
	return os.WriteFile(path, []byte(strings.ReplaceAll(string(data), old, new)), 0o600)
}

func TestRecordTakesAnyName(t *testing.T) {
	dir := filepath.Join(string(filepath.Separator), "a b", "ü\nend\n\"x\"\xff")
	in := &Record{Dir: dir, Time: time.Unix(1, 0).UTC(), Files: []TrustedFile{{filepath.Join(dir, "hooks.d", "x\ny.yaml"), digestOf(nil)}},
		Pins: map[string]string{filepath.Join(dir, "p\nin"): "absent"}}
	out, err := parseRecord(string(in.format()), dir)
	if err != nil {
		t.Fatal(err)
	}
	if out.Dir != in.Dir || !out.Time.Equal(in.Time) || !slices.Equal(out.Files, in.Files) || fmt.Sprint(out.Pins) != fmt.Sprint(in.Pins) {
		t.Errorf("found %+v, expected %+v", out, in)
	}
}

func FuzzRecord(f *testing.F) {
	f.Add(recordFormat + "\ndir \"/p\"\ntime 2026-01-01T00:00:00Z\nfile sha256:0 \"x\"\npin x \"/y\"\nend\n")
	f.Add(recordFormat + "\nend\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseRecord(text, "/p")
		if err != nil {
			return
		}
		for _, file := range r.Files {
			if !strings.HasPrefix(file.Path, string(filepath.Separator)+"p") || !isDigest(file.Digest) {
				t.Errorf("took %+v", file)
			}
		}
	})
}

func TestDigestCoversEverything(t *testing.T) {
	base := func() *Set {
		return &Set{Root: "/p", Files: []File{{Layer: User, Path: "/u/x", Dir: "/u", Data: []byte("ab"), Trust: Trusted},
			{Layer: Project, Path: "/p/x", Data: []byte("c")}},
			Pins: map[string]string{"/p/a": "1"}}
	}
	seen := map[string]string{base().digest(): "unchanged"}
	for name, change := range map[string]func(s *Set){
		"root":         func(s *Set) { s.Root = "/q" },
		"layer":        func(s *Set) { s.Files[1].Layer = User },
		"path":         func(s *Set) { s.Files[1].Path = "/p/y" },
		"dir":          func(s *Set) { s.Files[0].Dir = "/v" },
		"trust":        func(s *Set) { s.Files[1].Trust = Changed },
		"pinned":       func(s *Set) { s.Files[1].Pinned = true },
		"content":      func(s *Set) { s.Files[1].Data = []byte("d") },
		"moved byte":   func(s *Set) { s.Files[0].Data, s.Files[1].Data = []byte("a"), []byte("bc") },
		"fewer files":  func(s *Set) { s.Files = s.Files[:1] },
		"order":        func(s *Set) { slices.Reverse(s.Files) },
		"pin":          func(s *Set) { s.Pins["/p/a"] = "2" },
		"another pin":  func(s *Set) { s.Pins["/p/b"] = "1" },
		"no pin":       func(s *Set) { s.Pins = nil },
		"path and dir": func(s *Set) { s.Files[0].Path, s.Files[0].Dir = "/u/x/", "u" },
	} {
		s := base()
		change(s)
		d := s.digest()
		if other, same := seen[d]; same {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[d] = name
	}
	// Content that looks like the beginning of the next file must not be taken for it.
	var next bytes.Buffer
	for _, part := range []any{uint64(Project), uint64(Unknown), uint64(0), uint64(len("/p/x")), []byte("/p/x"), uint64(0)} {
		binary.Write(&next, binary.BigEndian, part)
	}
	one, other := base(), base()
	one.Files[0].Data, one.Files[1].Data = nil, next.Bytes()
	other.Files[0].Data, other.Files[1].Data = next.Bytes(), nil
	if one.digest() == other.digest() {
		t.Error("content was taken for the beginning of a file")
	}
	if again := base().digest(); seen[again] != "unchanged" {
		t.Error("the digest of the same set differs")
	}
}

func TestBounds(t *testing.T) {
	w := newWorld(t)
	w.write("p/trammel.yaml", strings.Repeat("#", MaxFile))
	w.find("p")
	w.write("p/trammel.yaml", strings.Repeat("#", MaxFile+1))
	if _, err := Find(w.Dirs, w.path("p")); err == nil {
		t.Error("a file above the bound was taken")
	}
	w.write("p/trammel.yaml", "")
	for i := range 9 {
		w.write(fmt.Sprintf("p/hooks.d/%d.yaml", i), strings.Repeat("#", MaxFile))
	}
	if _, err := Find(w.Dirs, w.path("p")); err == nil {
		t.Error("files above the bound together were taken")
	}
	w = newWorld(t)
	w.write("p/trammel.yaml", "")
	for i := range MaxEntries + 1 {
		w.write(fmt.Sprintf("p/hooks.d/%d.txt", i), "")
	}
	if _, err := Find(w.Dirs, w.path("p")); err == nil {
		t.Error("a crowded directory was taken")
	}
}

func TestWhatIsNotAFileIsAnError(t *testing.T) {
	for _, name := range []string{"etc/trammel.yaml", "user/hooks.d/x.yaml", "p/trammel.yaml"} {
		w := newWorld(t)
		w.mkdir("p")
		w.mkdir(name)
		if _, err := Find(w.Dirs, w.path("p")); err == nil {
			t.Errorf("a directory called %s was taken", name)
		}
		w = newWorld(t)
		w.mkdir("p")
		w.mkdir(filepath.Dir(name))
		if err := os.Symlink(w.path("nowhere"), w.path(name)); err != nil {
			t.Skip(err)
		}
		if _, err := Find(w.Dirs, w.path("p")); err == nil {
			t.Errorf("a dangling link called %s was taken", name)
		}
	}
}
