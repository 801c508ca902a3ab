// Package demo plays a guarded agent session: a scripted agent calls tools, a
// real trammel-hook judges each call from its own process, and the demo does
// what a host would do with the answers. Everything happens in a temporary
// directory.
package demo

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/layers"
)

// Demo is one playing of the session.
type Demo struct {
	Out io.Writer
	// Human answers questions. Nil means that there is no terminal.
	Human io.Reader
	// Trammel and Hook are the two programs.
	Trammel, Hook string
	Bold, Off     string
	// Patience is how long a person has to approve until the script does.
	Patience time.Duration

	dir, project string
	env          []string
	flags        []string // for both programs: their directories
	session      string
}

// dryDeploys is a rule of both demos.
const dryDeploys = `  - id: deploys-are-dry
    on: PreToolUse
    match: { program: deploy.sh }
    rewrite:
      when: '!args.has("--dry-run")'
      input: { command: 'command + " --dry-run"' }
`

const policy = `version: 1
hooks:
  - id: no-force-push
    on: PreToolUse
    match: { program: git }
    deny:
      when: args.has("push") && (args.has("--force", "-f") || args.starts("+"))
      reason: Force-push is off. Push a branch and open a pull request.

` + dryDeploys + `
  - id: releases-need-a-human
    on: PreToolUse
    match: { program: release.sh }
    ask:
      reason: "This publishes a release: ${command}"

  - id: payments-need-people
    on: PreToolUse
    match: { program: pay.sh }
    approve: { reason: "Money leaves the company: ${command}", mode: block }

  - id: secrets-stay-closed
    on: PreToolUse
    match: { action: [read, write, edit], path: ".env*" }
    deny: Files with secrets are not for agents. Use the variables that are set.
`

// step is a tool call that the scripted agent wants to make.
type step struct {
	says  string
	tool  string
	input map[string]any
}

var script = []step{
	{"I will overwrite the branch.", "Bash", map[string]any{"command": "cd . && git push --forc origin main"}},
	{"Let me look for credentials.", "Read", map[string]any{"file_path": ".env"}},
	{"I deploy the service.", "Bash", map[string]any{"command": "./deploy.sh billing"}},
	{"I publish the release.", "Bash", map[string]any{"command": "./release.sh 2.0"}},
}

// Play runs the session and checks the evidence that it left.
func (d *Demo) Play() error {
	if err := d.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(d.dir)
	d.say("An agent at work in %s, guarded by this trammel.yaml:\n\n%s", d.project, indent(policy))
	for _, s := range script {
		if err := d.play(s); err != nil {
			return err
		}
	}
	if err := d.approve(); err != nil {
		return err
	}
	return d.evidence()
}

func (d *Demo) prepare() error {
	dir, err := os.MkdirTemp("", "trammel-demo-*")
	if err != nil {
		return err
	}
	d.dir, d.project, d.session = dir, filepath.Join(dir, "project"), "demo-session"
	d.env = append(os.Environ(), "HOME="+dir, "CLAUDE_PROJECT_DIR="+d.project)
	d.flags = []string{layers.UserFlag, filepath.Join(dir, "config"), layers.StateFlag, filepath.Join(dir, "state")}
	if err := os.Mkdir(filepath.Join(dir, "state"), 0o700); err != nil {
		return err
	}
	files := map[string]string{
		"config/trammel.yaml": policy,
		"project/deploy.sh":   "#!/bin/sh\necho \"deployed $*\"\n",
		"project/release.sh":  "#!/bin/sh\necho \"released $*\"\n",
		"project/pay.sh":      "#!/bin/sh\necho \"paid $*\"\n",
		"project/.env":        "TOKEN=demo\n",
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			return err
		}
	}
	return os.Chmod(filepath.Join(dir, "config/trammel.yaml"), 0o600)
}

// answer is the part of Claude Code's hook answer that the demo acts on.
type answer struct {
	Specific struct {
		Decision string         `json:"permissionDecision"`
		Reason   string         `json:"permissionDecisionReason"`
		Input    map[string]any `json:"updatedInput"`
	} `json:"hookSpecificOutput"`
}

