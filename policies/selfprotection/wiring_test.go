package selfprotection_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/install"
	"github.com/trammel-dev/trammel/policies/selfprotection"
	"github.com/trammel-dev/trammel/test/policysuite"
	"github.com/trammel-dev/trammel/test/testfile"
)

// Every file that `trammel init` writes for a host is out of the agent's reach,
// and so is the record of it.
func TestWhatInstallWrites(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME",
		"DOCKER_AGENT_CONFIG_DIR", "CAGENT_CONFIG_DIR"} {
		t.Setenv(name, "")
	}
	hook := filepath.Join(home, "trammel-hook")
	write(t, hook, "#!/bin/sh\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{home, project} {
		write(t, filepath.Join(dir, ".kiro", "agents", "dev.json"), "{}")
	}
	env := install.Env{Home: home, State: filepath.Join(home, ".local", "state", "trammel"), GOOS: runtime.GOOS, Getenv: os.Getenv,
		LookPath: func(string) (string, error) { return "", os.ErrNotExist }}
	h, err := selfprotection.Policy().New(policysuite.Spec(""))
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, host := range install.Hosts() {
		for _, scope := range []install.Scope{install.User, install.Project} {
			change, err := install.Plan(env, host.System, install.Options{Scope: scope, Project: project, Hook: hook})
			if err != nil {
				t.Logf("%s, %s: %v", host.System, scope, err) // a scope that the host does not have
				continue
			}
			for _, file := range change.Files {
				files++
				ev := &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Dir: project, Project: project},
					Tool: &trammel.ToolCall{Name: "Write", Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{file.Path}}}}
				if a, err := h.Handle(context.Background(), ev); err != nil || a.Decision != trammel.Deny {
					t.Errorf("%s, %s: %s is within reach: %+v, %v", host.System, scope, file.Path, a, err)
				}
			}
		}
	}
	if files < len(install.Hosts()) {
		t.Errorf("only %d files were seen", files)
	}
}

// A hard link made earlier is another name of the same file.
func TestHardLink(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	file := filepath.Join(home, ".config", "trammel", "trammel.yaml")
	write(t, file, "version: 1\n")
	alias := filepath.Join(project, "notes.txt")
	if err := os.Link(file, alias); err != nil {
		t.Skip(err)
	}
	h, _ := selfprotection.Policy().New(policysuite.Spec(""))
	settings := filepath.Join(project, ".claude", "settings.json")
	write(t, settings, "{}")
	if err := os.Link(settings, filepath.Join(project, "more.txt")); err != nil {
		t.Skip(err)
	}
	for _, a := range []trammel.Action{
		{Kind: trammel.WriteAction, Paths: []string{alias}},
		{Kind: trammel.ShellAction, Command: "echo x >> notes.txt"},
		{Kind: trammel.ShellAction, Command: "echo x >> more.txt"},
	} {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Dir: project, Project: project},
			Tool: &trammel.ToolCall{Name: "x", Action: a}}
		if got, err := h.Handle(context.Background(), ev); err != nil || got.Decision != trammel.Deny {
			t.Errorf("%+v: got %+v, %v", a, got, err)
		}
	}
}

// Where there are too many files to tell what a hard link is a link to, a person
// is asked.
func TestHardLinkToOneOfTooMany(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	for i := range 4200 {
		write(t, filepath.Join(home, ".config", "trammel", "hooks.d", strconv.Itoa(i)), "")
	}
	write(t, filepath.Join(project, "a.txt"), "")
	if err := os.Link(filepath.Join(project, "a.txt"), filepath.Join(project, "b.txt")); err != nil {
		t.Skip(err)
	}
	h, _ := selfprotection.Policy().New(policysuite.Spec(""))
	ev := &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Dir: project, Project: project},
		Tool: &trammel.ToolCall{Name: "x", Action: trammel.Action{Kind: trammel.ShellAction, Command: "echo x >> b.txt"}}}
	if got, err := h.Handle(context.Background(), ev); err != nil || got.Decision != trammel.Ask ||
		got.Findings[0].Code != "not_all_looked_at" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func write(t *testing.T, file, text string) { testfile.Write(t, file, text, 0o644) }
