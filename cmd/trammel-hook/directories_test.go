//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/account"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/test/programs"
)

// shipped is the two programs as they are shipped, and an account with a policy.
type shipped struct {
	*testing.T
	bin, home, config, state, elsewhere, project string
}

func build(t *testing.T) *shipped {
	dir := t.TempDir()
	s := &shipped{T: t, bin: filepath.Join(dir, "bin"), home: filepath.Join(dir, "home"), elsewhere: filepath.Join(dir, "elsewhere"),
		project: filepath.Join(dir, "project")}
	s.config, s.state = filepath.Join(s.home, ".config", "trammel"), filepath.Join(s.home, ".local", "state", "trammel")
	for _, d := range []string{s.config, s.state, s.elsewhere, s.project} {
		s.must(os.MkdirAll(d, 0o700))
	}
	s.policy("careful")
	s.must(programs.Shipped(s.bin))
	return s
}

func (s *shipped) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *shipped) policy(preset string) {
	s.must(os.MkdirAll(s.config, 0o700))
	s.must(os.WriteFile(filepath.Join(s.config, layers.FileName), []byte("version: 1\npreset: "+preset+"\n"), 0o600))
}

func (s *shipped) flags() []string {
	return []string{layers.UserFlag, s.config, layers.StateFlag + "=" + s.state}
}

// ask runs a command line with an environment in which an agent has moved
// everything, and returns what the host is told about a shell command.
func (s *shipped) ask(command string, argv ...string) string {
	s.Helper()
	cmd := exec.Command(argv[0], append(argv[1:], "claude-code", "PreToolUse")...)
	cmd.Dir = s.project
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PreToolUse","tool_name":"Bash",`+
		`"tool_input":{"command":%q},"tool_use_id":"1"}`, s.project, command))
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TRAMMEL_USER_CONFIG", "TRAMMEL_STATE"} {
		cmd.Env = append(cmd.Env, name+"="+s.elsewhere)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		s.Fatalf("%v\n%s", err, &errs)
	}
	return string(out)
}

func (s *shipped) denied(what, text, out string) {
	s.Helper()
	if !strings.Contains(out, `"permissionDecision":"deny"`) || !strings.Contains(out, text) {
		s.Errorf("%s: found %q, expected a denial that says %q", what, out, text)
	}
}

// enforcement 17: an agent's environment moves nothing, and what the wiring
// names cannot be taken away.
func TestUserLayerCannotBeMoved(t *testing.T) {
	s := build(t)
	hook := filepath.Join(s.bin, "trammel-hook")
	named := append([]string{hook}, s.flags()...)
	for _, which := range []string{"the full program", "the hot program"} { // the first call is handed over, the plan is not there yet
		s.denied(which, "", s.ask("rm -rf ~", named...))
	}
	if out := s.ask("ls", named...); out != "" {
		t.Errorf("ls: %s", out)
	}
	home, err := account.Home()
	s.must(err)
	s.denied("the account's home, which $HOME does not name", "out of reach", s.ask("echo {} > "+home+"/.docker/config.json", named...))
	if left, err := os.ReadDir(s.elsewhere); err != nil || len(left) > 0 {
		t.Errorf("written where the environment points: %v, %v", left, err)
	}

	t.Run("rules of the project", s.rulesCannotBeRemoved)
	t.Run("by account", func(t *testing.T) {
		s := *s
		s.T = t
		passwd := filepath.Join(s.elsewhere, "..", "passwd")
		s.must(os.WriteFile(passwd, []byte("root:x:0:0::"+s.home+":/bin/sh\n"), 0o600))
		const mounted = `mount --bind "$0" /etc/passwd && exec "$@"`
		argv := []string{"unshare", "-rm", "sh", "-c", mounted, passwd}
		if err := exec.Command(argv[0], append(argv[1:], "true")...).Run(); err != nil {
			t.Skip("accounts cannot be exchanged here:", err)
		}
		for range 2 {
			s.denied("project wiring", "", s.ask("rm -rf ~", append(argv, hook)...))
		}
		moved := filepath.Join(s.elsewhere, "trammel")
		s.must(os.Rename(s.config, moved)) // as earlier versions had it
		cmd := exec.Command(argv[0], append(argv[1:], hook, "claude-code", "PreToolUse")...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "XDG_CONFIG_HOME=" + s.elsewhere}
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "trammel init") {
			t.Errorf("rules that only a variable names: %s", out)
		}
		s.must(os.Rename(moved, s.config))
		s.must(os.Rename(s.config, s.config+".off"))
		s.denied("the user's directory was there before", "trammel init", s.ask("ls", append(argv, hook)...))
		s.must(os.Rename(s.config+".off", s.config))
	})

	s.must(os.RemoveAll(s.config))
	s.denied("without the user's directory", "trammel init", s.ask("ls", named...))
	s.policy("careful")
	s.must(os.RemoveAll(s.state))
	for range 2 { // and it does not come back by itself
		s.denied("without the state directory", "trammel init", s.ask("ls", named...))
	}
}

// Every preset that guards stops an agent that removes, moves or empties the
// rules of its project.
func (s *shipped) rulesCannotBeRemoved(t *testing.T) {
	file := filepath.Join(s.project, layers.FileName)
	defer func() { s.must(os.Remove(file)); s.policy("careful") }()
	s.must(os.WriteFile(file, []byte("version: 1\n"), 0o600))
	for _, preset := range config.Presets() {
		if preset == "observe" {
			continue
		}
		s.policy(preset)
		for _, command := range []string{"rm trammel.yaml", "mv trammel.yaml x", ": > trammel.yaml"} {
			if out := s.ask(command, append([]string{filepath.Join(s.bin, "trammel-hook")}, s.flags()...)...); !strings.Contains(out,
				"rules for this") {
				t.Errorf("%s: %s: %s", preset, command, out)
			}
		}
	}
}
