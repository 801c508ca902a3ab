package codex

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
	"slices"
)

// EncodeVerdict writes a verdict in the smallest form that Codex accepts for
// this event. If there is nothing to say, stdout is empty and the exit code is
// 0.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.HostReply(d, ev, v, !takesJSON(ev.Kind), encode.Blocked, func(w *strict.Writer, v *trammel.Verdict) {
		if v.Decision == trammel.Deny {
			deny(w, ev.Kind, v.Reason)
			return
		}
		say(w, ev, v)
	})
}

// takesJSON reports whether such an event is denied with JSON; all others are
// denied by exit code.
func takesJSON(kind trammel.Kind) bool {
	return slices.Contains([]trammel.Kind{trammel.PreToolUse, trammel.PermissionRequest, trammel.PostToolUse,
		trammel.UserPromptSubmit, trammel.Stop, trammel.SubagentStop}, kind)
}

// deny writes a denial and nothing else: any other field could make Codex drop
// it.
func deny(w *strict.Writer, kind trammel.Kind, reason string) {
	switch kind {
	case trammel.PreToolUse:
		encode.Specific(w, "PreToolUse", func(in *strict.Writer) { encode.Permission(in, "deny", reason) })
	case trammel.PermissionRequest:
		encode.Specific(w, "PermissionRequest", func(in *strict.Writer) { encode.Behavior(in, "deny", reason, nil) })
	default:
		encode.Block(w, reason)
	}
}

func say(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	if ev.Kind == trammel.PostToolUse && v.Output != nil {
		encode.Block(w, encode.Replacement(*v.Output))
	}
	if takesMessage(ev.Kind) && v.Input == nil && v.Output == nil {
		w.Text("systemMessage", v.Notice)
	}
	encode.Specific(w, Host.EventName(ev.Kind), func(in *strict.Writer) {
		switch {
		case ev.Kind == trammel.PreToolUse && v.Input != nil:
			// Codex accepts new arguments only together with an allow, and then
			// as a whole.
			encode.Permission(in, "allow", "")
			in.Map("updatedInput", encode.Input(ev, v))
		case ev.Kind == trammel.PermissionRequest && v.Granted:
			encode.Behavior(in, "allow", "", nil)
		}
		encode.Context(in, v)
	})
}

// takesMessage reports whether Codex's schema has a message to its user on
// this event.
func takesMessage(kind trammel.Kind) bool {
	return kind != trammel.SessionEnd && kind != trammel.Interrupt && Host.Has(kind)
}
