package plugins

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/opencode"
	"github.com/trammel-dev/trammel/dialects/pi"
	"github.com/trammel-dev/trammel/internal/strict"
)

func TestFiles(t *testing.T) {
	for _, host := range []*dialects.Host{&opencode.Host, &pi.Host} {
		name := host.System
		make := func() []byte {
			return Make(*host.Wiring[0].Plugin, []string{`C:\Program Files\"x"\trammel-hook.exe`, "--state", "/s"},
				calls(host, 30*time.Second))
		}
		file := make()
		first, _, _ := strings.Cut(string(file), "\n")
		if !strings.HasPrefix(first, "// "+Owner) {
			t.Errorf("%s: the first line is %q", name, first)
		}
		if !bytes.Contains(file, []byte(`const HOOK = "C:\\Program Files\\\"x\"\\trammel-hook.exe";`)) {
			t.Errorf("%s: the path is not quoted", name)
		}
		if !bytes.Contains(file, []byte(`const ARGS = ["--state", "/s"];`)) || !bytes.Contains(file, []byte(`": 30000`)) ||
			len(file) >= 7<<10 || !bytes.Equal(file, make()) {
			t.Errorf("%s: %d bytes, or not the same twice, or another timeout", name, len(file))
		}
	}
}

var hosts = map[string]*dialects.Host{"opencode": &opencode.Host, "pi": &pi.Host}

// calls are the events of a host, each with the same timeout.
func calls(h *dialects.Host, wait time.Duration) []dialects.Call {
	var out []dialects.Call
	events := h.Events()
	for i := range events {
		if events[i].Wire != dialects.NotWired {
			out = append(out, dialects.Call{Event: &events[i], Timeout: wait})
		}
	}
	return out
}

// question is what the stand-in was asked.
type question struct {
	wait, host, event string
	payload           []byte
}

// play runs a file in the real node against the stand-in.
func play(t *testing.T, name, body, answer string, wait time.Duration, hook string) (got map[string]any, asked []question) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on this machine")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	dir := t.TempDir()
	if hook == "" {
		script, err := os.ReadFile("testdata/trammel-hook.sh")
		if err != nil {
			t.Fatal(err)
		}
		hook = filepath.Join(dir, "trammel hook") // a blank must not matter
		if err := os.WriteFile(hook, script, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, name+".mjs")
	if err := os.WriteFile(file, Make(body, []string{hook}, calls(hosts[name], wait)), 0o644); err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(dir, "seen")
	os.Mkdir(seen, 0o755)
	cmd := exec.Command(node, "testdata/"+name+".mjs", file)
	cmd.Env = append(os.Environ(), "SEEN="+seen, "ANSWER="+answer)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	if got, err = strict.Object(out, strict.Limits{}); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	calls, _ := filepath.Glob(filepath.Join(seen, "*.called"))
	for _, c := range calls {
		called, _ := os.ReadFile(c)
		payload, _ := os.ReadFile(strings.TrimSuffix(c, "called") + "json")
		words := strings.Fields(string(called))
		if len(words) != 3 {
			t.Fatalf("the program was called with %q", called)
		}
		asked = append(asked, question{words[0], words[1], words[2], payload})
	}
	return got, asked
}

// expect compares the named parts of what came of the events.
func expect(t *testing.T, got map[string]any, want map[string]string) {
	t.Helper()
	for key, text := range want {
		var w strict.Writer
		w.Value(got[key])
		if s := string(w.Bytes()); s != text && (!strings.HasPrefix(text, "~") || !strings.Contains(s, text[1:])) {
			t.Errorf("%s is %s, want %s", key, s, text)
		}
	}
}

