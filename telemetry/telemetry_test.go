package telemetry

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"

// busy is an event with a word in every field that tells where it went.
func busy(kind trammel.Kind) *trammel.Event {
	return &trammel.Event{Kind: kind, Name: "PostToolUse", Host: "claude-code", Time: time.UnixMilli(1700000000123),
		Session: trammel.Session{ID: "sess", Dir: "/home/CWD", Project: "/home/CWD", Agent: "AGENT", Model: "m", Transcript: "/home/CWD/t.jsonl"},
		Prompt:  &trammel.Prompt{Text: "PROMPT"},
		Raw:     []byte(`{"tool_input":{"x":"INPUT"},"prompt":"PROMPT","cwd":"/home/CWD","tool_response":"OUTPUT"}`),
		Tool: &trammel.ToolCall{Name: "Task", Input: map[string]any{"prompt": "QUERY", "x": "INPUT"}, Done: true, Failed: true,
			Output: "OUTPUT", Error: "OUTPUT",
			Action: trammel.Action{Kind: trammel.AgentAction, Agent: "researcher"}}}
}

func emit(t *testing.T, ev *trammel.Event, channels ...Channel) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := Emit(t.Context(), ev, Settings{Dir: dir, Channels: channels}); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, c := range channels {
		data, err := os.ReadFile(filepath.Join(dir, c.Name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(data) {
			t.Errorf("%s: %s", c.Name, data)
		}
		out[c.Name] = string(data)
	}
	return out
}

// FLOW-10: the defaults are those of the seed's table, field by field.
func TestFLOW10Defaults(t *testing.T) {
	for channel, want := range map[string]string{
		"full":      "hook.raw_input turn.prompt_text tool.input tool.output",
		"analytics": "tool.input tool.output turn.prompt_text delegation.targets.query context.cwd hook.raw_input",
	} {
		c := Full()
		if channel == "analytics" {
			c = Analytics()
		}
		if got := strings.Join(c.Redact, " "); got != want || c.Name != channel {
			t.Errorf("%s: %s, want %s", c.Name, got, want)
		}
		if err := Check(c.Redact); err != nil {
			t.Error(err)
		}
	}
	got := emit(t, busy(trammel.PostToolUse), Full(), Analytics())
	for channel, words := range map[string]map[string]bool{
		"full": {"PROMPT": false, "INPUT": false, "OUTPUT": false, "QUERY": true, "/home/CWD": true, "t.jsonl": false, "AGENT": true,
			"researcher": true},
		"analytics": {"PROMPT": false, "INPUT": false, "OUTPUT": false, "QUERY": false, "/home/CWD": false, "t.jsonl": false, "AGENT": true,
			"researcher": true},
	} {
		for word, want := range words {
			if strings.Contains(got[channel], word) != want {
				t.Errorf("%s shows %s: %v, want %v: %s", channel, word, !want, want, got[channel])
			}
		}
	}
	if full := emit(t, busy(trammel.PostToolUse), Analytics(), Full())["full"]; !strings.Contains(full, "/home/CWD") ||
		!strings.Contains(full, "QUERY") {
		t.Errorf("one channel takes from the other: %s", full)
	}
	for _, field := range []string{`"raw_input":null`, `"prompt_text":null`, `"input":null`, `"output":null`, `"error":null`, `"query":null`,
		`"cwd":null`, `"prompt_length":6`} {
		if !strings.Contains(got["analytics"], field) {
			t.Errorf("no %s in %s", field, got["analytics"])
		}
	}
}

// The record, as a reader of Flow Agents finds it.
func TestRecord(t *testing.T) {
	ev := busy(trammel.PostToolFailure)
	ev.Outcome = &trammel.Answer{Decision: trammel.Deny, Reason: "REASON", Findings: []trammel.Finding{{Code: "x"}}}
	line, err := Channel{Name: "all"}.line(record(ev, "kiro"), false)
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Schema_version, Timestamp, Session_id, Event_id, Event_type string
		Agent                                                       struct{ Name, Runtime string }
		Hook                                                        struct {
			Event_name string
			Raw_input  map[string]any
		}
		Context    struct{ Cwd string }
		Turn       struct{ Prompt_text string }
		Tool       struct{ Name, Output, Error, Action string }
		Delegation struct {
			Targets []struct{ Agent, Query string }
		}
		Policy struct{ Decision string }
	}
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatal(err)
	}
	if m.Schema_version != "0.3.0" || m.Timestamp != "1700000000123" || m.Session_id != "sess" || len(m.Event_id) != 32 ||
		m.Event_type != "postToolUse" ||
		m.Agent.Name != "AGENT" || m.Agent.Runtime != "kiro" || m.Hook.Event_name != "PostToolUse" || m.Hook.Raw_input["prompt"] != "PROMPT" ||
		m.Context.Cwd != "/home/CWD" ||
		m.Turn.Prompt_text != "PROMPT" || m.Tool.Output != "OUTPUT" || m.Tool.Error != "OUTPUT" || m.Tool.Action != "agent" ||
		len(m.Delegation.Targets) != 1 || m.Delegation.Targets[0].Query != "QUERY" || m.Policy.Decision != "deny" ||
		strings.Contains(string(line), "REASON") {
		t.Errorf("%+v\n%s", m, line)
	}
}

