package claudecode

import (
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// DecodeAnswer reads what a program written for Claude Code answered, in all
// forms that Claude Code accepts. What Claude Code ignores (a wrong
// hookEventName, an unknown value, broken JSON, a crash) is a failure of the
// hook here, so that a guard blocks.
func (d *dialect) DecodeAnswer(ev *trammel.Event, out trammel.Output) (trammel.Answer, error) {
	text, isJSON := decode.JSON(out.Stdout)
	if out.Exit == 2 && isJSON && ev.Kind.Can().Any(trammel.Block|trammel.Continue) { // a reason in JSON wins over stderr
		if a, err := readAnswer(ev, text); err == nil && a.Decision == trammel.Deny && a.Reason != "" {
			return a, nil
		}
	}
	return decode.Output(ev, out, readAnswer, trammel.SessionStart, trammel.UserPromptSubmit, trammel.UserPromptExpansion)
}

func readAnswer(ev *trammel.Event, text []byte) (trammel.Answer, error) {
	return decode.Grouped(text, ev, decode.Decisions{"": trammel.None, "block": trammel.Deny, "approve": trammel.Allow},
		`"block" or "approve"`, readSpecific, "terminalSequence")
}

func readSpecific(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	decode.Keys(f, "hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput",
		"additionalContext", "decision", "updatedToolOutput", "action")
	if name := f.String("hookEventName"); name != Host.Nearest(ev) {
		f.Refuse("hookEventName", fmt.Sprintf("%q; with anything else Claude Code ignores the answer", Host.Nearest(ev)))
	}
	decode.Decide(f, a, "permissionDecision", decode.Decisions{"": trammel.None, "allow": trammel.Allow, "ask": trammel.Ask,
		"defer": trammel.Ask, "deny": trammel.Deny}, "allow, deny, ask or defer")
	if reason := f.String("permissionDecisionReason"); reason != "" {
		a.Reason = reason
	}
	f.Part("decision", func(f *strict.Fields) { readBehavior(f, ev, a) })
	decode.Decide(f, a, "action", decode.Decisions{"": trammel.None, "accept": trammel.Allow, "decline": trammel.Deny,
		"cancel": trammel.Deny}, "accept, decline or cancel")
	updateInput(f, ev, a)
	if output := f.Any("updatedToolOutput"); output != nil {
		text := outputText(output)
		a.Output = &text
	}
	if context := f.String("additionalContext"); context != "" {
		if ev.Kind == trammel.Stop || ev.Kind == trammel.SubagentStop { // there it makes the agent continue
			if a.Decision != trammel.Deny {
				a.Decision, a.Reason = trammel.Deny, context
			}
		} else {
			a.Context = []string{context}
		}
	}
	decode.Ignored(f, a)
}

// readBehavior reads the answer to a PermissionRequest.
func readBehavior(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	decode.Decide(f, a, "behavior", decode.Decisions{"allow": trammel.Allow, "deny": trammel.Deny}, "allow or deny")
	if message := f.String("message"); message != "" {
		a.Reason = message
	}
	updateInput(f, ev, a)
	f.Any("interrupt")
	if f.Any("updatedPermissions") != nil {
		a.Diagnostics = append(a.Diagnostics, "updatedPermissions is ignored: a hook cannot widen what is permitted later")
	}
}

// updateInput reads new arguments as a patch in the host's own names. Unchanged
// arguments are not a rewrite.
func updateInput(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	updated := f.Object("updatedInput")
	if updated == nil {
		return
	}
	if ev.Tool == nil {
		f.Refuse("updatedInput", "nothing: this event has no tool call")
		return
	}
	a.Input = present(ev).Patch(f, "updatedInput", updated)
}
