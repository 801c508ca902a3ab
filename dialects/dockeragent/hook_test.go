package dockeragent

import (
	"reflect"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var said = dialectsuite.Stdout

func shellEvent(kind trammel.Kind) *trammel.Event {
	return &trammel.Event{Kind: kind, Host: Host.System, Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"cmd": "ls",
		"cwd": "."}}}
}

// DA-03 and the cases of docker-agent.md section 6, in C's terms.
func TestDecodeAnswer(t *testing.T) {
	specific := func(fields string) trammel.Output {
		return said(`{"hook_specific_output":{` + fields + `}}`)
	}
	type answer = trammel.Answer
	replaced, empty := "REPLACED", ""
	dialectsuite.Answers(t, &Dialect, shellEvent, map[string]dialectsuite.Said{
		"nothing":  {trammel.PreToolUse, said(" \n"), answer{}, ""},
		"{}":       {trammel.PreToolUse, said("{}"), answer{}, ""},
		"4 exit 2": {trammel.PreToolUse, trammel.Output{Exit: 2, Stderr: []byte(" no \n")}, trammel.Denial("no"), ""},
		"4 exit 2, stdout ignored": {trammel.PreToolUse, trammel.Output{Exit: 2, Stdout: []byte(`{"decision":"x"`), Stderr: []byte("no")},
			trammel.Denial("no"), ""},
		"4 exit 2, no reason": {trammel.PreToolUse, trammel.Output{Exit: 2}, trammel.Denial("Blocked by a hook that gave no reason."), ""},
		"5 exit 1":            {trammel.PreToolUse, trammel.Output{Exit: 1, Stdout: []byte("{}")}, answer{}, trammel.CodeCrash},
		"6 block": {trammel.PreToolUse, said(`{"decision":"block","reason":"Tool not allowed"}`),
			trammel.Denial("Tool not allowed"), ""},
		"7 allow": {trammel.PreToolUse, specific(`"permission_decision":"allow"`), answer{Decision: trammel.Allow}, ""},
		"7 ask": {trammel.PreToolUse, specific(`"permission_decision":"ask","permission_decision_reason":"a"`),
			answer{Decision: trammel.Ask, Reason: "a"}, ""},
		"7 deny": {trammel.PreToolUse, specific(`"permission_decision":"deny","permission_decision_reason":"a"`),
			trammel.Denial("a"), ""},
		"8 DA-32 allow at turn_start": {trammel.TurnStart, specific(`"permission_decision":"allow"`),
			answer{Diagnostics: []string{"permission_decision is not used on turn_start"}}, ""},
		"13 continue false": {trammel.BeforeLLMCall, said(`{"continue":false,"stop_reason":"budget"}`), trammel.Denial("budget"), ""},
		"14 permission deny": {trammel.PermissionRequest, specific(`"permission_decision":"deny","permission_decision_reason":"r"`),
			trammel.Denial("r"), ""},
		"17 plain text":             {trammel.SessionStart, said("hello\n"), answer{Context: []string{"hello"}}, ""},
		"17 plain text after tools": {trammel.PostToolUse, said("hello"), answer{Diagnostics: []string{"hello"}}, ""},
		"19 summary":                {trammel.BeforeCompaction, specific(`"summary":"s"`), answer{Summary: "s"}, ""},
		"26 malformed":              {trammel.PreToolUse, said(`{"decision":"block"`), answer{}, trammel.CodeMalformed},
		"26 two objects":            {trammel.PreToolUse, said(`{} {}`), answer{}, trammel.CodeMalformed},
		"26 trailing text":          {trammel.PreToolUse, said(`{} done`), answer{}, trammel.CodeMalformed},
		"27 blok":                   {trammel.PreToolUse, said(`{"decision":"blok"}`), answer{}, trammel.CodeMalformed},
		"27 alow":                   {trammel.PreToolUse, specific(`"permission_decision":"alow"`), answer{}, trammel.CodeMalformed},
		"wrong event name": {trammel.PreToolUse, specific(
			`"hook_event_name":"stop","permission_decision":"deny","permission_decision_reason":"r"`),
			answer{Decision: trammel.Deny, Reason: "r", Diagnostics: []string{`hook_event_name is "stop", expected "pre_tool_use"`}}, ""},
		"documented allow": {trammel.PreToolUse, said(`{"decision": "allow"}`), answer{}, ""},
		"15 metadata": {trammel.PermissionRequest, specific(`"metadata":{"risk":"high"}`),
			answer{Facts: map[string]any{"metadata": map[string]any{"risk": "high"}}}, ""},
		"metadata is text": {trammel.PermissionRequest, specific(`"metadata":{"risk":1}`), answer{}, trammel.CodeMalformed},
		"metadata elsewhere": {trammel.Stop, specific(`"metadata":{"risk":"high"}`),
			answer{Diagnostics: []string{"metadata is not used on stop"}}, ""},
		"C2 messages": {trammel.BeforeLLMCall, specific(`"updated_messages":[1]`),
			answer{Input: map[string]any{"messages": []any{int64(1)}}}, ""},
		"C2 empty list": {trammel.BeforeLLMCall, specific(`"updated_messages":[]`), answer{}, ""},
		"C3 response": {trammel.ToolResponseTransform, specific(`"updated_tool_response":"REPLACED"`), answer{Output: &replaced},
			""},
		"C3 empty response": {trammel.ToolResponseTransform, specific(`"updated_tool_response":""`), answer{Output: &empty}, ""},
		"C11 stop cannot block": {trammel.Stop, trammel.Output{Exit: 2, Stderr: []byte("tests")},
			answer{Notice: "A hook wanted to block stop, which it cannot: tests"}, ""},
		"rewrite is a patch": {trammel.PreToolUse, specific(`"updated_input":{"cmd":"ls -l","cwd":"."}`),
			answer{Input: map[string]any{"cmd": "ls -l"}}, ""},
		"rewrite at stop": {trammel.Stop, specific(`"updated_input":{}`),
			answer{Diagnostics: []string{"updated_input is not used on stop"}}, ""},
		"system message": {trammel.PostToolUse, said(`{"system_message":"m","x":1}`), answer{Notice: "m",
			Diagnostics: []string{`field "x" is not known and was ignored`}}, ""},
		"upper case is a typo": {trammel.PreToolUse, said(`{"Decision":"block"}`), answer{}, trammel.CodeMalformed},
		"a letter is missing":  {trammel.PreToolUse, said(`{"decison":"block"}`), answer{}, trammel.CodeMalformed},
		"a letter inside":      {trammel.PreToolUse, specific(`"permission_decison":"deny"`), answer{}, trammel.CodeMalformed},
		"camel case is a typo": {trammel.PreToolUse, said(`{"hookSpecificOutput":{"x":1}}`), answer{}, trammel.CodeMalformed},
		"camel case beside ours": {trammel.PreToolUse, said(`{"hookSpecificOutput":{},"hook_specific_output":{"permission_decision":"ask"}}`),
			answer{Decision: trammel.Ask, Diagnostics: []string{`field "hookSpecificOutput" is not known and was ignored`}}, ""},
	}, func(t *testing.T, kind trammel.Kind, got *trammel.Answer) {
		if what := max(Dialect.Ceiling(kind), trammel.Observe).Overreach(got, kind.Can()); what != "" {
			t.Errorf("%s is beyond what the dialect permits", what)
		}
	})
}