// FLOW-10: the canonical events of the seed, and no others.
func TestFLOW10Events(t *testing.T) {
	want := map[trammel.Kind]string{trammel.SessionStart: "agentSpawn", trammel.UserPromptSubmit: "userPromptSubmit",
		trammel.PreToolUse:        "preToolUse",
		trammel.PermissionRequest: "permissionRequest", trammel.PostToolUse: "postToolUse", trammel.PostToolFailure: "postToolUse",
		trammel.Stop:       "stop",
		trammel.SessionEnd: "stop", trammel.SubagentStart: "subagentStart", trammel.SubagentStop: "subagentStop"}
	for _, kind := range trammel.Kinds() {
		if got := Canonical(kind); got != want[kind] || slices.Contains(Kinds(), kind) != (got != "") {
			t.Errorf("%s is %q, want %q", kind, got, want[kind])
		}
	}
	dir := t.TempDir()
	if err := Emit(t.Context(), busy(trammel.TurnStart), Settings{Dir: filepath.Join(dir, "x"), Channels: []Channel{Full()}}); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Error("an event without a name was reported")
	}
}

// FLOW-11: the variables replace the defaults.
func TestFLOW11Environment(t *testing.T) {
	for name, c := range map[string]struct {
		env             map[string]string
		full, analytics string
		off             bool
	}{
		"nothing": {nil, "hook.raw_input turn.prompt_text tool.input tool.output", strings.Join(Analytics().Redact, " "), false},
		"another list": {map[string]string{"TELEMETRY_CHANNEL_FULL_REDACT": "tool.input, context.cwd ,"}, "tool.input context.cwd",
			strings.Join(Analytics().Redact, " "), false},
		"both": {map[string]string{"TELEMETRY_CHANNEL_FULL_REDACT": "tool", "TELEMETRY_CHANNEL_ANALYTICS_REDACT": "turn,tool"},
			"tool", "turn tool", false},
		"none": {map[string]string{"TELEMETRY_CHANNEL_FULL_REDACT": "none"}, "", strings.Join(Analytics().Redact, " "), false},
		"empty": {map[string]string{"TELEMETRY_CHANNEL_FULL_REDACT": " , "}, strings.Join(Full().Redact, " "),
			strings.Join(Analytics().Redact, " "), false},
		"a typing error": {map[string]string{"TELEMETRY_CHANNEL_FULL_REDACT": "tool.inputs"}, strings.Join(Full().Redact, " ") + " tool.inputs",
			strings.Join(Analytics().Redact, " "), false},
		"one channel": {map[string]string{"TELEMETRY_CHANNELS": "analytics"}, "-", strings.Join(Analytics().Redact, " "), false},
		"off":         {map[string]string{"TELEMETRY_ENABLED": "false"}, "", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, v := range []string{"TELEMETRY_CHANNEL_FULL_REDACT", "TELEMETRY_CHANNEL_ANALYTICS_REDACT", "TELEMETRY_CHANNELS",
				"TELEMETRY_ENABLED", "TELEMETRY_DATA_DIR", "FLOW_AGENTS_TELEMETRY_RUNTIME"} {
				t.Setenv(v, c.env[v])
			}
			s := Settings{Channels: []Channel{Full(), Analytics()}}
			if on := s.Environment(); on == c.off {
				t.Fatal(on)
			}
			if c.off {
				return
			}
			got := map[string]string{"full": "-", "analytics": "-"}
			for _, ch := range s.Channels {
				got[ch.Name] = strings.Join(ch.Redact, " ")
			}
			if got["full"] != c.full || got["analytics"] != c.analytics {
				t.Errorf("%q", got)
			}
		})
	}
	t.Setenv("TELEMETRY_DATA_DIR", "/data")
	t.Setenv("FLOW_AGENTS_TELEMETRY_RUNTIME", "kiro-cli")
	var s Settings
	if s.Environment(); s.Dir != "/data" || s.Runtime != "kiro-cli" {
		t.Errorf("%+v", s)
	}
}

