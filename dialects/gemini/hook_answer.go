package gemini

import (
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// DecodeAnswer reads what a program written for Gemini CLI answered, in all
// forms that Gemini accepts: JSON on stdout, or on stderr if stdout is empty;
// and text with an exit code other than 0 and 1, which denies. Where the exit
// code denies and the JSON does not, the denial counts. What Gemini ignores
// (broken JSON, other text, a crash) is a failure of the hook here, so that a
// guard blocks.
func (*dialect) DecodeAnswer(ev *trammel.Event, out trammel.Output) (trammel.Answer, error) {
	text, isJSON := decode.JSON(out.Stdout)
	if len(text) == 0 {
		if onStderr, is := decode.JSON(out.Stderr); is {
			text, isJSON = onStderr, true
		}
	}
	if out.Exit > 1 {
		return exitDenies(ev, text, isJSON, out)
	}
	switch {
	case isJSON && out.Exit >= 0:
		return readAnswer(ev, text)
	case out.Exit != 0:
		return trammel.Answer{}, trammel.Fail(trammel.CodeCrash, "exit code %d and no JSON, expected 0 or 2", out.Exit)
	case len(text) == 0:
		return trammel.Answer{}, nil
	}
	return decode.Noise(ev, text)
}

// exitDenies reads a program that ended with an exit code above 1. A reason in
// JSON wins over stderr. Without a reason only 2 denies; any other exit code is
// then a crash.
func exitDenies(ev *trammel.Event, text []byte, isJSON bool, out trammel.Output) (trammel.Answer, error) {
	if isJSON {
		if a, err := readAnswer(ev, text); err == nil && a.Decision == trammel.Deny && a.Reason != "" {
			return a, nil
		}
	}
	if out.Exit != 2 && decode.Plain(out.Stderr) == "" {
		return trammel.Answer{}, trammel.Fail(trammel.CodeCrash, "exit code %d and no reason, expected 0 or 2", out.Exit)
	}
	return decode.Blocked(ev, out.Stderr), nil
}

func readAnswer(ev *trammel.Event, text []byte) (trammel.Answer, error) {
	return decode.Grouped(text, ev, decode.Decisions{"": trammel.None, "deny": trammel.Deny, "block": trammel.Deny, "ask": trammel.Ask,
		"allow": trammel.Allow, "approve": trammel.Allow}, "allow, deny, block or ask", readSpecific)
}

func readSpecific(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	decode.Keys(f, "hookEventName", "additionalContext", "tool_input", "tool_output", "llm_request", "llm_response",
		"toolConfig")
	if name := f.String("hookEventName"); name != "" && name != Host.Nearest(ev) {
		f.Refuse("hookEventName", fmt.Sprintf("%q, or none", Host.Nearest(ev)))
	}
	if updated := f.Object("tool_input"); updated != nil {
		if ev.Tool == nil {
			f.Refuse("tool_input", "nothing: this event has no tool call")
		} else {
			a.Input = present(ev).Patch(f, "tool_input", updated)
		}
	}
	if output := f.Any("tool_output"); output != nil {
		text := decode.OutputText(output)
		a.Output = &text
	}
	// Dropping one of these silently could let through what the program
	// removed.
	for _, key := range [...]string{"llm_request", "llm_response", "toolConfig", "tailToolCallRequest"} {
		if f.Any(key) != nil {
			f.Refuse(key, "nothing: Trammel does not carry it out")
		}
	}
	if context := f.String("additionalContext"); context != "" {
		a.Context = []string{context}
	}
	decode.Ignored(f, a)
}
