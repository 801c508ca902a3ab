package native

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect = Dialect{}
	_ trammel.HookDialect = Dialect{}
)

// What another system calls its events is known once its dialect is linked.
func init() {
	trammel.Spell("test", func(add func(system, name string, kind trammel.Kind)) {
		add("gemini-cli", "BeforeTool", trammel.PreToolUse)
	})
}

func TestDecodes(t *testing.T) { dialectsuite.Decodes(t, Dialect{}) }

func TestHostile(t *testing.T) {
	dialectsuite.Hostile(t, Dialect{}, dialectsuite.Wire{
		Good:       `{"event":"pre_tool_use","session":{"id":"s"},"tool":{"name":"Bash","input":{"command":"ls"}}}`,
		EventField: `"event":"pre_tool_use",`, ToolKey: "name", ToolName: "Bash", Input: `{"command":"ls"}`,
		Event: "pre_tool_use", OtherEvent: "notification",
	})
}

func TestEncodes(t *testing.T) {
	var events []*trammel.Event
	for _, kind := range []trammel.Kind{trammel.PreToolUse, trammel.PostToolUse, trammel.UserPromptSubmit, trammel.Stop, trammel.SessionEnd,
		trammel.Other} {
		ev := &trammel.Event{Kind: kind, Name: kind.String(), Host: "native"}
		if strings.Contains(ev.Name, "tool") {
			ev.Tool = &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": "ls"}}
		}
		events = append(events, ev)
	}
	dialectsuite.Encodes(t, Dialect{}, events)
}

// A script may trust the exit code alone.
func TestExitCodes(t *testing.T) {
	for name, c := range map[string]struct {
		verdict trammel.Verdict
		exit    int
	}{
		"none":     {trammel.Verdict{}, 0},
		"allow":    {trammel.Verdict{Answer: trammel.Answer{Decision: trammel.Allow}}, 0},
		"ask":      {trammel.Verdict{Answer: trammel.Answer{Decision: trammel.Ask}}, 2},
		"deny":     {trammel.Verdict{Answer: trammel.Answer{Decision: trammel.Deny}}, 2},
		"canceled": {trammel.Verdict{Canceled: true}, 2},
		"unsaid":   {trammel.Verdict{Answer: trammel.Answer{Facts: map[string]any{"x": struct{}{}}}}, 2},
	} {
		if r := (Dialect{}).EncodeVerdict(&trammel.Event{}, &c.verdict); r.Exit != c.exit {
			t.Errorf("%s: exit code %d, want %d", name, r.Exit, c.exit)
		}
	}
}

// A verdict in full, and the same read back as the answer of a hook.
func TestVerdictInFull(t *testing.T) {
	out := ""
	v := trammel.Verdict{
		Answer: trammel.Answer{
			Decision: trammel.Ask, Reason: "r", Input: map[string]any{"a": int64(1)}, Output: &out, Context: []string{"c"}, Notice: "n",
			Summary: "s",
			Facts:   map[string]any{"f": true}, Signals: []trammel.Signal{{Kind: "k", Code: "c", Severity: "s", Payload: map[string]any{"p": "q"}}},
			Diagnostics: []string{"d"}, Findings: []trammel.Finding{{Code: "c", Severity: "s", Target: "t"}},
		},
	}
	r := (Dialect{}).EncodeVerdict(&trammel.Event{}, &v)
	want := `{"decision":"ask","reason":"r","input":{"a":1},"output":"","context":["c"],"notice":"n","summary":"s","facts":{"f":true},` +
		`"signals":[{"kind":"k","code":"c","severity":"s","payload":{"p":"q"}}],"diagnostics":["d"],"findings":[{"code":"c","severity":"s",` +
		`"target":"t"}]}` + "\n"
	if string(r.Stdout) != want {
		t.Errorf("got  %s\nwant %s", r.Stdout, want)
	}
	a, err := (Dialect{}).DecodeAnswer(&trammel.Event{Kind: trammel.PreToolUse}, trammel.Output{Stdout: r.Stdout})
	if err != nil || !reflect.DeepEqual(a, v.Answer) {
		t.Errorf("read back: %+v, %v", a, err)
	}
	v.Granted, v.Canceled, v.Degraded = true, true, []trammel.Degradation{{Wanted: "ask", Became: "deny", Why: "w"}}
	r = (Dialect{}).EncodeVerdict(&trammel.Event{}, &v)
	if tail := `,"granted":true,"canceled":true,"degraded":[{"wanted":"ask","became":"deny","why":"w"}]}` +
		"\n"; !bytes.HasSuffix(r.Stdout, []byte(tail)) {
		t.Errorf("%s\ndoes not end in %s", r.Stdout, tail)
	}
}

