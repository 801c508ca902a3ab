package copilot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect   = &Dialect
	_ dialects.PowerLimiter = &Dialect
)

func TestHost(t *testing.T) {
	dialectsuite.Decodes(t, &Dialect)
	dialectsuite.Table(t, &Dialect, &Host)
	dialectsuite.Hostile(t, &Dialect, dialectsuite.Wire{
		Good:       `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{"command":"ls"}}`,
		EventField: `"hook_event_name":"PreToolUse",`, ToolKey: "tool_name", ToolName: "Bash", Input: `{"command":"ls"}`,
		Event: "PreToolUse", OtherEvent: "Notification",
	})
}

// The first language has no name of the event that could be broken, so the
// suite cannot break it; these are the same breakages by hand.
func TestHostileFlat(t *testing.T) {
	const good = `{"sessionId":"s","cwd":"/p","toolName":"bash","toolArgs":{"command":"ls"}}`
	if ev, err := Dialect.DecodeEvent([]byte(good), "preToolUse"); err != nil || ev.Kind != trammel.PreToolUse {
		t.Fatal(ev.Kind, err)
	}
	for name, c := range map[string]struct{ raw, called string }{
		"empty":                   {"", "preToolUse"},
		"both languages":          {`{"sessionId":"s","session_id":"s","toolName":"bash","toolArgs":{"command":"ls"}}`, "preToolUse"},
		"neither language":        {`{"toolName":"bash","toolArgs":{"command":"ls"}}`, "preToolUse"},
		"twins":                   {`{"sessionId":"s","toolName":"bash","toolArgs":{"command":"ls","Command":"rm"}}`, "preToolUse"},
		"upper-case key":          {`{"sessionId":"s","toolName":"bash","ToolName":"x","toolArgs":{"command":"ls"}}`, "preToolUse"},
		"duplicate":               {`{"sessionId":"s","toolName":"bash","toolName":"x","toolArgs":{"command":"ls"}}`, "preToolUse"},
		"arguments in a string":   {`{"sessionId":"s","toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`, "preToolUse"},
		"no arguments":            {`{"sessionId":"s","toolName":"bash"}`, "preToolUse"},
		"no tool":                 {`{"sessionId":"s","toolArgs":{"command":"ls"}}`, "preToolUse"},
		"NUL":                     {`{"sessionId":"s","toolName":"bash","toolArgs":{"command":"l\u0000s"}}`, "preToolUse"},
		"another event is called": {good, "notification"},
		"another event is named":  {`{"hookName":"notification","sessionId":"s","toolName":"bash","toolArgs":{"command":"ls"}}`, "preToolUse"},
		"cut":                     {good[:50], "preToolUse"},
	} {
		t.Run(name, func(t *testing.T) {
			ev, err := Dialect.DecodeEvent([]byte(c.raw), c.called)
			if trammel.CodeOf(err) != trammel.CodeInput || ev.Kind != trammel.PreToolUse {
				t.Fatalf("kind %v, %v", ev.Kind, err)
			}
			r := Dialect.EncodeVerdict(ev, &trammel.Verdict{Answer: trammel.Denial("no")})
			flat := string(r.Stdout) == `{"permissionDecision":"deny","permissionDecisionReason":"no"}`+"\n"
			if !flat && r.Exit != 2 {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// Every event in both languages. Their names differ in case, which some file
// systems do not see, so the second language has a folder of its own.
func TestEncodes(t *testing.T) {
	byName := map[string]*trammel.Event{}
	for _, p := range dialectsuite.Payloads(t) {
		ev, err := Dialect.DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		if byName[ev.Name] == nil {
			byName[ev.Name] = ev
		}
	}
	for _, e := range Host.Events() {
		if byName[e.Name] == nil {
			byName[e.Name] = &trammel.Event{Kind: e.Kind, Host: Host.System, Name: e.Name}
		}
	}
	var first, second []*trammel.Event
	for name, ev := range byName {
		if languageOf(name) == flat {
			first = append(first, ev)
		} else {
			second = append(second, ev)
		}
	}
	dialectsuite.Encodes(t, &Dialect, first)
	t.Run("claude", func(t *testing.T) {
		dir := filepath.Join("testdata", "claude")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
		dialectsuite.Encodes(t, &Dialect, second)
	})
}

// The forms that were measured, byte for byte.
func TestMeasuredForms(t *testing.T) {
	out := "clean"
	call := &trammel.ToolCall{Name: "bash", Input: map[string]any{"command": "ls", "description": "d"},
		Response: map[string]any{"resultType": "success", "textResultForLlm": "secret"}}
	for name, c := range map[string]struct {
		event   string
		verdict trammel.Verdict
		want    string
	}{
		"deny": {"preToolUse", trammel.Verdict{Answer: trammel.Denial("no")},
			`{"permissionDecision":"deny","permissionDecisionReason":"no"}`},
		"Claude deny": {"PreToolUse", trammel.Verdict{Answer: trammel.Denial("no")},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`},
		"rewrite": {"preToolUse", trammel.Verdict{Answer: trammel.Answer{Input: map[string]any{"command": "ls -l"}}},
			`{"modifiedArgs":{"command":"ls -l","description":"d"}}`},
		"output": {"postToolUse", trammel.Verdict{Answer: trammel.Answer{Output: &out}},
			`{"modifiedResult":{"resultType":"success","textResultForLlm":"clean"}}`},
		"prompt": {"userPromptSubmitted", trammel.Verdict{Answer: trammel.Denial("no")}, `{"decision":"block","reason":"no"}`},
		"new prompt": {"userPromptSubmitted", trammel.Verdict{Answer: trammel.Answer{Input: map[string]any{"prompt": "p"}}},
			`{"modifiedPrompt":"p"}`},
		"stop": {"agentStop", trammel.Verdict{Answer: trammel.Denial("go on")}, `{"decision":"block","reason":"go on"}`},
		"grant": {"permissionRequest", trammel.Verdict{Answer: trammel.Answer{Decision: trammel.Allow}, Granted: true},
			`{"behavior":"allow"}`},
	} {
		kind, _ := Host.Exact(c.event)
		r := Dialect.EncodeVerdict(&trammel.Event{Kind: kind, Host: Host.System, Name: c.event, Tool: call}, &c.verdict)
		if string(r.Stdout) != c.want+"\n" || r.Exit != 0 {
			t.Errorf("%s:\ngot  %s\nwant %s", name, r.Stdout, c.want)
		}
	}
}

// Exit code 2 blocks a tool call only: no other event may rely on it.
func TestExitTwo(t *testing.T) {
	for _, kind := range trammel.Kinds() {
		for _, name := range []string{"", kind.String(), nameIn(flat, kind), nameIn(claude, kind)} {
			r := Dialect.EncodeVerdict(&trammel.Event{Kind: kind, Host: Host.System, Name: name}, &trammel.Verdict{Answer: trammel.Denial("no")})
			if r.Exit != 0 && kind != trammel.PreToolUse && kind != trammel.PermissionRequest {
				t.Errorf("%v as %q: exit code %d", kind, name, r.Exit)
			}
		}
	}
}

func TestUnwritableRewriteDenies(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: Host.System, Name: "preToolUse", Tool: &trammel.ToolCall{Name: "bash"}}
	r := Dialect.EncodeVerdict(ev, &trammel.Verdict{Answer: trammel.Answer{Input: map[string]any{"f": func() {}}}})
	if !strings.Contains(string(r.Stdout), `"permissionDecision":"deny"`) {
		t.Errorf("got %s", r.Stdout)
	}
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