// play makes one tool call the way a host does: ask the hook, obey, run.
func (d *Demo) play(s step) error {
	d.say("%sagent:%s %s\n       %s %s\n", d.Bold, d.Off, s.says, s.tool, show(s.input))
	ans, err := d.ask(s)
	if err != nil {
		return err
	}
	switch ans.Specific.Decision {
	case "deny":
		d.say("%strammel: denied.%s The model is told: %s\n\n", d.Bold, d.Off, ans.Specific.Reason)
		return nil
	case "ask":
		d.say("%strammel: a human must decide.%s %s\n", d.Bold, d.Off, ans.Specific.Reason)
		if !d.confirm() {
			d.say("         It does not run.\n\n")
			return nil
		}
	}
	if ans.Specific.Input != nil {
		d.say("%strammel: rewritten to%s %s\n", d.Bold, d.Off, show(ans.Specific.Input))
		s.input = ans.Specific.Input
	}
	cmd := exec.Command("sh", "-c", s.input["command"].(string))
	cmd.Dir = d.project
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("running the tool: %w: %s", err, out)
	}
	d.say("tool:  %s\n\n", bytes.TrimSpace(out))
	return nil
}

func (d *Demo) ask(s step) (answer, error) {
	var ans answer
	payload, err := json.Marshal(map[string]any{"session_id": d.session, "cwd": d.project, "hook_event_name": "PreToolUse",
		"permission_mode": "default", "tool_name": s.tool, "tool_input": s.input, "tool_use_id": "demo"})
	if err != nil {
		return ans, err
	}
	out, err := d.run(payload, d.Hook, "claude-code", "PreToolUse")
	if err != nil {
		return ans, err
	}
	if len(out) > 0 {
		err = json.Unmarshal(out, &ans)
	}
	return ans, err
}

func (d *Demo) confirm() bool {
	if d.Human == nil {
		d.say("         There is no terminal to ask on.\n")
		return false
	}
	d.say("         Let it run? [y/N] ")
	line, _ := bufio.NewReader(d.Human).ReadString('\n')
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "y")
}

// evidence verifies the record of the session, and then shows that a changed
// byte does not go unnoticed.
func (d *Demo) evidence() error {
	d.say("%sWhat was recorded:%s\n", d.Bold, d.Off)
	for _, args := range [][]string{{"evidence", "list"}, {"evidence", "verify"}} {
		out, err := d.run(nil, d.Trammel, args...)
		if err != nil {
			return err
		}
		d.say("$ trammel %s\n%s\n", strings.Join(args, " "), out)
	}
	logs, err := filepath.Glob(filepath.Join(d.dir, "state/evidence/*/current.jsonl"))
	if err != nil || len(logs) != 1 {
		return fmt.Errorf("expected one evidence file, found %v", logs)
	}
	data, err := os.ReadFile(logs[0])
	if err != nil {
		return err
	}
	tampered := bytes.Replace(data, []byte(`"decision":"deny"`), []byte(`"decision":"allow"`), 1)
	if err := os.WriteFile(logs[0], tampered, 0o600); err != nil {
		return err
	}
	d.say("%sNow somebody turns a deny into an allow in that file:%s\n$ trammel evidence verify\n", d.Bold, d.Off)
	out, err := d.run(nil, d.Trammel, "evidence", "verify")
	if err == nil {
		return fmt.Errorf("the change went unnoticed: %s", out)
	}
	d.say("%s\n", out)
	return nil
}

// run starts a program in the project. Output that comes with a failure is
// returned too: for verify it is what was asked for.
func (d *Demo) run(stdin []byte, program string, args ...string) ([]byte, error) {
	cmd := exec.Command(program, append(slices.Clone(d.flags), args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = d.project, d.env, bytes.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err, stderr.String())
	}
	return stdout.Bytes(), err
}

func (d *Demo) say(format string, args ...any) { fmt.Fprintf(d.Out, format, args...) }

func show(input map[string]any) string {
	out, err := json.Marshal(input)
	if err != nil {
		return fmt.Sprint(input)
	}
	return strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(string(out))
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ") + "\n\n"
}
