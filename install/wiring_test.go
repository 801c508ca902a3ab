package install

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/test/testfile"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// What is written for each host, on Unix and on Windows, is in a file that
// people can read.
func TestWiringGolden(t *testing.T) {
	var b strings.Builder
	for _, goos := range []string{"linux", "windows"} {
		env := Env{Home: "/home/me", State: "/state", GOOS: goos, Getenv: func(string) string { return "" },
			LookPath: func(string) (string, error) { return "", errors.New("none") }}
		hook := "/opt/my tools/trammel-hook"
		if goos == "windows" {
			hook = `C:\Program Files\Trammel\trammel-hook.exe`
		}
		for _, h := range Hosts() {
			for _, scope := range []Scope{User, Project} {
				s, err := at(env, h.System, Options{Scope: scope, Project: "/p", Hook: hook, UserConfig: "/home/me/.config/trammel"})
				if err != nil {
					fmt.Fprintf(&b, "-- %s %s %s --\n%v\n", goos, h.System, scope, err)
					continue
				}
				for _, tg := range s.targets {
					text := tg.text
					if tg.wiring != nil {
						text = tg.wiring.file()
					}
					if scope == Project && h.System != "vscode" { // the same as the user's, but for the program
						text = []byte(strings.Join(strings.SplitAfterN(string(text), "\n", 13)[:12], ""))
					} else if strings.HasSuffix(tg.path, ".js") {
						text = []byte(strings.Join(strings.SplitAfterN(string(text), "\n", 5)[:4], ""))
					}
					fmt.Fprintf(&b, "-- %s %s %s %s --\n%s", goos, h.System, scope, filepath.ToSlash(tg.path), text)
				}
				for _, note := range s.notes {
					fmt.Fprintf(&b, "note: %s\n", note)
				}
			}
		}
	}
	const golden = "testdata/wiring.txt"
	if *update {
		os.WriteFile(golden, []byte(b.String()), 0o644)
	}
	if runtime.GOOS == "windows" {
		t.Skip("paths differ")
	}
	if diff := cmp.Diff(get(t, golden), b.String()); diff != "" {
		t.Error(diff)
	}
}

// The command lines do what they promise, in a real shell, whatever becomes of
// the program (issue 3: missing, without run bit, killed, failing).
func TestCommandFailsClosed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	dir := filepath.Join(t.TempDir(), "a b'c\"d$e`f\\g;h&i")
	program := func(name, script string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		testfile.Write(t, path, "#!/bin/sh\n"+script+"\n", mode)
		return path
	}
	for _, tc := range []struct {
		name, hook string
		end        int // how the program ends, if it ends itself
	}{
		{"fine", program("fine", `echo "$1 $2"`, 0o755), 0},
		{"missing", filepath.Join(dir, "missing"), 127},
		{"not executable", program("plain", "", 0o644), 126},
		{"killed", program("killed", "kill -9 $$", 0o755), 137},
		{"exit 1", program("one", "exit 1", 0o755), 1},
		{"denies by exit", program("two", "echo no >&2; exit 2", 0o755), 2},
	} {
		for _, g := range []dialects.Guard{dialects.Open, dialects.Closed, dialects.ClosedByExit, dialects.ClosedByJSON} {
			var stdout, stderr strings.Builder
			line := call{argv: []string{tc.hook}, rest: " host Event", guard: g, why: noAnswer, denial: `{"no":true}`}
			cmd := exec.Command("/bin/sh", "-c", line.posix())
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			code := cmd.ProcessState.ExitCode()
			at := fmt.Sprintf("%s, guard %d: exit %d (%v), stdout %q, stderr %q", tc.name, g, code, err, stdout.String(), stderr.String())
			said := strings.Contains(stderr.String(), noAnswer)
			switch {
			case tc.end == 0:
				if code != 0 || stdout.String() != "host Event\n" || stderr.Len() > 0 {
					t.Error(at)
				}
			case g == dialects.Open:
				if code != tc.end && !(tc.end == 137 && code == -1) || said { // sh may exec its last command
					t.Error(at)
				}
			case g == dialects.ClosedByJSON:
				if code != 0 || stdout.String() != `{"no":true}`+"\n" {
					t.Error(at)
				}
			case code != 2 || stderr.Len() == 0 || said == (g == dialects.ClosedByExit && tc.end == 2):
				t.Error(at)
			}
		}
	}
}

// Finding enforcement 17: the settings of a user name the program, the user's
// rules and the state absolutely.
func TestUserWiringNamesDirectories(t *testing.T) {
	for _, h := range Hosts() {
		env, opts := machine(t)
		c, err := Plan(env, h.System, opts)
		if err != nil {
			continue // it has no such scope
		}
		for _, f := range c.Files {
			if text := string(f.After); strings.Count(text, "--user-config") < 1 || strings.Count(text, "--state") < 1 ||
				!strings.Contains(text, filepath.Base(env.State)) || !strings.Contains(text, "user ") {
				t.Errorf("%s: %s", h.System, text)
			}
		}
	}
}