// FLOW-12: no secret is shown, in whatever field and whatever the lists say.
func TestFLOW12Secrets(t *testing.T) {
	ev := busy(trammel.PreToolUse)
	ev.Raw = []byte(`{"note":"` + token + `"}`)
	ev.Prompt.Text = "use " + token
	ev.Session.Agent, ev.Session.ID, ev.Session.Dir, ev.Source = token, "id "+token, "/x/"+token, token
	ev.Tool.Name = "run " + token
	ev.Tool.Input = map[string]any{"prompt": token, "deep": []any{map[string]any{"password": "hunter2hunter2"}}, token: 1}
	ev.Tool.Output, ev.Tool.Error = token, token
	ev.Tool.Action.Agent = token
	line := emit(t, ev, Channel{Name: "all"})["all"]
	if strings.Contains(line, token) || strings.Contains(line, "hunter2") {
		t.Errorf("%s", line)
	}
	ev = busy(trammel.PostToolUse)
	ev.Tool.Action = trammel.Action{Kind: trammel.ReadAction, Paths: []string{"/p/.env"}}
	ev.Tool.Input, ev.Raw = map[string]any{"file_path": "/p/.env"}, nil
	if line := emit(t, ev, Channel{Name: "all"})["all"]; strings.Contains(line, "OUTPUT") {
		t.Errorf("the content of a file with secrets is shown: %s", line)
	}
}

// A list that shows the payload and hides what is in it hides the payload, too.
func TestNothingIsShownTwice(t *testing.T) {
	for _, field := range []string{toolInput, toolOutput, promptText, cwd, delegated} {
		line := emit(t, busy(trammel.PostToolUse), Channel{"x", []string{field}})["x"]
		if !strings.Contains(line, `"raw_input":null`) {
			t.Errorf("%s is in the payload: %s", field, line)
		}
	}
	if line := emit(t, busy(trammel.PostToolUse), Channel{"x", []string{delegated}})["x"]; strings.Contains(line, "QUERY") {
		t.Errorf("the query is in the input: %s", line)
	}
	if line := emit(t, busy(trammel.PostToolUse), Channel{"x", []string{"tool", "turn", "hook", "context",
		"delegation"}})["x"]; strings.Contains(line, "PUT") || strings.Contains(line, "PROMPT") {
		t.Error(line)
	}
}

func TestLongTextsAreLeftOut(t *testing.T) {
	ev := busy(trammel.PostToolUse)
	ev.Tool.Output = strings.Repeat("long ", 1<<20)
	if line := emit(t, ev, Channel{Name: "all"})["all"]; len(line) > 4096 || !strings.Contains(line, `"truncated":true`) {
		t.Errorf("%d bytes: %.300s", len(line), line)
	}
}

// The channels do not change the event that other observers see.
func TestTheEventStaysAsItIs(t *testing.T) {
	ev := busy(trammel.PostToolUse)
	before, _ := json.Marshal(ev.Tool)
	emit(t, ev, Full(), Analytics())
	if after, _ := json.Marshal(ev.Tool); string(after) != string(before) {
		t.Errorf("%s", after)
	}
}

func FuzzEmit(f *testing.F) {
	f.Add([]byte(`{"a":"`+token+`"}`), "tool.input", "x")
	f.Fuzz(func(t *testing.T, raw []byte, field, text string) {
		ev := busy(trammel.PreToolUse)
		ev.Raw, ev.Tool.Name, ev.Prompt.Text = raw, text, text
		ev.Tool.Input = map[string]any{text: text, field: []any{text}}
		for _, c := range []Channel{Full(), {"x", []string{field}}, {"y", nil}} {
			if line, err := c.line(record(ev, ""), false); err != nil || !json.Valid(line) || strings.Contains(string(line), "\n") {
				t.Errorf("%q, %v", line, err)
			}
		}
	})
}

func BenchmarkEmit(b *testing.B) {
	s := Settings{Dir: b.TempDir(), Channels: []Channel{Full(), Analytics()}, Size: 1 << 20}
	ev := busy(trammel.PostToolUse)
	for b.Loop() {
		if err := Emit(b.Context(), ev, s); err != nil {
			b.Fatal(err)
		}
	}
}
