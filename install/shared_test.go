package install

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/test/testfile"
)

// projectFiles are what init writes into a project, by path.
func projectFiles(t *testing.T, host string, missing Missing, change func(*Env)) (files map[string]string, all string) {
	t.Helper()
	env, opts := machine(t) // each has other paths
	opts.Scope, opts.Missing = Project, missing
	change(&env)
	c, err := Plan(env, host, opts)
	if err != nil {
		return nil, "" // it has no such scope
	}
	files = map[string]string{}
	for _, f := range c.Files {
		rel := strings.TrimPrefix(f.Path, opts.Project)
		files[rel] = string(f.After)
		all += rel + "\n" + string(f.After)
	}
	for _, path := range []string{opts.Hook, opts.UserConfig, env.State, env.Home, opts.Project} {
		if strings.Contains(all, path) {
			t.Errorf("%s: the files name %s", host, path)
		}
	}
	return files, all
}

// TEAM-01, finding enforcement 18: the settings of a project are the same bytes
// on every machine, whatever system it runs and whatever version of the agent it
// has, and name no path.
func TestProjectWiringIsShared(t *testing.T) {
	absolute := regexp.MustCompile(`"/(home|Users|opt|usr)|[A-Z]:\\\\`)
	old := filepath.Join(t.TempDir(), "versions/1.0.0")
	testfile.Write(t, old, "", 0o755)
	for _, h := range Hosts() {
		_, first := projectFiles(t, h.System, "", func(*Env) {})
		if found := absolute.FindString(first); found != "" {
			t.Errorf("%s: the files have %s", h.System, found)
		}
		for name, change := range map[string]func(*Env){
			"another directory": func(*Env) {},
			"Windows":           func(e *Env) { e.GOOS = "windows" },
			"an old agent":      func(e *Env) { e.LookPath = func(string) (string, error) { return old, nil } },
		} {
			if _, all := projectFiles(t, h.System, MissingBlocks, change); all != first {
				t.Errorf("%s: %s: the files are\n%s\nand\n%s", h.System, name, first, all)
			}
		}
	}
}

// TEAM-01: each host has what it fails closed by, and a line for Windows where
// it has a place for one.
func TestProjectWiringFields(t *testing.T) {
	for host, fields := range map[string][]string{
		"claude-code": {`"onFailure": "block"`}, "codex": {`"commandWindows": "trammel-hook`}, "gemini-cli": {`"timeout": 660000`},
		"copilot-cli": {`"version": 1`, `"bash": "trammel-hook`, `"powershell": "& trammel-hook`},
		"vscode":      {`"command": "trammel-hook`, `"windows": "& trammel-hook`}, "cursor": {`"failClosed": true`},
	} {
		_, all := projectFiles(t, host, "", func(*Env) {})
		for _, field := range fields {
			if !strings.Contains(all, field) {
				t.Errorf("%s: no %s in\n%.900s", host, field, all)
			}
		}
	}
}

// TEAM-03: where the program is missing, a tool call is blocked, or with warn
// goes on, and the install command is named. Where it is there and fails, the
// call is blocked either way. The lines are run as the hosts run them.
func TestMissingProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	empty, fine, fails := t.TempDir(), t.TempDir(), t.TempDir()
	testfile.Write(t, filepath.Join(fine, "trammel-hook"), "#!/bin/sh\necho \"$@\"\n", 0o755)
	testfile.Write(t, filepath.Join(fails, "trammel-hook"), "#!/bin/sh\nexit 3\n", 0o755)
	tried := 0
	for _, h := range Hosts() {
		for _, missing := range []Missing{MissingBlocks, MissingWarns} {
			files, _ := projectFiles(t, h.System, missing, func(*Env) {})
			for _, text := range files {
				for _, line := range toolLines(t, h, text) {
					tried++
					blocked := 2
					if missing == MissingWarns {
						blocked = 0
					}
					for _, c := range []struct {
						path string
						exit int
						says string
					}{{empty, blocked, "go install github.com/"}, {fine, 0, h.System}, {fails, 2, "trammel doctor"}} {
						cmd := exec.Command("/bin/sh", "-c", line)
						cmd.Env = []string{"PATH=" + c.path + ":/usr/bin:/bin"}
						out, err := cmd.CombinedOutput()
						if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
							t.Fatal(err)
						}
						if cmd.ProcessState.ExitCode() != c.exit || !strings.Contains(string(out), c.says) {
							t.Errorf("%s, %s: exit %d, %s\n%s", h.System, missing, cmd.ProcessState.ExitCode(), out, line)
						}
					}
				}
			}
		}
	}
	if tried < 2*8 {
		t.Errorf("only %d lines were tried", tried)
	}
}

// toolLines are the lines for sh of the first entry before a tool.
func toolLines(t *testing.T, h *dialects.Host, text string) (lines []string) {
	d, err := parse([]byte(text))
	if err != nil {
		return nil // a plugin
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range []string{"command", "bash"} {
				line, _ := v[key].(string)
				event := slices.IndexFunc(h.Events(), func(e dialects.Event) bool {
					return e.Wire != dialects.Open && strings.Contains(line, " "+h.System+" "+e.Name+" ")
				})
				if event >= 0 {
					lines = append(lines, line)
				}
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(valueOf(d.root))
	slices.Sort(lines)
	return lines[:min(1, len(lines))]
}

// TEAM-01: status and uninstall know both ways to treat a missing program, and
// init changes one into the other.
func TestProjectWiringOfBothKinds(t *testing.T) {
	for _, host := range []string{"claude-code", "codex", "copilot-cli"} {
		env, opts := machine(t)
		opts.Scope = Project
		for _, missing := range []Missing{MissingWarns, MissingBlocks} {
			opts.Missing = missing
			install(t, env, host, opts)
			opts.Missing = ""
			if r, err := Status(env, host, opts); err != nil || r.State != Wired {
				t.Errorf("%s, %s: %+v, %v", host, cmp.Or(missing, "unsaid"), r, err)
			}
		}
		if err := uninstall(env, host, opts); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(opts.Project); err == nil && len(left) > 0 {
			t.Errorf("%s: %v is left", host, left)
		}
	}
	env, opts := machine(t)
	opts.Missing = "maybe"
	if _, err := Plan(env, "claude-code", opts); err == nil {
		t.Error("missing: maybe is taken")
	}
}