func TestHookMustBeRunnable(t *testing.T) {
	env, opts := machine(t)
	for _, bad := range []string{"trammel-hook", "", filepath.Join(env.Home, "missing"), env.State, opts.Hook + "\nx", "/x/" + Marker} {
		opts.Hook = bad
		if _, err := Plan(env, "claude-code", opts); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestDockerAgentDropInIsYAML(t *testing.T) {
	env, opts := machine(t)
	c, err := Plan(env, "docker-agent", opts)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Pre []struct {
			Matcher string
			Preempt bool `yaml:"preempt_yolo"`
			Hooks   []struct{ Command string }
		} `yaml:"pre_tool_use"`
	}
	if err := yaml.Unmarshal(c.Files[0].After, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Pre) != 1 || !got.Pre[0].Preempt || !strings.Contains(got.Pre[0].Hooks[0].Command, "docker-agent pre_tool_use || { echo '{") {
		t.Errorf("%+v", got)
	}
}

// The version is read from where the program lies, and Claude Code gets its own
// switch only if it is known to have it.
func TestDetect(t *testing.T) {
	env, opts := machine(t)
	bin := filepath.Join(env.Home, "bin")
	env.LookPath = func(name string) (string, error) {
		path := filepath.Join(bin, name)
		_, err := os.Stat(path)
		return path, err
	}
	if found := Detect(env); len(found) != 0 {
		t.Fatalf("found %+v", found)
	}
	pkg := filepath.Join(env.Home, "lib/node_modules/@openai/codex")
	testfile.Write(t, filepath.Join(pkg, "package.json"), `{"name":"@openai/codex","version":"0.166.0"}`, 0o644)
	testfile.Write(t, filepath.Join(pkg, "bin/codex.js"), "", 0o755)
	testfile.Write(t, filepath.Join(bin, "keep"), "", 0o644)
	testfile.Write(t, filepath.Join(env.Home, ".gemini/x"), "", 0o644)
	if err := os.Symlink(filepath.Join(pkg, "bin/codex.js"), filepath.Join(bin, "codex")); err != nil {
		t.Skip(err)
	}
	for version, switched := range map[string]bool{"2.1.294": false, "2.1.295": true, "2.2.0": true} {
		native := filepath.Join(env.Home, "share/claude/versions", version)
		testfile.Write(t, native, "", 0o755)
		os.Remove(filepath.Join(bin, "claude"))
		os.Symlink(native, filepath.Join(bin, "claude"))
		var got []string
		for _, f := range Detect(env) {
			got = append(got, f.Host.System+" "+f.Version)
		}
		if diff := cmp.Diff([]string{"claude-code " + version, "codex 0.166.0", "gemini-cli "}, got); diff != "" {
			t.Error(diff)
		}
		c, err := Plan(env, "claude-code", opts)
		if err != nil || strings.Contains(string(c.Files[0].After), "onFailure") != switched {
			t.Errorf("%s: %v", version, err)
		}
	}
}

func TestWarnings(t *testing.T) {
	env, opts := machine(t)
	testfile.Write(t, filepath.Join(env.Home, ".codex/hooks.json"), "{} // mine", 0o600)
	c, err := Plan(env, "codex", opts)
	if err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "comments") {
		t.Errorf("%+v %v", c, err)
	}
	testfile.Write(t, filepath.Join(env.Home, ".claude/settings.json"), `{"disableAllHooks": true}`, 0o600)
	c, err = Plan(env, "claude-code", opts)
	if err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "disableAllHooks") {
		t.Errorf("%+v %v", c, err)
	}
}

// Whatever is in a file: it is refused, or wired so that it is current, and
// taking the wiring out leaves the same values.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{"{}", `{"a":1}`, "{\n\t\"hooks\": {\n\t\t\"PreToolUse\": [1,], // x\n\t},\n}",
		`{"hooks":{"PreToolUse":[{"hooks":[{"command":"# trammel:owned"}]}/**/]}}`,
		"{//\n\"a\"://\n1//\n}//", `{"hooks":{"PreToolUse":[{"hooks":[{"command":"x"},{"command":"# trammel:owned"}],"matcher":1},/*y*/]}}`,
		"{\"hooks\":{//c\n\"PreToolUse\":[//d\n{\"command\":\"trammel:owned\"}, 2]}}"} {
		f.Add([]byte(seed))
	}
	env := Env{Home: "/h", State: "/s", GOOS: "linux", Getenv: func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", errors.New("none") }}
	s, err := at(env, "claude-code", Options{Scope: User, Hook: "/x/trammel-hook"})
	if err != nil {
		f.Fatal(err)
	}
	t0 := &s.targets[0]
	f.Fuzz(func(t *testing.T, before []byte) {
		clean, _, err := t0.clean(before)
		if err != nil {
			return
		}
		after, err := s.wired(t0, before)
		if err != nil {
			if strings.Contains(err.Error(), "safely") {
				t.Fatalf("%v\n%s", err, before)
			}
			return
		}
		if again, err := s.wired(t0, after); err != nil || string(again) != string(after) {
			t.Fatalf("not idempotent: %v\n%s\n%s", err, after, again)
		}
		if blank(clean) {
			return
		}
		back, _, err := t0.clean(after)
		if err != nil {
			t.Fatalf("%v\n%s", err, after)
		}
		if got, want := values(t, back), values(t, clean); got != want {
			t.Fatalf("values changed:\n%s\n%s\n%s", before, got, want)
		}
	})
}

// values are the values of a file in a comparable form, without what is empty.
func values(t *testing.T, data []byte) string {
	d, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	m := valueOf(d.root).(map[string]any)
	if hooks, ok := m["hooks"].(map[string]any); ok {
		for k, v := range hooks {
			if l, ok := v.([]any); ok && len(l) == 0 {
				delete(hooks, k)
			}
		}
		if len(hooks) == 0 {
			delete(m, "hooks")
		}
	}
	return fmt.Sprint(m)
}