// Ways in which there is no answer, and what the message then says.
func broken(dir string) map[string]struct{ answer, hook, says string } {
	plain := filepath.Join(dir, "plain")
	os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o644)
	return map[string]struct{ answer, hook, says string }{
		"crash":          {"crash", "", "SIGKILL"},
		"exit 1":         {"exit", "", "exit code 1: boom"},
		"hang":           {"hang", "", "no answer within"},
		"missing":        {"", filepath.Join(dir, "missing"), "cannot be started"},
		"no run bit":     {"", plain, "cannot be started"},
		"garbage":        {"hello", "", "not an answer"},
		"a list":         {"[]", "", "not an answer"},
		"noise first":    {"hm\n{}", "", "not an answer"},
		"unknown word":   {`{"blok":true}`, "", "not an answer"},
		"another type":   {`{"block":"yes"}`, "", "not an answer"},
		"args no object": {`{"args":["ls"]}`, "", "not an answer"},
		"half":           {`{"block":tr`, "", "not an answer"},
	}
}

const (
	whole     = `{"command":"ls","timeout":5}`
	patient   = 20 * time.Second
	impatient = 300 * time.Millisecond
)

func TestOpenCode(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		want   map[string]string
	}{
		"allow": {"", map[string]string{"exports": "1", "before": `""`, "args": whole, "inPlace": "true", "after": `""`, "output": `"said"`,
			"message": `""`, "logged": "false", "titleParts": "0"}},
		"deny": {`{"block":true,"reason":"no \"way\""}`, map[string]string{"before": `"no \"way\""`, "args": whole, "after": `"no \"way\""`,
			"message": `"no \"way\""`}},
		"rewrite": {`{"args":{"command":"ls -l"}}` + "\n", map[string]string{"before": `""`, "args": `{"command":"ls -l"}`, "inPlace": "true"}},
		"output":  {`{"output":""}`, map[string]string{"after": `""`, "output": `""`, "content": `[{"text":"","type":"text"}]`}},
		"context": {`{"context":"c"}`, map[string]string{"output": `"said\n\nc"`, "content": `[{"text":"said\n\nc","type":"text"}]`,
			"titleParts": "0",
			"parts": `[{"id":"prt_1","text":"please","type":"text"},{"id":"prt_10","messageID":"m","sessionID":"child","synthetic":true,` +
				`"text":"c","type":"text"}]`}},
		"notice": {`{"notice":"n"}`, map[string]string{"before": `""`, "logged": "true"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := play(t, "opencode", *opencode.Host.Wiring[0].Plugin, c.answer, patient, "")
			expect(t, got, c.want)
		})
	}
	for name, c := range broken(t.TempDir()) {
		t.Run(name, func(t *testing.T) {
			wait := patient
			if c.answer == "hang" {
				wait = impatient
			}
			got, _ := play(t, "opencode", *opencode.Host.Wiring[0].Plugin, c.answer, wait, c.hook)
			expect(t, got, map[string]string{"before": "~" + c.says, "args": whole, "after": `""`, "output": `"said"`, "message": `""`,
				"logged": "true"})
		})
	}
}

func TestPi(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		want   map[string]string
	}{
		"allow": {"", map[string]string{"input": "null", "start": "null", "call": "null", "args": whole, "result": "null", "sent": "[]",
			"told": "false"}},
		"deny": {`{"block":true,"reason":"no"}`, map[string]string{"input": `{"action":"handled"}`, "call": `{"block":true,"reason":"no"}`,
			"result": `{"content":[{"text":"no","type":"text"}],"isError":true}`, "told": "true"}},
		"rewrite": {`{"args":{"command":"ls -l"}}`, map[string]string{"call": "null", "args": `{"command":"ls -l"}`}},
		"prompt":  {`{"args":{"prompt":"q"}}`, map[string]string{"input": `{"action":"transform","text":"q"}`}},
		"output":  {`{"output":""}`, map[string]string{"result": `{"content":[{"text":"","type":"text"}],"isError":false}`}},
		"context": {`{"context":"c"}`, map[string]string{"start": `{"message":{"content":"c","customType":"trammel","display":false}}`,
			"result": `{"content":[{"text":"said","type":"text"},{"data":"x","type":"image"},{"text":"c","type":"text"}],"isError":false}`}},
		"continue": {`{"continue":"tests are red"}`, map[string]string{"sent": `[["tests are red","followUp"],["tests are red","followUp"]]`}},
		"notice":   {`{"notice":"n"}`, map[string]string{"call": "null", "told": "true"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := play(t, "pi", *pi.Host.Wiring[0].Plugin, c.answer, patient, "")
			expect(t, got, c.want)
		})
	}
	for name, c := range broken(t.TempDir()) {
		t.Run(name, func(t *testing.T) {
			wait := patient
			if c.answer == "hang" {
				wait = impatient
			}
			got, _ := play(t, "pi", *pi.Host.Wiring[0].Plugin, c.answer, wait, c.hook)
			expect(t, got, map[string]string{"call": "~" + c.says, "args": whole, "input": "null", "start": "null", "result": "null", "sent": "[]",
				"told": "true"})
			if call, _ := got["call"].(map[string]any); call["block"] != true {
				t.Errorf("not blocked: %v", got["call"])
			}
		})
	}
}

