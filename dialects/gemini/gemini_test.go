package gemini

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var (
	_ trammel.HostDialect = &Dialect
	_ trammel.HookDialect = &Dialect
)

func TestHost(t *testing.T) {
	dialectsuite.Host(t, &Dialect, &Host, dialectsuite.Wire{
		Good: `{"session_id":"s","cwd":"/p","hook_event_name":"BeforeTool","timestamp":"x","tool_name":"run_shell_command",` +
			`"tool_input":{"command":"ls"}}`,
		EventField: `"hook_event_name":"BeforeTool",`, ToolKey: "tool_name", ToolName: "run_shell_command", Input: `{"command":"ls"}`,
		Event: "BeforeTool", OtherEvent: "Notification",
	})
}

// understood is Gemini's reading of a reply: what is wrong with it, and
// whether it blocks.
func understood(_ trammel.Kind, r trammel.Reply) (wrong string, blocks bool) {
	if r.Exit == 2 {
		text := strings.TrimSpace(string(r.Stderr))
		switch {
		case len(r.Stdout) > 0:
			return "JSON with exit 2: an allow in it would win", false
		case text == "" || jsontext.Value(text).IsValid():
			return "exit 2 without a reason, or with JSON on stderr", false
		}
		return "", true
	}
	if r.Exit != 0 || len(r.Stderr) > 0 {
		return "an exit code that is not known, or a text on stderr, which Gemini would read", false
	}
	if len(r.Stdout) == 0 {
		return "", false
	}
	obj, err := strict.Object(r.Stdout, strict.Limits{})
	if err != nil {
		return err.Error(), false
	}
	for key := range obj {
		if !slices.Contains([]string{"decision", "reason", "systemMessage", "hookSpecificOutput"}, key) {
			return "unknown field " + key, false
		}
	}
	switch obj["decision"] {
	case nil:
	case "deny":
		if s, _ := obj["reason"].(string); strings.TrimSpace(s) == "" {
			return "a denial without a reason", false
		}
		blocks = true
	default:
		return fmt.Sprintf("decision %v", obj["decision"]), false
	}
	return "", blocks
}

// Forms that Gemini takes for something else: an ask hangs it, JSON on stderr
// is an answer, an allow beats exit code 2, a denial needs its reason.
func TestForbiddenForms(t *testing.T) { dialectsuite.NothingIsMisread(t, &Dialect, understood) }

// The forms that were seen to work, byte for byte.
func TestDocumentedForms(t *testing.T) {
	clean := "clean"
	shell := &trammel.ToolCall{Name: "run_shell_command", Input: map[string]any{"command": "ls", "timeout": int64(5)}}
	type answer = trammel.Answer
	dialectsuite.Forms(t, &Dialect, shell, map[string]dialectsuite.Form{
		"deny": {trammel.PreToolUse, trammel.Verdict{Answer: trammel.Denial("no")}, `{"decision":"deny","reason":"no"}`},
		"rewrite": {trammel.PreToolUse, trammel.Verdict{Answer: answer{Input: map[string]any{"command": "ls -l"}}},
			`{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"ls -l"}}}`},
		"context": {trammel.UserPromptSubmit, trammel.Verdict{Answer: answer{Context: []string{"a"}}},
			`{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"a"}}`},
		"output": {trammel.PostToolUse, trammel.Verdict{Answer: answer{Output: &clean}}, `{"decision":"deny","reason":"clean"}`},
		"stop": {trammel.Stop, trammel.Verdict{Answer: trammel.Denial("test it")},
			`{"decision":"deny","reason":"A hook says that this is not done yet: test it"}`},
		"model": {trammel.BeforeLLMCall, trammel.Verdict{Answer: trammel.Denial("no")}, `{"decision":"deny","reason":"no"}`},
	})
}

// What comes back as a prompt after a stop-block or with tool results is not
// the user's.
func TestSyntheticPrompts(t *testing.T) {
	v := trammel.Verdict{Answer: trammel.Denial("run the tests")}
	Dialect.EncodeVerdict(&trammel.Event{Kind: trammel.Stop, Host: Host.System}, &v)
	for prompt, want := range map[string]bool{
		"please touch the file":                 false,
		"run the tests":                         false,
		v.Reason:                                true,
		"":                                      true,
		"[Function Response: read_file]":        true,
		"why does it say [Function Response: x": false,
	} {
		var w strict.Writer
		w.Open()
		w.Text("hook_event_name", "BeforeAgent")
		w.Key("prompt")
		w.String(prompt)
		w.Close()
		ev, err := Dialect.DecodeEvent(w.Bytes(), "")
		if err != nil || ev.Prompt.Synthetic != want || ev.Prompt.Text != prompt {
			t.Errorf("%q: %+v, %v, want synthetic %v", prompt, ev.Prompt, err, want)
		}
	}
}

// After a rewrite the Action is read again; the server must still be known.
func TestServerSurvivesRewrite(t *testing.T) {
	for _, p := range dialectsuite.Payloads(t) {
		if p.Label != "BeforeTool:mcp" {
			continue
		}
		ev, err := Dialect.DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		a := ev.Tools.Action(&trammel.ToolCall{Name: ev.Tool.Name, Input: map[string]any{"path": "/tmp"}})
		if a.Kind != trammel.MCPAction || a.Server != "my_files" || a.Tool != "read_it" || !slices.Equal(a.Paths, []string{"/tmp"}) {
			t.Errorf("got %+v", a)
		}
		if _, leaked := Dialect.Shapes()[ev.Tool.Name]; leaked {
			t.Error("one event's tool is in everybody's table")
		}
	}
}

func TestProjectDirAndDeadlines(t *testing.T) {
	if dir := Dialect.ProjectDir(func(key string) string { return key }); dir != "GEMINI_PROJECT_DIR" {
		t.Errorf("project %q", dir)
	}
	if d := Dialect.Powers(trammel.PreCompact).Deadline; d != 5*time.Second {
		t.Errorf("PreCompress, which comes before every call of the model, has %v", d)
	}
}

// An event of this host goes to a hook program as it came.
func TestEncodeEventIsThePayload(t *testing.T) {
	dialectsuite.EventIsThePayload(t, &Dialect, func(object map[string]any) {
		maps.DeleteFunc(object, func(_ string, value any) bool { return value == nil || value == "" })
	})
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
