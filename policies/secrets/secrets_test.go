package secrets

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
	"github.com/trammel-dev/trammel/test/secrettest"
)

func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

func handle(t *testing.T, options string, ev *trammel.Event) trammel.Answer {
	t.Helper()
	h, err := Policy().New(trammel.Spec{Config: []byte(options)})
	if err != nil {
		t.Fatal(err)
	}
	ev.Prepare()
	a, err := h.Handle(context.Background(), ev)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestMessagesAreGivenWhole(t *testing.T) {
	list := func(value string) []any {
		return []any{map[string]any{"role": "user", "content": "token " + value}, map[string]any{"role": "assistant",
			"content": []any{"ok", int64(1)}}}
	}
	ev := &trammel.Event{Kind: trammel.BeforeLLMCall, Model: &trammel.ModelCall{Messages: list("glpat-abcdefghij0123456789")}}
	a := handle(t, "", ev)
	if diff := cmp.Diff(map[string]any{"messages": list("[REDACTED:gitlab-token]")}, a.Input); diff != "" || a.Decision != trammel.None {
		t.Errorf("%s, decision %s", diff, a.Decision)
	}
	if a := handle(t, `{"messages":"deny"}`, ev); a.Decision != trammel.Deny || a.Input != nil {
		t.Errorf("got %+v, want a denial", a)
	}
}

func TestPromptIsRedactedWhereThatIsWanted(t *testing.T) {
	a := handle(t, `{"prompt":"redact"}`, &trammel.Event{Kind: trammel.UserPromptSubmit,
		Prompt: &trammel.Prompt{Text: "use password=hunter22"}})
	if a.Input["prompt"] != "use password=[REDACTED:password]" || a.Decision != trammel.None {
		t.Errorf("got %+v", a)
	}
	// An event that can only rewrite rewrites, whatever the mode.
	a = handle(t, "", &trammel.Event{Kind: trammel.UserPromptTransformed, Prompt: &trammel.Prompt{Text: "use password=hunter22"}})
	if a.Input["prompt"] != "use password=[REDACTED:password]" || a.Decision != trammel.None {
		t.Errorf("got %+v", a)
	}
}

// A rewrite says what it took out, as a denial does.
func TestRedactionIsAFinding(t *testing.T) {
	all := `{"network":"redact","file":"redact","command":"redact","input":"redact","prompt":"redact"}`
	for code, ev := range map[string]*trammel.Event{
		"secret_in_output": {Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "Bash", Done: true, Output: "password=hunter22"}},
		"secret_in_command": {Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "Bash",
			Input: map[string]any{"command": "grep password=hunter22 a"}}},
		"secret_to_file": {Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "write_file", Input: map[string]any{"path": "a",
			"content": "password=hunter22"}}},
		"secret_in_prompt":   {Kind: trammel.UserPromptSubmit, Prompt: &trammel.Prompt{Text: "password=hunter22"}},
		"secret_in_messages": {Kind: trammel.BeforeLLMCall, Model: &trammel.ModelCall{Messages: []any{"password=hunter22"}}},
	} {
		a := handle(t, all, ev)
		if len(a.Findings) != 1 || a.Findings[0].Code != code || a.Findings[0].Severity != "warning" || a.Input == nil && a.Output == nil ||
			a.Decision != trammel.None {
			t.Errorf("%s: got %+v", code, a)
		}
	}
}

// Whatever is found, and wherever: no part of an answer repeats it, except a
// part of the call that is not changed anyway.
func TestAnswersNeverRepeatTheSecret(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, m := range secrettest.Makers() {
		text, value := m.Make(r)
		for name, ev := range map[string]*trammel.Event{
			"command": {Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "echo '" + text + "'"}}},
			"path": {Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "write", Input: map[string]any{"path": "/tmp/" + text,
				"content": "x"}}},
			"output": {Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "Bash", Done: true, Output: "a\n" + text + "\nb"}},
			"prompt": {Kind: trammel.UserPromptSubmit, Prompt: &trammel.Prompt{Text: "use\n" + text}},
		} {
			for _, options := range []string{"",
				`{"network":"redact","file":"redact","command":"redact","input":"redact","output":"deny","prompt":"redact"}`} {
				a := handle(t, options, ev)
				if said := fmt.Sprintf("%+v", a); a.Output != nil && strings.Contains(*a.Output, value) || strings.Contains(said, value) {
					t.Errorf("%s in a %s: %s", m.Kind, name, said)
				}
			}
		}
	}
}

func BenchmarkCleanCall(b *testing.B) {
	h, _ := Policy().New(trammel.Spec{})
	ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "Bash",
		Input: map[string]any{"command": "go test ./... && git commit -m 'Fix the parser'", "description": "Run the tests"}}}
	b.ReportAllocs()
	for b.Loop() {
		h.Handle(context.Background(), ev)
	}
}

func BenchmarkCleanOutput(b *testing.B) {
	h, _ := Policy().New(trammel.Spec{})
	text := strings.Repeat("	if err := run(ctx, cmd); err != nil { return fmt.Errorf(\"run: %w\", err) }\n", 1000)
	ev := &trammel.Event{Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "Bash", Done: true, Output: text}}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		h.Handle(context.Background(), ev)
	}
}
