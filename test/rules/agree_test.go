//go:build unix

package rules

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/test/testfile"
)

// payloads are what agents send about a command.
var payloads = map[string]string{
	"claude-code": `{"transcript_path":"/x","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash"}`,
	"codex": `{"turn_id":"t","transcript_path":null,"model":"m","permission_mode":"default","hook_event_name":"PreToolUse",` +
		`"tool_name":"Bash","tool_use_id":"u"}`,
	"gemini-cli": `{"transcript_path":"/x","timestamp":"2026-01-01T00:00:00Z","hook_event_name":"BeforeTool","tool_name":"run_shell_command"}`,
}

// enforcement 3: explain says what a hook program does about the same payload, and names
// the effect that a program as a hook is told.
func TestExplainAgreesWithTheHook(t *testing.T) {
	m := machineWith(t, "")
	told := filepath.Join(filepath.Dir(m.project), "told")
	script := filepath.Join(filepath.Dir(m.project), "tell.sh")
	testfile.Write(t, script, "#!/bin/sh\nprintf '%s|%s' \"$TRAMMEL_PATH\" \"$TRAMMEL_COMMAND\" > "+told+"\n", 0o700)
	testfile.Write(t, filepath.Join(filepath.Dir(m.project), "user/trammel.yaml"), `version: 1
preset: standard
hooks:
  - { id: told, on: PreToolUse, match: { program: [git, rm, touch, curl, cat, sed] }, exec: [`+script+`] }
`+strings.TrimPrefix(readme, "\n"), 0o600)
	calls, decided := 0, map[string]int{}
	for i, line := range commands(t) {
		if i%3 != 0 && testing.Short() {
			continue
		}
		for host, payload := range payloads {
			calls++
			data := m.payload(t, payload, line, "s"+strconv.Itoa(calls))
			dialect, _ := m.Dialects.Host(host)
			ev, err := dialect.DecodeEvent(data, "")
			if err != nil {
				t.Fatal(err)
			}
			os.Remove(told)
			judged, hooks, err := m.Explain(context.Background(), ev, []string{m.project})
			if err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(told)
			for j := range hooks {
				if hooks[j].Hook.ID == "told" && len(before) > 0 && string(before) != "|"+line {
					checkTold(t, line, hooks[j].Target.What, "", strings.TrimPrefix(string(before), "|"))
				}
			}
			os.Remove(told)
			got := decisionOf(t, m.Answer(context.Background(), pipeline.Call{Host: host, Payload: data, Dir: m.project, Getenv: os.Getenv}))
			after, _ := os.ReadFile(told)
			want := judged.Verdict.Decision
			if decided[want.String()]++; want == trammel.Ask && host != "claude-code" {
				want = trammel.Deny // it cannot ask
			}
			if got != want.String() || string(before) != string(after) {
				t.Errorf("%s: %s\nexplain %s, told %q\nhook %s, told %q", host, line, want, before, got, after)
			}
		}
	}
	if t.Logf("%d calls: %v", calls, decided); calls < 300 || len(decided) < 3 {
		t.Errorf("%d calls, %v: that proves little", calls, decided)
	}
}

// commands are the commands of two files of rules and calls.
func commands(t *testing.T) (out []string) {
	t.Helper()
	for _, name := range []string{"fourth", "fifth"} {
		data, err := os.ReadFile("testdata/people-" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		var some []string
		for line := range strings.Lines(string(data)) {
			if _, command, ok := strings.Cut(line, " Bash "); ok && line[0] != '#' && line[0] != ' ' {
				some = append(some, strings.ReplaceAll(strings.TrimSpace(command), `\n`, "\n"))
			}
		}
		out = append(out, some[:min(len(some), 110)]...)
	}
	return out
}

// payload is a payload with a command in a session of its own.
func (m *machine) payload(t *testing.T, payload, command, session string) []byte {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(payload), &all); err != nil {
		t.Fatal(err)
	}
	all["session_id"], all["cwd"], all["tool_input"] = session, m.project, map[string]any{"command": command}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// decisionOf is the decision in a reply to one of these agents.
func decisionOf(t *testing.T, reply trammel.Reply) string {
	t.Helper()
	var out struct {
		Decision           string
		HookSpecificOutput struct{ PermissionDecision string }
	}
	if len(reply.Stdout) > 0 {
		if err := json.Unmarshal(reply.Stdout, &out); err != nil {
			t.Fatalf("%s: %v", reply.Stdout, err)
		}
	}
	switch {
	case reply.Exit == 2 || out.Decision == "block":
		return "deny"
	case out.HookSpecificOutput.PermissionDecision != "":
		return out.HookSpecificOutput.PermissionDecision
	case out.Decision != "":
		return out.Decision
	}
	return "none"
}