func TestEventRoundTrip(t *testing.T) {
	for _, p := range dialectsuite.Payloads(t) {
		ev, err := (Dialect{}).DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		out, err := (Dialect{}).EncodeEvent(ev)
		if err != nil {
			t.Fatal(err)
		}
		again, err := (Dialect{}).DecodeEvent(out, "")
		if err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		ev.Raw, again.Raw = nil, nil
		if !reflect.DeepEqual(again, ev) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", p.Label, again, ev)
		}
	}
}

// Observers are told what came of it; nobody can tell us.
func TestOutcomeAndFacts(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PreToolUse, Time: time.Unix(0, 0).UTC(), Outcome: &trammel.Answer{Decision: trammel.Deny, Reason: "no"},
		Facts: map[string]map[string]any{"hook": {"lines": int64(3)}}}
	out, err := (Dialect{}).EncodeEvent(ev)
	if want := `"facts":{"hook":{"lines":3}},"outcome":{"decision":"deny","reason":"no"}}`; err != nil ||
		!strings.Contains(string(out), want) {
		t.Errorf("%s (%v)\ndoes not hold %s", out, err, want)
	}
	if _, err := (Dialect{}).DecodeEvent(out, ""); trammel.CodeOf(err) != trammel.CodeInput {
		t.Errorf("a host could set facts: %v", err)
	}
}

