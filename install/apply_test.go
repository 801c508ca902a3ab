package install

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/testfile"
)

// If a later file fails, the earlier ones are restored, and the error says so.
func TestErrorBetweenFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a directory in which nobody can write, root included")
	}
	env, opts := machine(t)
	for _, name := range []string{"a", "b"} {
		testfile.Write(t, filepath.Join(env.Home, ".kiro", "agents", name+".json"), `{"name":"`+name+`"}`, 0o600)
	}
	start := tree(t, env.Home)
	c, err := Plan(env, "kiro", opts)
	if err != nil || len(c.Files) != 3 {
		t.Fatal(c, err)
	}
	c.Files[2] = FileChange{Path: "/proc/self/trammel-test", Create: true, After: []byte("x")}
	if err := Apply(c); err == nil || !strings.Contains(err.Error(), "nothing was changed") || !strings.Contains(err.Error(), "/proc/self") {
		t.Errorf("got %v", err)
	}
	if end := tree(t, env.Home); !maps.Equal(start, end) {
		t.Errorf("half of it stayed: %v", slices.Sorted(maps.Keys(end)))
	}
	if c.state.exists() {
		t.Error("the record stayed")
	}
	// If one cannot be put back either, the error names it.
	os.RemoveAll(filepath.Dir(c.Files[1].Path))
	var partial *PartialError
	if err := c.putBack(2, errors.New("disk full")); !errors.As(err, &partial) || !slices.Equal(partial.Changed, []string{c.Files[1].Path}) {
		t.Errorf("got %v", err)
	}
}

// Killed between two files: status says so, and both ways out work.
func TestKilledBetweenFiles(t *testing.T) {
	for _, forward := range []bool{true, false} {
		env, opts := machine(t)
		agents := filepath.Join(env.Home, ".kiro", "agents")
		testfile.Write(t, filepath.Join(agents, "a.json"), `{"name":"a"}`, 0o600)
		testfile.Write(t, filepath.Join(agents, "b.json"), `{"name":"b"}`, 0o600)
		start := tree(t, agents)
		c, err := Plan(env, "kiro", opts)
		if err != nil {
			t.Fatal(err)
		}
		os.MkdirAll(c.state.dir, 0o700)
		if err := c.prepare(); err != nil {
			t.Fatal(err)
		}
		for i := range 2 { // and here the process dies
			if err := c.Files[i].write(); err != nil {
				t.Fatal(err)
			}
		}
		if r, _ := Status(env, "kiro", opts); r.State != Changed {
			t.Errorf("half wired is %s", r.State)
		}
		if forward {
			install(t, env, "kiro", opts)
			if r, _ := Status(env, "kiro", opts); r.State != Wired {
				t.Errorf("%+v", r)
			}
		}
		if err := uninstall(env, "kiro", opts); err != nil {
			t.Fatal(err)
		}
		if end := tree(t, agents); !maps.Equal(start, end) {
			t.Errorf("forward %v: %v", forward, end)
		}
	}
}

func TestApplyRefusesAFileThatHasChanged(t *testing.T) {
	env, opts := machine(t)
	path := filepath.Join(env.Home, ".gemini", "settings.json")
	testfile.Write(t, path, "{}", 0o600)
	c, err := Plan(env, "gemini-cli", opts)
	if err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, path, `{"a":1}`, 0o600)
	if err := Apply(c); err == nil || get(t, path) != `{"a":1}` {
		t.Errorf("overwritten: %v", err)
	}
}

// A file of somebody else's under our name is not ours.
func TestForeignPluginIsRefused(t *testing.T) {
	env, opts := machine(t)
	path := filepath.Join(env.Home, ".config", "opencode", "plugin", "trammel.js")
	testfile.Write(t, path, "// my own\n// trammel:owned\n", 0o600)
	if _, err := Plan(env, "opencode", opts); err == nil {
		t.Error("overwritten")
	}
	if c, err := PlanUninstall(env, "opencode", opts); err != nil || len(c.Files) > 0 {
		t.Error("deleted", err)
	}
}
