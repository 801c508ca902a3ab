//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// notRun are examples that are not run, by a part of them, and why.
var notRun = map[string]string{
	"trammel demo": "plays for a long time", "trammel watch": "waits for a person", "trammel serve": "serves until it is stopped",
	"--http": "serves until it is stopped", "--listen": "serves until it is stopped", "tail": "waits for records",
	"claude mcp add": "another program", "npx": "another program", "make test": "another program", "apt": "another program",
	"https://": "another machine", "~/keys": "keys at home", "--canary": "starts agents", "man ": "writes pages",
}

// jsonKey is the style of all keys; byName are keys of which the values are objects
// whose keys are names of something else.
var (
	jsonKey = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	byName  = map[string]bool{"aliases": true, "payload": true, "input": true, "properties": true}
)

func wrongKeys(v any) (wrong []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if !jsonKey.MatchString(key) {
				wrong = append(wrong, key)
			}
			if !byName[key] {
				wrong = append(wrong, wrongKeys(value)...)
			}
		}
	case []any:
		for _, value := range v {
			wrong = append(wrong, wrongKeys(value)...)
		}
	}
	return wrong
}

// Issue 13: every example of --help is run, with --json if its command has that.
// With it, stdout has JSON and nothing else, also if the command fails, and all
// keys are written alike. A command that fails says why.
func TestExamplesRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs the program some 200 times")
	}
	d := newTestDesk(t)
	d.write(filepath.Join(d.project, "trammel_test.yaml"),
		"tests:\n  - {name: drops, on: PreToolUse, tool: drop, input: {}, expect: {decision: deny}}\n")
	d.write(filepath.Join(d.project, "payload.json"), `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	d.write(filepath.Join(d.project, "trammel.yaml"), "version: 1\nhooks:\n  - {id: x, on: PreToolUse, match: {program: x}, deny: No x.}\n")
	d.call("drop", "{}")
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			d.runExample(strings.TrimSpace(line))
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root())
}

func (d *testDesk) runExample(line string) {
	for part := range notRun {
		if strings.Contains(line+" ", part) {
			return
		}
	}
	calls := callsIn(d.t, line)
	of, _, err := root().Find(calls[len(calls)-1])
	if err != nil {
		d.t.Fatal(err)
	}
	asJSON := of.Flag("json") != nil && !strings.Contains(line, ">")
	if asJSON && !strings.Contains(line, "--json") {
		if before, after, found := strings.Cut(line, " < "); found {
			line = before + " --json < " + after
		} else {
			line += " --json"
		}
	}
	ctx, stop := context.WithTimeout(d.t.Context(), time.Minute)
	defer stop()
	sh := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	sh.Env, sh.Dir = d.env, d.project
	var stdout, stderr bytes.Buffer
	sh.Stdout, sh.Stderr = &stdout, &stderr
	failed := sh.Run()
	silent := stdout.Len()+stderr.Len() == 0 && !strings.Contains(line, ">")
	if code := sh.ProcessState.ExitCode(); failed != nil && (code < 1 || code > 4 || silent) {
		d.t.Errorf("%s: %v\n%s%s", line, failed, &stdout, &stderr)
	}
	if strings.Contains(stderr.String(), "panic: ") || strings.Contains(stderr.String(), "unknown flag") {
		d.t.Errorf("%s: %s", line, &stderr)
	}
	if !asJSON {
		return
	}
	if failed == nil && stdout.Len() == 0 {
		d.t.Errorf("%s: prints nothing", line)
	}
	for dec := json.NewDecoder(&stdout); ; {
		var v any
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			d.t.Errorf("%s: stdout is not JSON: %v", line, err)
			return
		}
		if wrong := wrongKeys(v); wrong != nil {
			d.t.Errorf("%s: the keys %q are not written like the others: %s", line, wrong, jsonKey)
		}
	}
}
