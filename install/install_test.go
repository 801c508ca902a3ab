package install

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// machine is an empty one with a trammel-hook, whose path needs quoting.
func machine(t *testing.T) (Env, Options) {
	t.Helper()
	root := t.TempDir()
	hook := filepath.Join(root, `it's "my" $bin`, "trammel-hook")
	put(t, hook, "#!/bin/sh\nexit 0\n", 0o755)
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

func put(t *testing.T, path, data string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), mode); err != nil {
		t.Fatal(err)
	}
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

// jsonHosts are the hosts whose JSON may be the user's own, with how an entry
// looks there.
var jsonHosts = []struct{ name, file, pre, post, entry string }{
	{"claude-code", ".claude/settings.json", "PreToolUse", "PostToolUse",
		`{"matcher": "Bash", "hooks": [{"type": "command", "command": "%s"}]}`},
	{"codex", ".codex/hooks.json", "PreToolUse", "PostToolUse", `{"hooks": [{"type": "command", "command": "%s"}]}`},
	{"gemini-cli", ".gemini/settings.json", "BeforeTool", "AfterTool", `{"hooks": [{"type": "command", "command": "%s"}]}`},
	{"qwen-code", ".qwen/settings.json", "PreToolUse", "PostToolUse", `{"hooks": [{"type": "command", "command": "%s"}]}`},
	{"copilot-cli", ".copilot/hooks/trammel.json", "preToolUse", "postToolUse", `{"type": "command", "bash": "%s", "timeoutSec": 5}`},
	{"cursor", ".cursor/hooks.json", "preToolUse", "postToolUse", `{"command": "%s"}`},
	{"kiro", ".kiro/agents/mine.json", "preToolUse", "postToolUse", `{"matcher": "fs_*", "command": "%s"}`},
}

// FLOW-62: 12 nasty configurations and some more, on every host with JSON:
// wired, wired again, unwired, with every byte of the user's where it was.
func TestNastyConfigurations(t *testing.T) {
	cases, err := filepath.Glob("testdata/nasty/*.txtar")
	if err != nil || len(cases) < 12 {
		t.Fatal(cases, err)
	}
	for _, file := range cases {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		hosts := jsonHosts
		if strings.Contains(string(archive.Comment), "one host") { // the size matters, not whose file it is
			hosts = hosts[:1]
		}
		for _, h := range hosts {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+h.name, func(t *testing.T) {
				env, opts := machine(t)
				c := nasty{Env: env, Options: opts, host: h.name, path: filepath.Join(env.Home, h.file)}
				fill := strings.NewReplacer("{{PRE}}", h.pre, "{{POST}}", h.post,
					"{{THEIRS}}", fmt.Sprintf(h.entry, "echo mine"), "{{OURS}}", fmt.Sprintf(h.entry, "/old/trammel-hook x y # trammel:owned"))
				c.before = fill.Replace(string(archive.Files[0].Data))
				if len(archive.Files) > 1 {
					c.without = fill.Replace(string(archive.Files[1].Data))
				}
				c.run(t, string(archive.Comment))
			})
		}
	}
}

type nasty struct {
	Env
	Options
	host, path, before, without, refuse string
}

