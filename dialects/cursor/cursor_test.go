package cursor

import (
	"errors"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect = Dialect{}
	_ dialects.Narrower   = Dialect{}
)

// The payloads are from the documentation; none was recorded.
func TestDecodes(t *testing.T) { dialectsuite.Decodes(t, New()) }

// Arguments in a string are JSON for some tools; "ls" is none.
func TestHostile(t *testing.T) {
	dialectsuite.Hostile(t, New(), dialectsuite.Wire{
		Good:       `{"conversation_id":"s","cwd":"/p","hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"ls"},"tool_use_id":"t"}`,
		EventField: `"hook_event_name":"preToolUse",`, ToolKey: "tool_name", ToolName: "Shell", Input: `{"command":"ls"}`,
		Event: "preToolUse", OtherEvent: "sessionEnd",
	})
}

// The other events before something happens, broken.
func TestHostileSingle(t *testing.T) {
	for name, raw := range map[string]string{
		"no command":         `{"hook_event_name":"beforeShellExecution"}`,
		"command a list":     `{"hook_event_name":"beforeShellExecution","command":["ls"]}`,
		"no path":            `{"hook_event_name":"beforeReadFile"}`,
		"twins in a string":  `{"hook_event_name":"beforeMCPExecution","tool_name":"q","tool_input":"{\"a\":1,\"A\":2}"}`,
		"twice in a string":  `{"hook_event_name":"beforeMCPExecution","tool_name":"q","tool_input":"{\"a\":1,\"a\":2}"}`,
		"NUL in a string":    `{"hook_event_name":"beforeMCPExecution","tool_name":"q","tool_input":"{\"a\":\"\\u0000\"}"}`,
		"no tool":            `{"hook_event_name":"beforeMCPExecution","tool_input":"{}"}`,
		"no prompt":          `{"hook_event_name":"beforeSubmitPrompt"}`,
		"another's spelling": `{"hook_event_name":"PreToolUse","tool_name":"Shell","tool_input":{}}`,
	} {
		ev, err := New().DecodeEvent([]byte(raw), "")
		if err == nil || !ev.Kind.FailsClosed() {
			t.Errorf("%s: kind %v, %v", name, ev.Kind, err)
		}
	}
}

func TestEvents(t *testing.T) {
	for _, kind := range trammel.Kinds() {
		for _, a := range kind.Aliases() {
			if got, ok := exact(a.Name); a.System == Name && (!ok || got != kind) {
				t.Errorf("%s is %v here, and %v in the catalogue", a.Name, got, kind)
			}
		}
	}
	for _, e := range events {
		if beyond := New().Powers(e.kind).Can &^ e.kind.Can(); beyond != 0 {
			t.Errorf("%s: %v is more than the catalogue knows of", e.name, beyond)
		}
	}
}

func TestEncodes(t *testing.T) {
	var out []*trammel.Event
	seen := map[string]bool{}
	for _, p := range dialectsuite.Payloads(t) {
		ev, err := New().DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		if !seen[ev.Name] {
			seen[ev.Name] = true
			out = append(out, ev)
		}
	}
	for _, e := range events {
		if !seen[e.name] {
			t.Errorf("no payload for %s", e.name)
		}
	}
	dialectsuite.Encodes(t, New(), out)
}

func FuzzDecodeEvent(f *testing.F) {
	for _, p := range dialectsuite.Payloads(f) {
		f.Add(p.Raw, "")
	}
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		ev, err := New().DecodeEvent(raw, name)
		if ev == nil {
			t.Fatal("no event")
		}
		var failure *trammel.Failure
		if err != nil && (!errors.As(err, &failure) || failure.Code != trammel.CodeInput) {
			t.Fatal(err)
		}
		v := trammel.Verdict{Answer: trammel.Denial("no")}
		if r := New().EncodeVerdict(ev, &v); v.Decision == trammel.Deny && len(r.Stdout) == 0 && r.Exit != 2 {
			t.Fatal("a denial got lost")
		}
	})
}
