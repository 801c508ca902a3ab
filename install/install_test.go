package install

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/testfile"
)

// machine is an empty one with a trammel-hook, whose path needs quoting.
func machine(t *testing.T) (Env, Options) {
	t.Helper()
	root := t.TempDir()
	hook := filepath.Join(root, `it's "my" $bin`, "trammel-hook")
	testfile.Write(t, hook, "#!/bin/sh\nexit 0\n", 0o755)
	env := Env{
		Home: filepath.Join(root, "home"), State: filepath.Join(root, "state"), GOOS: "linux",
		Getenv:   func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", errors.New("not found") },
	}
	opts := Options{Scope: User, Project: filepath.Join(root, "project"), Hook: hook, UserConfig: filepath.Join(root, "user $x")}
	return env, opts
}

// uninstall takes the wiring of a host out again.
func uninstall(env Env, host string, opts Options) error {
	c, err := PlanUninstall(env, host, opts)
	if err != nil {
		return err
	}
	return Apply(c)
}

func get(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tree is every file below a directory, with mode and content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		info, _ := d.Info()
		out[path] = info.Mode().String()
		if d.Type().IsRegular() {
			out[path] += get(t, path)
		}
		if d.Type() == os.ModeSymlink {
			out[path], _ = os.Readlink(path)
		}
		return nil
	})
	return out
}

func install(t *testing.T, env Env, host string, opts Options) {
	t.Helper()
	c, err := Plan(env, host, opts)
	if err == nil {
		err = Apply(c)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// FLOW-62: every host, from nothing and back to nothing.
func TestEveryHostFromNothing(t *testing.T) {
	for _, h := range Hosts() {
		for _, scope := range []Scope{User, Project} {
			t.Run(h.System+"/"+string(scope), func(t *testing.T) {
				env, opts := machine(t)
				opts.Scope = scope
				testfile.Write(t, filepath.Join(env.Home, "keep"), "", 0o600)
				testfile.Write(t, filepath.Join(opts.Project, "keep"), "", 0o600)
				root := filepath.Dir(env.Home)
				start := tree(t, root)
				plan, err := Plan(env, h.System, opts)
				if h.System == "vscode" && scope == User || h.System == "docker-agent" && scope == Project {
					if err == nil {
						t.Fatal("a scope that does not exist is wired")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := Apply(plan); err != nil {
					t.Fatal(err)
				}
				for _, f := range plan.Files {
					if !f.Create || !strings.Contains(get(t, f.Path), Marker) {
						t.Errorf("%s is not ours", f.Path)
					}
				}
				if r, err := Status(env, h.System, opts); err != nil || r.State != Wired {
					t.Errorf("%+v %v", r, err)
				}
				if again, err := Plan(env, h.System, opts); err != nil || len(again.Files) > 0 {
					t.Errorf("not idempotent: %v %v", again, err)
				}
				if err := uninstall(env, h.System, opts); err != nil {
					t.Fatal(err)
				}
				end := tree(t, root)
				maps.DeleteFunc(end, func(path, _ string) bool { return strings.HasPrefix(path, env.State) })
				if !maps.Equal(start, end) {
					t.Errorf("left behind: %v", slices.Sorted(maps.Keys(end)))
				}
				if r, err := Status(env, h.System, opts); err != nil || r.State != NotWired {
					t.Errorf("after uninstall: %+v %v", r, err)
				}
			})
		}
	}
}

// What a user adds after wiring stays when the wiring goes, with and without
// the record.
func TestUninstallKeepsLaterEdits(t *testing.T) {
	for _, lost := range []bool{false, true} {
		env, opts := machine(t)
		path := filepath.Join(env.Home, ".claude", "settings.json")
		testfile.Write(t, path, "{\n  \"model\": \"x\" // mine\n}\n", 0o600)
		install(t, env, "claude-code", opts)
		edited := strings.Replace(get(t, path), `"model": "x"`, `"model": "y", "new": [1,2]`, 1)
		edited = strings.Replace(edited, `"PreToolUse": [`, `"PreToolUse": [{"hooks": [{"type":"command","command":"late"}]},`, 1)
		testfile.Write(t, path, edited, 0o600)
		if lost {
			os.RemoveAll(env.State)
		}
		if err := uninstall(env, "claude-code", opts); err != nil {
			t.Fatal(err)
		}
		want := "{\n  \"model\": \"y\", \"new\": [1,2], // mine\n  \"hooks\": {\n    \"PreToolUse\": [{\"hooks\": " +
			"[{\"type\":\"command\",\"command\":\"late\"}]}\n    ]\n  }\n}\n"
		if got := get(t, path); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// A formatter, or the host itself, may reformat our entries and sort their
// keys: they stay ours, and current.
func TestOwnershipSurvivesReformatting(t *testing.T) {
	env, opts := machine(t)
	path := filepath.Join(env.Home, ".claude", "settings.json")
	testfile.Write(t, path, `{"model":"x"}`, 0o600)
	install(t, env, "claude-code", opts)
	d, err := parse([]byte(get(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	d.root.Format()
	testfile.Write(t, path, "\n\n"+string(d.root.Pack()), 0o600)
	if c, err := Plan(env, "claude-code", opts); err != nil || len(c.Files) > 0 {
		t.Errorf("wired again: %v %v", c, err)
	}
	if err := uninstall(env, "claude-code", opts); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(get(t, path)), ""); got != `{"model":"x"}` {
		t.Error(got)
	}
}

// Wiring again after an upgrade moves the hook, and uninstall still restores
// what was there before the first time.
func TestUpgradeKeepsTheFirstOriginal(t *testing.T) {
	env, opts := machine(t)
	path := filepath.Join(env.Home, ".claude", "settings.json")
	before := `{"hooks":{"PreToolUse":[]}}`
	testfile.Write(t, path, before, 0o600)
	install(t, env, "claude-code", opts)
	old := opts.Hook
	opts.Hook = filepath.Join(filepath.Dir(opts.Hook), "new-hook")
	testfile.Write(t, opts.Hook, "", 0o755)
	r, _ := Status(env, "claude-code", opts)
	if r.State != Changed || !strings.Contains(fmt.Sprint(r.Checks), "command is") {
		t.Errorf("%+v", r)
	}
	install(t, env, "claude-code", opts)
	if strings.Contains(get(t, path), filepath.Base(old)+`"`) {
		t.Error("the old entries are still there")
	}
	if err := uninstall(env, "claude-code", opts); err != nil {
		t.Fatal(err)
	}
	if got := get(t, path); got != before {
		t.Error(got)
	}
}