// FLOW-60: what the files send is what the dialects read, with nothing missing:
// the command, the session and its parents, where it is, and what was said.
func TestQuestionsAreUnderstood(t *testing.T) {
	for _, c := range []struct {
		name, body, answer string
		dialect            trammel.HostDialect
		kinds              map[string]trammel.Kind
	}{
		{"opencode", *opencode.Host.Wiring[0].Plugin, "", &opencode.Dialect, map[string]trammel.Kind{"plugin.init": trammel.SessionStart,
			"session.created":     trammel.SessionStart,
			"tool.execute.before": trammel.PreToolUse, "tool.execute.after": trammel.PostToolUse, "chat.message": trammel.UserPromptSubmit}},
		{"pi", *pi.Host.Wiring[0].Plugin, `{"continue":"x"}`, &pi.Dialect, map[string]trammel.Kind{"session_start": trammel.SessionStart,
			"session_shutdown": trammel.SessionEnd, "input": trammel.UserPromptSubmit,
			"before_agent_start": trammel.TurnStart, "tool_call": trammel.PreToolUse, "tool_result": trammel.PostToolUse,
			"agent_end": trammel.Stop}},
	} {
		_, asked := play(t, c.name, c.body, c.answer, patient, "")
		seen := map[string]bool{}
		active := 0
		for _, q := range asked {
			seen[q.event] = true
			ev, err := c.dialect.DecodeEvent(q.payload, q.event)
			if err != nil || q.host != c.name || q.wait != fmt.Sprintf("--wait=%dms", patient.Milliseconds()) || ev.Kind != c.kinds[q.event] {
				t.Errorf("%s %s %s: kind %v, %v: %s", q.wait, q.host, q.event, ev.Kind, err, q.payload)
				continue
			}
			if s := ev.Session; s.Dir == "" || s.ID == "" && q.event != "plugin.init" {
				t.Errorf("%s: session %+v", q.event, s)
			}
			if ev.Tool != nil && (ev.Tool.Action.Command != "ls" || ev.Tool.ID != "c" || ev.Tool.Done && ev.Tool.Output != "said") {
				t.Errorf("%s: %+v", q.event, ev.Tool)
			}
			if c.name == "opencode" && ev.Tool != nil && (len(ev.Session.Parents) != 1 || ev.Session.Parents[0] != "root" ||
				ev.Session.Project != "/p") {
				t.Errorf("%s: %+v", q.event, ev.Session)
			}
			if ev.Kind == trammel.UserPromptSubmit && ev.Prompt.Text != "please" {
				t.Errorf("%s: %+v", q.event, ev.Prompt)
			}
			if ev.Kind == trammel.Stop {
				if ev.Stop.Message != "FINAL" {
					t.Errorf("%+v", ev.Stop)
				}
				if ev.Stop.Active {
					active++
				}
			}
		}
		for event := range seen { // what the code asks about, and what the table says is wired
			if e := hosts[c.name].Event(event); e == nil || e.Wire == dialects.NotWired {
				t.Errorf("%s: %s is asked about, and the table of events says that it is not wired", c.name, event)
			}
		}
		if len(seen) != len(c.kinds) {
			t.Errorf("%s: asked about %v, want %v", c.name, seen, c.kinds)
		}
		if c.name == "pi" && active != 1 {
			t.Errorf("%d of the ends were known to be ours, want 1", active)
		}
	}
}
