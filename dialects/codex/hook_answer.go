package codex

import (
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// DecodeAnswer reads what a program written for Codex answered. What Codex
// rejects (an unknown field or word, ask, an allow that carries nothing, a
// denial without a reason, a crash) is a failure of the hook here, so that a
// guard blocks where Codex would ignore the answer.
func (*dialect) DecodeAnswer(ev *trammel.Event, out trammel.Output) (trammel.Answer, error) {
	return decode.Output(ev, out, readAnswer, trammel.SessionStart, trammel.UserPromptSubmit)
}

func readAnswer(ev *trammel.Event, text []byte) (trammel.Answer, error) {
	return decode.Answer(text, func(f *strict.Fields, a *trammel.Answer) {
		a.Notice, a.Reason = f.String("systemMessage"), f.String("reason")
		switch word := f.String("decision"); {
		case word == "block" && blank(a.Reason):
			f.Refuse("reason", "a reason; without one Codex ignores the block")
		case word == "block":
			a.Decision = trammel.Deny
		case word != "":
			f.Refuse("decision", `"block"`)
		case a.Reason != "" && f.Rest()["continue"] != false:
			f.Refuse("reason", "a decision beside it; without one Codex ignores the answer")
		}
		f.Part("hookSpecificOutput", func(f *strict.Fields) { readSpecific(f, ev, a) })
		readContinue(f, ev, a)
		f.Bool("suppressOutput")
	})
}

// readContinue reads continue:false, which Codex does not accept before a call.
func readContinue(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	if f.Rest()["continue"] == false && (ev.Kind == trammel.PreToolUse || ev.Kind == trammel.PermissionRequest) {
		f.Refuse("continue", "it true or absent; Codex does not take it on this event")
	}
	decode.Continue(f, ev, "stopReason", a)
}

func readSpecific(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	if name := Host.Nearest(ev); f.String("hookEventName") != name {
		f.Refuse("hookEventName", fmt.Sprintf("%q", name))
	}
	reason := f.String("permissionDecisionReason")
	updated := f.Object("updatedInput")
	switch word := f.String("permissionDecision"); {
	case word == "deny" && blank(reason):
		f.Refuse("permissionDecisionReason", "a reason; without one Codex ignores the denial")
	case word == "deny":
		a.Decision, a.Reason = trammel.Deny, reason
	case word == "allow" && updated != nil:
		// The allow only carries the new arguments.
		if ev.Tool == nil {
			f.Refuse("updatedInput", "nothing: this event has no tool call")
			break
		}
		a.Input = present(ev).Patch(f, "updatedInput", updated)
	case word == "" && updated == nil && reason == "":
	default:
		f.Refuse("permissionDecision", `"deny", or "allow" together with updatedInput`)
	}
	f.Part("decision", func(f *strict.Fields) { readBehavior(f, a) })
	if context := f.String("additionalContext"); context != "" {
		a.Context = []string{context}
	}
}

// readBehavior reads the answer to a PermissionRequest.
func readBehavior(f *strict.Fields, a *trammel.Answer) {
	message := f.String("message")
	switch word := f.String("behavior"); word {
	case "allow":
		a.Decision = max(a.Decision, trammel.Allow)
	case "deny":
		a.Decision, a.Reason = trammel.Deny, message
	default:
		f.Refuse("behavior", "allow or deny")
	}
	if f.Bool("interrupt") {
		f.Refuse("interrupt", "it false or absent; Codex does not take it")
	}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
