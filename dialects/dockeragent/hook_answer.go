package dockeragent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// DecodeAnswer reads what a program written for docker-agent answered (DA-03):
// a JSON object, plain text where that is context, or exit code 2 with its
// reason on stderr; anything else is a failure of the hook.
//
// Under strict_output everything that would be ignored is a failure, too: plain
// text, unknown fields, and those that the event has no use for.
func (d *dialect) DecodeAnswer(ev *trammel.Event, out trammel.Output) (trammel.Answer, error) {
	a, err := d.decode(ev, out)
	if err == nil && d.strict && len(a.Diagnostics) > 0 {
		return trammel.Answer{}, trammel.Fail(trammel.CodeMalformed, "strict_output: %s", a.Diagnostics[0])
	}
	return a, err
}

func (d *dialect) decode(ev *trammel.Event, out trammel.Output) (trammel.Answer, error) {
	text, isJSON := decode.JSON(out.Stdout)
	switch {
	case out.Exit == 2:
		var a trammel.Answer
		d.block(ev, decode.Plain(out.Stderr), &a)
		return a, nil
	case out.Exit != 0:
		return trammel.Answer{}, trammel.Fail(trammel.CodeCrash, "exit code %d, expected 0 or 2", out.Exit)
	case len(text) == 0:
		return trammel.Answer{}, nil
	case isJSON:
		return d.readAnswer(ev, text)
	case takesText(ev.Kind) && !d.strict:
		return trammel.Answer{Context: []string{decode.Plain(text)}}, nil
	}
	return trammel.Answer{Diagnostics: []string{decode.Plain(text)}}, nil
}

// takesText reports whether plain text on this event is context.
func takesText(kind trammel.Kind) bool {
	return slices.Contains([]trammel.Kind{trammel.SessionStart, trammel.TurnStart, trammel.UserPromptSubmit,
		trammel.UserPromptExpansion, trammel.UserSteeringSubmit, trammel.UserFollowupSubmit, trammel.PreCompact, trammel.WorktreeCreate},
		kind)
}

// blocks reports whether programs of this system can block such an event. They
// cannot block a stop: there a block is a notice.
func (d *dialect) blocks(kind trammel.Kind) bool {
	if d.Has(kind) {
		return d.Powers(kind).Can.Any(trammel.Block)
	}
	can := kind.Can()
	return can.Any(trammel.Block) && !can.Any(trammel.Continue)
}

// block denies, or where nothing can be blocked tells the person (DA-32).
func (d *dialect) block(ev *trammel.Event, reason string, a *trammel.Answer) {
	reason = cmp.Or(reason, "Blocked by a hook that gave no reason.")
	if !d.blocks(ev.Kind) {
		a.Notice = strings.TrimSpace(a.Notice + "\n" + fmt.Sprintf("A hook wanted to block %s, which it cannot: %s", ev.Kind, reason))
		return
	}
	if a.Decision != trammel.Deny {
		a.Decision, a.Reason = trammel.Deny, reason
	}
}

func (d *dialect) readAnswer(ev *trammel.Event, text []byte) (trammel.Answer, error) {
	return decode.Answer(text, func(f *strict.Fields, a *trammel.Answer) {
		decode.Keys(f, "continue", "stop_reason", "system_message", "decision", "reason", "hook_specific_output")
		a.Notice = f.String("system_message")
		f.Bool("suppress_output")
		f.Part("hook_specific_output", func(f *strict.Fields) { d.readSpecific(f, ev, a) })
		reason := f.String("reason")
		switch f.String("decision") {
		case "", "allow", "approve": // as its own examples end: no objection
		case "block":
			d.block(ev, reason, a)
		default:
			f.Refuse("decision", "block or allow")
		}
		proceed, given := f.Rest()["continue"].(bool)
		f.Bool("continue")
		stopReason := f.String("stop_reason")
		if given && !proceed {
			d.block(ev, stopReason, a)
		}
		decode.Ignored(f, a)
	})
}

