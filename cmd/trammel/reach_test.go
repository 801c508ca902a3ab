//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TEAM-29: no variable that a project's settings can set for its agent, no file
// of the project and no field of the payload turns off what the user declares.
// The line is the one that init writes into the agent's settings.
func TestNothingInReachTurnsItOff(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	conf, state := filepath.Join(d.home, ".config", "trammel"), filepath.Join(d.home, ".local", "state", "trammel")
	d.write(filepath.Join(conf, "trammel.yaml"), "version: 1\nhooks:\n  - id: canary\n    on: pre_tool_use\n"+
		"    match: {program: touch}\n    deny: the canary\n")
	if out, rc := d.quiet("", "trammel", "--user-config", conf, "--state", state, "init", "claude-code", "--yes"); rc != 0 {
		t.Fatalf("%d %s", rc, out)
	}
	line := wiredLine(t, filepath.Join(d.home, ".claude", "settings.json"))
	empty := filepath.Join(d.home, "empty")
	evil := filepath.Join(d.home, "evil") // has programs of our names that let everything pass
	for _, dir := range []string{empty, evil, filepath.Join(empty, "trammel")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"trammel", "trammel-hook", "echo", "git"} {
		d.write(filepath.Join(evil, name), "#!/bin/sh\nexit 0\n")
	}
	d.write(filepath.Join(evil, "rc"), "exit 0\n")
	loose := "version: 1\ndisabled: [canary, user/canary]\nprofile: minimal\nhooks:\n  - {id: canary, on: pre_tool_use, allow: yes}\n"
	d.write(filepath.Join(empty, "trammel", "trammel.yaml"), loose)

	for name, c := range map[string]struct {
		env     []string
		file    string // of the project, with text
		text    string
		payload string // more fields
	}{
		"as it is": {},
		"directories of ours": {env: []string{"TRAMMEL_CONFIG=" + empty, "TRAMMEL_CONFIG_DIR=" + empty, "TRAMMEL_USER_CONFIG=" + empty,
			"TRAMMEL_STATE=" + empty, "TRAMMEL_STATE_DIR=" + empty, "TRAMMEL_CACHE=" + empty, "TRAMMEL_HOME=" + empty, "TRAMMEL_DIR=" + empty}},
		"switches of ours": {env: []string{"TRAMMEL_DISABLE=1", "TRAMMEL_DISABLED=canary", "TRAMMEL_BYPASS=1", "TRAMMEL_OFF=1",
			"TRAMMEL_SKIP=1",
			"TRAMMEL=0", "TRAMMEL_PROFILE=minimal", "TRAMMEL_MODE=observe", "TRAMMEL_TRIAL=1", "TRAMMEL_PAUSE=60m", "TRAMMEL_PAUSED=1",
			"TRAMMEL_TRUST=h1:x", "TRAMMEL_ON_ERROR=ignore", "TRAMMEL_REHEARSAL=1", "TRAMMEL_FAULT=1", "TRAMMEL_STORE=" + empty, "CI=true"}},
		"switches of others": {env: []string{"SA_HOOK_PROFILE=minimal", "SA_DISABLED_HOOKS=canary", "DCG_BYPASS=1", "HUSKY=0", "LEFTHOOK=0",
			"TELEMETRY_ENABLED=false", "SKIP=canary"}},
		"base directories": {env: []string{"XDG_CONFIG_HOME=" + empty, "XDG_STATE_HOME=" + empty, "XDG_CACHE_HOME=" + empty,
			"XDG_DATA_HOME=" + empty,
			"XDG_CONFIG_DIRS=" + empty, "XDG_RUNTIME_DIR=" + empty}},
		"home": {env: []string{"HOME=" + empty, "USERPROFILE=" + empty, "APPDATA=" + empty, "LOCALAPPDATA=" + empty,
			"ProgramData=" + empty, "USER=root", "LOGNAME=root"}},
		"no home": {env: []string{"HOME="}},
		"path":    {env: []string{"PATH=" + evil}},
		"no path": {env: []string{"PATH="}},
		"shells": {env: []string{"ENV=" + evil + "/rc", "BASH_ENV=" + evil + "/rc",
			"ZDOTDIR=" + evil, "SHELL=" + evil + "/trammel", "IFS=/", "SHELLOPTS=noexec", "BASH_FUNC_trammel-hook%%=() { exit 0; }",
			"POSIXLY_CORRECT=1", "CDPATH=" + evil}},
		"loader": {env: []string{"LD_PRELOAD=" + evil + "/none.so",
			"LD_LIBRARY_PATH=" + evil, "LD_AUDIT=" + evil + "/none.so", "DYLD_INSERT_LIBRARIES=" + evil + "/none"}},
		"Go's runtime": {env: []string{"GODEBUG=gctrace=0,execerrdot=0,panicnil=1,asyncpreemptoff=1", "GOMAXPROCS=1", "GOGC=1",
			"GOMEMLIMIT=1B", "GOTRACEBACK=none", "GOCOVERDIR=" + evil}},
		"the project": {env: []string{"CLAUDE_PROJECT_DIR=" + empty, "PWD=" + empty, "OLDPWD=" + empty, "TMPDIR=" + evil,
			"TZ=Pacific/Kiritimati", "LANG=xx", "GIT_DIR=" + empty, "GIT_WORK_TREE=" + empty, "GIT_CEILING_DIRECTORIES=/"}},
		"a looser file":     {file: "trammel.yaml", text: loose},
		"a file of garbage": {file: "trammel.yaml", text: "\x00{{{"},
		"another version":   {file: "trammel.yaml", text: "version: 1\nrequires: '>=99'\n"},
		"exceptions": {file: "trammel.yaml", text: "version: 1\n" +
			"exceptions: [{hook: canary, match: {project: '**'}, until: 2026-12-01, reason: x}]\n"},
		"settings": {file: "trammel.yaml", text: "version: 1\ndeadline: 1ms\nlimits: {payload: 1}\n" +
			"evidence: {on_error: warn}\nflow: {disabled: [canary]}\nrepository_hooks: false\n"},
		"a grant":             {file: "trammel.yaml", text: "version: 1\nhooks: [{id: a, on: pre_tool_use, allow: yes, may: grant}]\n"},
		"a bundle":            {file: "trammel.yaml", text: "version: 1\nextends: [{from: ../empty/trammel}]\n"},
		"a lock":              {file: "trammel.lock", text: "garbage"},
		"a program nearby":    {file: "trammel", text: "#!/bin/sh\nexit 0\n"},
		"another program":     {file: "trammel-hook", text: "#!/bin/sh\nexit 0\n"},
		"a mode":              {payload: `,"permission_mode":"bypassPermissions"`},
		"fields of ours":      {payload: `,"rehearsal":true,"trial":true,"paused":true,"again":true,"without":["canary"],"granted":true`},
		"another directory":   {payload: `,"project":"/","workspace":"/"`},
		"stopped already":     {payload: `,"stop_hook_active":true`},
		"an agent of its own": {payload: `,"agent_id":"x","agent_type":"trammel"`},
	} {
		t.Run(name, func(t *testing.T) {
			project := t.TempDir()
			if c.file != "" {
				if err := os.WriteFile(filepath.Join(project, c.file), []byte(c.text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("/bin/sh", "-c", line)
			cmd.Dir, cmd.Env = project, append(append([]string{}, d.env...), c.env...) // of two with one name the last counts
			cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","transcript_path":"/t","cwd":%q,"hook_event_name":"PreToolUse",`+
				`"tool_name":"Bash","tool_input":{"command":"touch x"},"tool_use_id":"t1"%s}`, project, c.payload))
			out, err := cmd.Output()
			denied := strings.Contains(string(out), `"permissionDecision":"deny"`)
			if rc := code(t, err); rc != 2 && (rc != 0 || !denied) {
				t.Errorf("exit code %d, %s", rc, out)
			} else if !denied && len(c.env) > 0 {
				t.Errorf("it was stopped, but not by the rule: exit code %d, %s", rc, out)
			}
		})
	}
}

// wiredLine is the command that an agent's settings have for tool calls.
func wiredLine(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal(data, &settings); err != nil || len(settings.Hooks["PreToolUse"]) == 0 {
		t.Fatalf("%v: %s", err, data)
	}
	return settings.Hooks["PreToolUse"][0].Hooks[0].Command
}
