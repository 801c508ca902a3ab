package changed

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trammel-dev/trammel"
)

// AIC-24, AIC-34: what git says is not committed, where the host says nothing.
func TestFiles(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git on this machine")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	write := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(name+t.Name()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	for _, name := range []string{"kept", "edited", "gone", ".gitignore"} {
		write(name)
	}
	os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("ignored\n"), 0o644)
	git("add", ".")
	git("commit", "-q", "-m", "x")
	os.WriteFile(filepath.Join(dir, "edited"), []byte("new"), 0o644)
	os.Remove(filepath.Join(dir, "gone"))
	write("ignored")
	write("services/a b/ü.go")
	write("staged")
	git("add", "staged")
	ev := &trammel.Event{Session: trammel.Session{Project: filepath.Join(dir, "services")}}
	got := Files(ev)
	slices.Sort(got)
	if !slices.Equal(got, []string{"edited", "gone", "services/a b/ü.go", "staged"}) {
		t.Errorf("%q", got)
	}
	for glob, want := range map[string]bool{"services/**": true, "./services/**": true, "**/*.go": true, "*.go": false, "kept": false,
		"gone": true} {
		if Paths([]string{"nothing", glob}).Holds(ev) != want {
			t.Errorf("%s: %v", glob, !want)
		}
	}
	said := &trammel.Event{Session: ev.Session, Fields: map[string]any{"changed_files": []any{"told.go", 7}}}
	if got := Files(said); !slices.Equal(got, []string{"told.go"}) {
		t.Errorf("what the host says does not count: %q", got)
	}
	if got := Files(&trammel.Event{Session: trammel.Session{Dir: t.TempDir()}}); got != nil {
		t.Errorf("no repository: %q", got)
	}
}