func TestDecodeAnswer(t *testing.T) {
	type answer = trammel.Answer
	for name, c := range map[string]struct {
		kind   trammel.Kind
		out    trammel.Output
		want   answer
		failed trammel.Code
	}{
		"nothing":      {trammel.PreToolUse, trammel.Output{}, answer{}, ""},
		"empty object": {trammel.PreToolUse, said("{}\n"), answer{}, ""},
		"deny":         {trammel.PreToolUse, said(`{"decision":"deny","reason":"r"}`), trammel.Denial("r"), ""},
		"one context":  {trammel.SessionStart, said(`{"context":"c"}`), answer{Context: []string{"c"}}, ""},
		"exit 2": {trammel.PreToolUse, trammel.Output{Exit: 2, Stdout: []byte("x"), Stderr: []byte(" no \n")},
			trammel.Denial("no"), ""},
		"exit 2, silent": {trammel.PreToolUse, trammel.Output{Exit: 2},
			trammel.Denial("A Trammel hook denied this and gave no reason."), ""},
		"exit 1":                     {trammel.PreToolUse, trammel.Output{Exit: 1, Stdout: []byte("{}")}, answer{}, trammel.CodeCrash},
		"exit 3":                     {trammel.PreToolUse, trammel.Output{Exit: 3}, answer{}, trammel.CodeCrash},
		"unknown field":              {trammel.PreToolUse, said(`{"decision":"deny","reasn":"r"}`), answer{}, trammel.CodeUnknownField},
		"unknown field in a finding": {trammel.PreToolUse, said(`{"findings":[{"cod":"r"}]}`), answer{}, trammel.CodeUnknownField},
		"granted is not a hook's":    {trammel.PreToolUse, said(`{"decision":"allow","granted":true}`), answer{}, trammel.CodeUnknownField},
		"unknown decision":           {trammel.PreToolUse, said(`{"decision":"Deny"}`), answer{}, trammel.CodeMalformed},
		"empty decision":             {trammel.PreToolUse, said(`{"decision":""}`), answer{}, trammel.CodeMalformed},
		"decision of another type":   {trammel.PreToolUse, said(`{"decision":4}`), answer{}, trammel.CodeMalformed},
		"duplicate":                  {trammel.PreToolUse, said(`{"decision":"deny","decision":"allow"}`), answer{}, trammel.CodeMalformed},
		"two objects":                {trammel.PreToolUse, said(`{}{}`), answer{}, trammel.CodeMalformed},
		"broken":                     {trammel.PreToolUse, said(`{"decision"`), answer{}, trammel.CodeMalformed},
		"signals not objects":        {trammel.PreToolUse, said(`{"signals":[1]}`), answer{}, trammel.CodeMalformed},
		"text before a call":         {trammel.PreToolUse, said("looks fine"), answer{}, trammel.CodeMalformed},
		"text before an expansion":   {trammel.UserPromptExpansion, said("looks fine"), answer{}, trammel.CodeMalformed},
		"text with a prompt":         {trammel.UserPromptSubmit, said("note"), answer{Context: []string{"note"}}, ""},
		"text after a call": {trammel.PostToolUse, said("a.go is not formatted\n"),
			answer{Context: []string{"a.go is not formatted"}}, ""},
		"text where it can do nought": {trammel.SessionEnd, said("bye"), answer{Diagnostics: []string{"bye"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := (Dialect{}).DecodeAnswer(&trammel.Event{Kind: c.kind}, c.out)
			if trammel.CodeOf(err) != c.failed {
				t.Fatalf("got %+v, %v, want code %q", got, err, c.failed)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func said(s string) trammel.Output { return trammel.Output{Stdout: []byte(s)} }

func FuzzDecodeEvent(f *testing.F) {
	for _, p := range dialectsuite.Payloads(f) {
		f.Add(p.Raw, "")
	}
	f.Add([]byte(`{"event":"stop"}`), "pre_tool_use")
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		ev, err := (Dialect{}).DecodeEvent(raw, name)
		if err != nil {
			if ev == nil || trammel.CodeOf(err) != trammel.CodeInput {
				t.Fatalf("event %v, %v", ev, err)
			}
			return
		}
		out, err := (Dialect{}).EncodeEvent(ev)
		if err != nil {
			t.Fatal(err)
		}
		again, err := (Dialect{}).DecodeEvent(out, "")
		if err != nil || again.Kind != ev.Kind {
			t.Fatalf("%s\nbecame %s: %v", raw, out, err)
		}
	})
}

func FuzzDecodeAnswer(f *testing.F) {
	f.Add([]byte(`{"decision":"deny","reason":"r","context":["c"],"findings":[{}]}`), 0)
	f.Add([]byte("plain"), 0)
	f.Fuzz(func(t *testing.T, out []byte, exit int) {
		a, err := (Dialect{}).DecodeAnswer(&trammel.Event{Kind: trammel.PreToolUse}, trammel.Output{Stdout: out, Exit: exit})
		switch trammel.CodeOf(err) {
		case trammel.CodeCrash, trammel.CodeMalformed, trammel.CodeUnknownField:
		case "":
			if err != nil {
				t.Fatal(err)
			}
			v := trammel.Verdict{Answer: a}
			r := (Dialect{}).EncodeVerdict(&trammel.Event{}, &v)
			back, err := (Dialect{}).DecodeAnswer(&trammel.Event{Kind: trammel.PreToolUse}, trammel.Output{Stdout: r.Stdout})
			if exit == 0 && (err != nil || back.Decision != a.Decision || back.Reason != a.Reason) {
				t.Fatalf("%s: %+v, %v", r.Stdout, back, err)
			}
		default:
			t.Fatal(err)
		}
	})
}
