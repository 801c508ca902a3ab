package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel/test/testfile"
)

func TestTree(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		testfile.Write(t, filepath.Join(dir, name), text, 0o600)
	}
	digest := func() string {
		t.Helper()
		d, err := Tree(dir)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	write("a", "1")
	write("sub/b", "2")
	seen := map[string]string{digest(): "at first"}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"content", func() { write("a", "2") }},
		{"a name", func() { os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "c")) }},
		{"a new file", func() { write("sub/d", "") }},
		{"a hidden one", func() { write(".x", "") }},
		{"a compiled file", func() { write("sub/__pycache__/b.pyc", "x") }},
		{"a link", func() { os.Symlink("c", filepath.Join(dir, "link")) }},
		{"another target", func() {
			os.Remove(filepath.Join(dir, "link"))
			os.Symlink("sub/b", filepath.Join(dir, "link"))
		}},
	} {
		step.do()
		d := digest()
		if before, same := seen[d]; same {
			t.Errorf("%s changes nothing since %s", step.name, before)
		}
		seen[d] = step.name
	}
	before := digest()
	write(".git/index", "x")
	if digest() != before {
		t.Error("the history counts")
	}
	os.Symlink("/etc/hosts", filepath.Join(dir, "out"))
	if _, err := Tree(dir); err == nil {
		t.Error("a link that leads out is taken")
	}
}