func (d *dialect) readSpecific(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	decode.Keys(f, "hook_event_name", "permission_decision", "permission_decision_reason", "updated_input",
		"additional_context", "summary", "updated_messages", "updated_tool_response", metadata)
	if name := f.String("hook_event_name"); name != "" && name != Host.Nearest(ev) {
		a.Diagnostics = append(a.Diagnostics, fmt.Sprintf("hook_event_name is %q, expected %q", name, Host.Nearest(ev)))
	}
	word, reason := f.String("permission_decision"), f.String("permission_decision_reason")
	decision, err := trammel.ParseDecision(word)
	if word != "" && (err != nil || decision == trammel.None) {
		f.Refuse("permission_decision", "allow, ask or deny")
	}
	switch can := ev.Kind.Can(); {
	case decision == trammel.Deny:
		d.block(ev, reason, a)
	case decision == trammel.Ask && can.Any(trammel.CanAsk), decision == trammel.Allow && can.Any(trammel.Approve|trammel.CanAsk):
		a.Decision, a.Reason = decision, reason
	case decision != trammel.None:
		unused(a, "permission_decision", ev)
	}
	updateInput(f, ev, a)
	readMetadata(f, ev, a)
	if messages := f.List("updated_messages"); len(messages) > 0 {
		if ev.Kind == trammel.BeforeLLMCall {
			a.Input = map[string]any{"messages": messages}
		} else {
			unused(a, "updated_messages", ev)
		}
	}
	_, there := f.Rest()["updated_tool_response"].(string)
	if output := f.String("updated_tool_response"); there {
		if ev.Tool != nil && ev.Kind.Can().Any(trammel.RewriteOutput) {
			a.Output = &output
		} else {
			unused(a, "updated_tool_response", ev)
		}
	}
	if summary := f.String("summary"); summary != "" {
		if ev.Kind == trammel.BeforeCompaction {
			a.Summary = summary
		} else {
			unused(a, "summary", ev)
		}
	}
	if context := f.String("additional_context"); strings.TrimSpace(context) != "" {
		if takesText(ev.Kind) || ev.Kind == trammel.PreToolUse {
			a.Context = []string{context}
		} else {
			unused(a, "additional_context", ev)
		}
	}
	decode.Ignored(f, a)
}

// updateInput reads new arguments as a patch in the host's own names. Unchanged
// arguments are not a rewrite.
func updateInput(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	updated := f.Object("updated_input")
	if updated == nil {
		return
	}
	if ev.Tool == nil || !ev.Kind.Can().Any(trammel.RewriteInput) {
		unused(a, "updated_input", ev)
		return
	}
	a.Input = present(ev).Patch(f, "updated_input", updated)
}

// readMetadata reads what the person should see with the question. It becomes
// facts, which rules can use, and is sent to a host that shows it.
func readMetadata(f *strict.Fields, ev *trammel.Event, a *trammel.Answer) {
	data := f.Object("metadata")
	for key, v := range data {
		if _, ok := v.(string); !ok {
			f.Refuse("metadata", "texts, and "+key+" is none")
		}
	}
	switch {
	case len(data) == 0:
	case ev.Kind == trammel.PreToolUse || ev.Kind == trammel.PermissionRequest:
		a.Facts = map[string]any{metadata: data}
	default:
		unused(a, metadata, ev)
	}
}

const metadata = "metadata"

func unused(a *trammel.Answer, field string, ev *trammel.Event) {
	a.Diagnostics = append(a.Diagnostics, fmt.Sprintf("%s is not used on %s", field, ev.Kind))
}

// Ceiling is what docker-agent lets a hook do. For events that it does not
// have, there is no further limit.
func (d *dialect) Ceiling(kind trammel.Kind) trammel.Authority {
	can := kind.Can()
	if d.Has(kind) {
		can = d.Powers(kind).Can
	}
	if !d.blocks(kind) {
		can &^= trammel.Block | trammel.Continue
	}
	return dialects.Authority(can)
}