func (c *nasty) run(t *testing.T, directives string) {
	mode, link := os.FileMode(0o640), false
	for line := range strings.Lines(directives) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "refuse":
			c.refuse = rest
		case "mode":
			n, _ := strconv.ParseUint(rest, 8, 32)
			mode = os.FileMode(n)
		case "crlf":
			c.before = strings.ReplaceAll(c.before, "\n", "\r\n")
		case "bom":
			c.before = "\uFEFF" + c.before
		case "truncate":
			c.before = ""
		case "pad":
			n, _ := strconv.Atoi(rest)
			item := `{"display": "a [ in a \"string\" // no comment", "n": 1},` + "\n    "
			c.before = strings.Replace(c.before, "PAD", strings.Repeat(item, n/len(item))+"0", 1)
		case "symlink":
			link = true
		}
	}
	if c.without == "" {
		c.without = c.before
	}
	put(t, c.path, c.before, mode)
	os.Chmod(c.path, mode)
	if link {
		target := filepath.Join(c.Home, "dotfiles", "file")
		put(t, target, "", 0o600)
		os.Rename(c.path, target)
		if err := os.Symlink(target, c.path); err != nil {
			t.Skip(err)
		}
	}
	start := tree(t, c.Home)

	plan, err := Plan(c.Env, c.host, c.Options)
	if c.refuse != "" {
		if err == nil || !strings.Contains(err.Error(), c.refuse) || !strings.Contains(err.Error(), c.path) {
			t.Fatalf("not refused as expected: %v", err)
		}
		if !maps.Equal(start, tree(t, c.Home)) {
			t.Error("something was changed")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(start, tree(t, c.Home)) {
		t.Error("the plan changed something")
	}
	if err := Apply(plan); err != nil {
		t.Fatal(err)
	}
	wired := tree(t, c.Home)
	c.survives(t)
	if info, _ := os.Stat(c.path); info.Mode().Perm() != mode {
		t.Errorf("the mode is %s", info.Mode())
	}
	if r, err := Status(c.Env, c.host, c.Options); err != nil || r.State != Wired {
		t.Errorf("after wiring: %+v, %v", r, err)
	}
	again, err := Plan(c.Env, c.host, c.Options)
	if err != nil || len(again.Files) > 0 {
		t.Fatalf("not idempotent: %+v, %v", again, err)
	}
	if err := Apply(again); err != nil || !maps.Equal(wired, tree(t, c.Home)) {
		t.Errorf("the second time changes something (%v)", err)
	}
	if err := uninstall(c.Env, c.host, c.Options); err != nil {
		t.Fatal(err)
	}
	if got := get(t, c.path); got != c.without {
		t.Errorf("uninstall left\n%.2000q\nexpected\n%.2000q", got, c.without)
	}
	if c.without == c.before {
		if end := tree(t, c.Home); !maps.Equal(start, end) {
			t.Errorf("files differ after uninstall: %v", slices.Sorted(maps.Keys(end)))
		}
	}
	if left := tree(t, filepath.Join(c.State, "install")); len(left) > 3 { // the directories and the lock
		t.Errorf("left in the state directory: %v", slices.Sorted(maps.Keys(left)))
	}
}

// survives checks that the user's content is all there: taking our entries out
// again, by structure and not by record, gives the same bytes, but for an
// object or list that was empty before.
func (c *nasty) survives(t *testing.T) {
	t.Helper()
	after := []byte(get(t, c.path))
	d, err := parse(after)
	if err != nil {
		t.Fatalf("%v:\n%.2000s", err, after)
	}
	if strings.Contains(c.before, "\r\n") && bytes.Count(after, []byte("\n")) != bytes.Count(after, []byte("\r\n")) {
		t.Error("line endings are mixed")
	}
	if blank([]byte(c.before)) {
		return
	}
	clean, err := strip(d, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(clean); err != nil {
		t.Errorf("without our entries: %v", err)
	}
	got, want := squeeze(string(clean)), squeeze(c.without)
	if got != want {
		t.Errorf("without our entries:\n%.1500s\nbefore:\n%.1500s", got, want)
	}
}

// squeeze takes out what cannot be distinguished from our own: empty lists, the version
// that some hosts need, blanks, and commas (whether these are right, the parser says).
func squeeze(s string) string {
	s = strings.Join(strings.Fields(s), "")
	for _, cut := range []string{`,"version":1`, `"version":1`, `,"hooks":{}`, `"hooks":{}`} {
		s = strings.Replace(s, cut, "", 1)
	}
	for _, h := range jsonHosts {
		s = strings.Replace(s, `,"hooks":{"`+h.pre+`":[]}`, "", 1)
		s = strings.Replace(s, `"hooks":{"`+h.pre+`":[]}`, "", 1)
	}
	return strings.ReplaceAll(s, ",", "")
}

// FLOW-62: every host, from nothing and back to nothing.
func TestEveryHostFromNothing(t *testing.T) {
	for _, h := range Hosts() {
		for _, scope := range []Scope{User, Project} {
			t.Run(h.System+"/"+string(scope), func(t *testing.T) {
				env, opts := machine(t)
				opts.Scope = scope
				put(t, filepath.Join(env.Home, "keep"), "", 0o600)
				put(t, filepath.Join(opts.Project, "keep"), "", 0o600)
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

// What a user adds after wiring stays when the wiring goes, with and without
// the record.
func TestUninstallKeepsLaterEdits(t *testing.T) {
	for _, lost := range []bool{false, true} {
		env, opts := machine(t)
		path := filepath.Join(env.Home, ".claude", "settings.json")
		put(t, path, "{\n  \"model\": \"x\" // mine\n}\n", 0o600)
		install(t, env, "claude-code", opts)
		edited := strings.Replace(get(t, path), `"model": "x"`, `"model": "y", "new": [1,2]`, 1)
		edited = strings.Replace(edited, `"PreToolUse": [`, `"PreToolUse": [{"hooks": [{"type":"command","command":"late"}]},`, 1)
		put(t, path, edited, 0o600)
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
	put(t, path, `{"model":"x"}`, 0o600)
	install(t, env, "claude-code", opts)
	d, err := parse([]byte(get(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	d.root.Format()
	put(t, path, "\n\n"+string(d.root.Pack()), 0o600)
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
	put(t, path, before, 0o600)
	install(t, env, "claude-code", opts)
	old := opts.Hook
	opts.Hook = filepath.Join(filepath.Dir(opts.Hook), "new-hook")
	put(t, opts.Hook, "", 0o755)
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

// An error at a later file: those before it are put back, and it is said.
func TestErrorBetweenFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a directory in which nobody can write, root included")
	}
	env, opts := machine(t)
	for _, name := range []string{"a", "b"} {
		put(t, filepath.Join(env.Home, ".kiro", "agents", name+".json"), `{"name":"`+name+`"}`, 0o600)
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
		put(t, filepath.Join(agents, "a.json"), `{"name":"a"}`, 0o600)
		put(t, filepath.Join(agents, "b.json"), `{"name":"b"}`, 0o600)
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
	put(t, path, "{}", 0o600)
	c, err := Plan(env, "gemini-cli", opts)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, `{"a":1}`, 0o600)
	if err := Apply(c); err == nil || get(t, path) != `{"a":1}` {
		t.Errorf("overwritten: %v", err)
	}
}

// A file of somebody else's under our name is not ours.
func TestForeignPluginIsRefused(t *testing.T) {
	env, opts := machine(t)
	path := filepath.Join(env.Home, ".config", "opencode", "plugin", "trammel.js")
	put(t, path, "// my own\n// trammel:owned\n", 0o600)
	if _, err := Plan(env, "opencode", opts); err == nil {
		t.Error("overwritten")
	}
	if c, err := PlanUninstall(env, "opencode", opts); err != nil || len(c.Files) > 0 {
		t.Error("deleted", err)
	}
}
