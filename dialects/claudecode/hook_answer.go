package claudecode

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// DecodeAnswer reads what a program written for Claude Code answered, in all
// forms that Claude Code takes. Where Claude Code shrugs (a wrong
// hookEventName, a word that it does not know, broken JSON, a crash) the hook
// has failed here, so that a guard blocks.
func (d Dialect) DecodeAnswer(ev *trammel.Event, out trammel.Output) (trammel.Answer, error) {
	text := bytes.TrimSpace(out.Stdout)
	isJSON := len(text) > 0 && text[0] == '{'
	switch {
	case out.Exit == 2:
		return exitTwo(ev, text, isJSON, out.Stderr), nil
	case out.Exit != 0:
		return trammel.Answer{}, trammel.Fail(trammel.CodeCrash, "exit code %d, expected 0 or 2", out.Exit)
	case isJSON:
		return readAnswer(ev, text)
	case len(text) == 0:
		return trammel.Answer{}, nil
	case ev.Kind.FailsClosed() && text[len(text)-1] == '}':
		return trammel.Answer{}, trammel.Fail(trammel.CodeMalformed, "printed something before its JSON, which hides the JSON")
	}
	plain := strings.ToValidUTF8(string(text), "\uFFFD")
	switch ev.Kind {
	case trammel.SessionStart, trammel.UserPromptSubmit, trammel.UserPromptExpansion:
		return trammel.Answer{Context: []string{plain}}, nil
	}
	return trammel.Answer{Diagnostics: []string{plain}}, nil
}

// exitTwo blocks; where nothing can be blocked, the host shows it to its user.
// A reason in JSON wins over stderr.
func exitTwo(ev *trammel.Event, text []byte, isJSON bool, stderr []byte) trammel.Answer {
	reason := strings.TrimSpace(strings.ToValidUTF8(string(stderr), "\uFFFD"))
	if !ev.Kind.Can().Any(trammel.Block | trammel.Continue) {
		return trammel.Answer{Notice: reason}
	}
	if isJSON {
		if a, err := readAnswer(ev, text); err == nil && a.Decision == trammel.Deny && a.Reason != "" {
			return a
		}
	}
	if reason == "" {
		reason = "Blocked by a hook that gave no reason."
	}
	return trammel.Denial(reason)
}

func readAnswer(ev *trammel.Event, text []byte) (trammel.Answer, error) {
	obj, err := strict.Object(text, strict.Limits{})
	if err == nil {
		err = strict.CaseVariant(obj, "continue", "stopReason", "decision", "reason", "systemMessage", "hookSpecificOutput")
	}
	if err != nil {
		return trammel.Answer{}, malformed(err)
	}
	a := trammel.Answer{}
	f := strict.FieldsOf(obj, "")
	a.Notice, a.Reason = f.String("systemMessage"), f.String("reason")
	switch word := f.String("decision"); word {
	case "":
	case "block":
		a.Decision = trammel.Deny
	case "approve":
		a.Decision = trammel.Allow
	default:
		f.Refuse("decision", `"block" or "approve"`)
	}
	if specific := f.Object("hookSpecificOutput"); specific != nil {
		readSpecific(f, ev, specific, &a)
	}
	goesOn, said := f.Rest()["continue"].(bool)
	f.Bool("continue")
	stopReason := f.String("stopReason")
	if said && !goesOn {
		halt(ev, stopReason, &a)
	}
	f.Any("suppressOutput")
	f.Any("terminalSequence")
	ignored(f, &a)
	if err := f.Err(); err != nil {
		return trammel.Answer{}, malformed(err)
	}
	return a, nil
}

// halt is continue:false, by which a program wants the agent to end. Where
// something is about to happen, that something must not. Where the agent is
// about to end, it is consent, whatever else was said.
func halt(ev *trammel.Event, why string, a *trammel.Answer) {
	if why == "" {
		why = a.Reason
	}
	if why == "" {
		why = "A hook wants the agent to stop."
	}
	switch can := ev.Kind.Can(); {
	case can.Any(trammel.Continue):
		a.Decision, a.Reason = trammel.None, ""
	case can.Any(trammel.Block):
		a.Decision, a.Reason, a.Input = trammel.Deny, why, nil
	default:
		a.Notice = strings.TrimSpace(a.Notice + "\n" + why)
	}
}

