//go:build unix

package main

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A question that becomes a request is judged by both programs, as the small one
// hands it on. It is still one call: policies that count calls count it once.
func TestAQuestionCountsOnce(t *testing.T) {
	t.Parallel()
	for policy, c := range map[string]struct{ with, full string }{
		"rate-limit":    {"{limits: [{max: 3, per: 1h}]}", "called too often"},
		"budget":        {"{max_tool_calls: 3}", "budget"},
		"loop-detector": {"{max: 4}", "in a row"},
	} {
		t.Run(policy, func(t *testing.T) {
			d := newTestDesk(t)
			d.write(filepath.Join(d.home, ".config/trammel/trammel.yaml"), `version: 1
approvals: {ask: true, terms: {mode: park}}
hooks:
  - {id: sure, on: pre_tool_use, match: {program: pay}, ask: Is that right?}
  - {id: counts, on: pre_tool_use, match: {program: pay}, use: `+policy+`, with: `+c.with+`}
`)
			d.codex("ls") // compiles the configuration, so that the small program can judge
			for n := 1; n <= 4; n++ {
				out := d.codex("pay 5")
				if waits := strings.Contains(out, "is waiting for an answer"); waits != (n <= 3) || !waits && !strings.Contains(out, c.full) {
					t.Errorf("call %d: %s", n, out)
				}
			}
		})
	}
}

// codex plays a command of an agent that cannot ask its user.
func (d *testDesk) codex(command string) string {
	cmd := d.command("trammel-hook", "codex", "PreToolUse")
	d.calls++
	cmd.Stdin = strings.NewReader(`{"session_id":"s","turn_id":"t","cwd":"` + d.project + `","hook_event_name":"PreToolUse","model":"m",` +
		`"permission_mode":"default","transcript_path":null,"tool_name":"Bash","tool_use_id":"c` +
		strconv.Itoa(d.calls) + `","tool_input":{"command":"` + command + `"}}`)
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// An approval is for one call: a host that gives the next one the same id gets the
// same answer only until the call has ended.
func TestOneCallOfAnID(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	event := func(kind string) string {
		cmd := d.command("trammel-hook", "native")
		cmd.Stdin = strings.NewReader(`{"event":"` + kind + `","session":{"id":"s","dir":"` + d.project +
			`"},"tool":{"id":"call_0","name":"pay","input":` + payment + `}}`)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	event("pre_tool_use")
	d.approve(d.pending())
	for range 2 { // as two files wire it
		if out := event("pre_tool_use"); strings.Contains(out, refusal) {
			t.Fatal(out)
		}
	}
	event("post_tool_use")
	if out := event("pre_tool_use"); !strings.Contains(out, refusal) {
		t.Errorf("the next call passes: %s", out)
	}
}