// DA-60, C10: under strict_output nothing is ignored.
func TestStrictOutput(t *testing.T) {
	d, err := Dialect.Configure("h", []byte(`{"strict_output":true}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Dialect.Configure("h", []byte(`{"strict":true}`)); err == nil {
		t.Error("an unknown option was taken")
	}
	for stdout, fails := range map[string]bool{
		"": false, " \n": false, "{}": false, `{"decision":"allow"}`: false, `{"hook_specific_output":{"additional_context":"x"}}`: false,
		"hello": true, "[]": true, "null": true, "{} {}": true, `{"x":1}`: true, `{"hook_specific_output":{"x":1}}`: true,
		`{"hook_specific_output":{"hook_event_name":"stop"}}`: true, `{"hook_specific_output":{"updated_input":{}}}`: true,
	} {
		if _, err := d.DecodeAnswer(&trammel.Event{Kind: trammel.SessionStart, Host: Host.System},
			trammel.Output{Stdout: []byte(stdout)}); err != nil != fails {
			t.Errorf("%s: %v", stdout, err)
		}
	}
}

// DA-30, cases 15 and 16: what hooks want shown goes to the host, the last of
// two that say something under one name.
func TestMetadataIsShown(t *testing.T) {
	run := func(data map[string]any) trammel.Run {
		return trammel.Run{Answer: trammel.Answer{Facts: map[string]any{"metadata": data}}}
	}
	v := &trammel.Verdict{Runs: []trammel.Run{run(map[string]any{"a": "1", "b": "1"}), run(map[string]any{"b": "2"})}}
	want := `{"hook_specific_output":{"hook_event_name":"permission_request","metadata":{"a":"1","b":"2"}}}` + "\n"
	if r := Dialect.EncodeVerdict(shellEvent(trammel.PermissionRequest), v); string(r.Stdout) != want {
		t.Errorf("got %s", r.Stdout)
	}
}

// A foreign host's call goes out under docker-agent's names and comes back
// under the host's.
func TestForeignCall(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "claude-code", Session: trammel.Session{ID: "s", Dir: "/p", Bypass: true},
		Tool: &trammel.ToolCall{ID: "t", Name: "Bash", Input: map[string]any{"command": "ls", "timeout": int64(5)},
			Action: trammel.Action{Kind: trammel.ShellAction, Command: "ls"}}}
	out, err := Dialect.EncodeEvent(ev)
	want := `{"session_id":"s","cwd":"/p","hook_event_name":"pre_tool_use","tool_name":"shell","tool_use_id":"t","tool_input":{"cmd":"ls",` +
		`"timeout":5},"safety_policy":"autonomous"}`
	if err != nil || string(out) != want {
		t.Errorf("got  %s, %v\nwant %s", out, err, want)
	}
	a, err := Dialect.DecodeAnswer(ev, trammel.Output{Stdout: []byte(
		`{"hook_specific_output":{"updated_input":{"cmd":"ls -l","timeout":5}}}`)})
	if err != nil || !reflect.DeepEqual(a.Input, map[string]any{"command": "ls -l"}) {
		t.Errorf("got %+v, %v", a, err)
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	f.Add([]byte(`{"decision":"block","hook_specific_output":{"updated_input":{"cmd":1}}}`), 0)
	f.Add([]byte(`{} x`), 2)
	f.Fuzz(func(t *testing.T, stdout []byte, exit int) {
		for _, kind := range []trammel.Kind{trammel.PreToolUse, trammel.Stop, trammel.SessionStart, trammel.BeforeLLMCall} {
			a, err := Dialect.DecodeAnswer(shellEvent(kind), trammel.Output{Stdout: stdout, Exit: exit})
			if err != nil {
				continue
			}
			if what := Dialect.Ceiling(kind).Overreach(&a, kind.Can()); what != "" {
				t.Fatalf("%v: %s", kind, what)
			}
		}
	})
}