func readSpecific(outer *strict.Fields, ev *trammel.Event, obj map[string]any, a *trammel.Answer) {
	outer.Fail(strict.CaseVariant(obj, "hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput",
		"additionalContext", "decision", "updatedToolOutput", "action"))
	f := strict.FieldsOf(obj, "hookSpecificOutput")
	if name := f.String("hookEventName"); name != hookEventName(ev) {
		f.Refuse("hookEventName", fmt.Sprintf("%q; with anything else Claude Code ignores the answer", hookEventName(ev)))
	}
	switch word := f.String("permissionDecision"); word {
	case "":
	case "allow":
		decide(a, trammel.Allow)
	case "ask", "defer":
		decide(a, trammel.Ask)
	case "deny":
		decide(a, trammel.Deny)
	default:
		f.Refuse("permissionDecision", "allow, deny, ask or defer")
	}
	if reason := f.String("permissionDecisionReason"); reason != "" {
		a.Reason = reason
	}
	f.Part("decision", func(f *strict.Fields) { readBehavior(f, ev, a) })
	switch word := f.String("action"); word {
	case "":
	case "accept":
		decide(a, trammel.Allow)
	case "decline", "cancel":
		decide(a, trammel.Deny)
	default:
		f.Refuse("action", "accept, decline or cancel")
	}
	updateInput(f, ev, a)
	if output := f.Any("updatedToolOutput"); output != nil {
		text := outputText(output)
		a.Output = &text
	}
	if context := f.String("additionalContext"); context != "" {
		if ev.Kind == trammel.Stop || ev.Kind == trammel.SubagentStop { // there it makes the agent go on
			if a.Decision != trammel.Deny {
				a.Decision, a.Reason = trammel.Deny, context
			}
		} else {
			a.Context = []string{context}
		}
	}
	ignored(f, a)
	outer.Fail(f.Err())
}

// readBehavior reads the answer to a PermissionRequest.
func readBehavior(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	switch word := f.String("behavior"); word {
	case "allow":
		decide(a, trammel.Allow)
	case "deny":
		decide(a, trammel.Deny)
	default:
		f.Refuse("behavior", "allow or deny")
	}
	if message := f.String("message"); message != "" {
		a.Reason = message
	}
	updateInput(f, ev, a)
	f.Any("interrupt")
	if f.Any("updatedPermissions") != nil {
		a.Diagnostics = append(a.Diagnostics, "updatedPermissions is not carried out: a hook does not widen what is permitted later")
	}
}

func decide(a *trammel.Answer, d trammel.Decision) { a.Decision = max(a.Decision, d) }

// updateInput reads new arguments as a patch in the host's own names. What the
// program gave back unchanged is not a rewrite.
func updateInput(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	updated := f.Object("updatedInput")
	if updated == nil {
		return
	}
	if ev.Tool == nil {
		f.Refuse("updatedInput", "nothing: this event has no tool call")
		return
	}
	shown := present(ev)
	for _, key := range slices.Sorted(maps.Keys(updated)) {
		value := updated[key]
		if old, there := shown.input[key]; there && reflect.DeepEqual(old, value) {
			continue
		}
		name, renamed := shown.from[key]
		if !renamed {
			name = key
		}
		if name == "" {
			f.Refuse("updatedInput."+key, fmt.Sprintf("it unchanged: %s has no single argument for it", ev.Tool.Name))
			return
		}
		if a.Input == nil {
			a.Input = map[string]any{}
		}
		a.Input[name] = value
	}
}

// ignored notes fields that Claude Code ignores too.
func ignored(f *strict.Fields, a *trammel.Answer) {
	for _, key := range slices.Sorted(maps.Keys(f.Rest())) {
		a.Diagnostics = append(a.Diagnostics, fmt.Sprintf("field %q is not known and was ignored", key))
		f.Any(key)
	}
}

func malformed(err error) error {
	var f *trammel.Failure
	if errors.As(err, &f) && f.Code == trammel.CodeUnknownField {
		return err
	}
	return trammel.Fail(trammel.CodeMalformed, "answer cannot be read: %w", err)
}
