package qwen

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that Qwen Code honours on this
// event. Nothing to say is an empty stdout and exit code 0.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.Settled(d, ev, v, ev.Kind == trammel.Other, encode.Blocked, func(w *strict.Writer, v *trammel.Verdict) {
		denied := v.Decision == trammel.Deny
		if denied && ev.Kind != trammel.PreToolUse && ev.Kind != trammel.PermissionRequest {
			encode.Block(w, v.Reason)
		}
		w.Text("systemMessage", v.Notice)
		encode.Specific(w, Host.EventName(ev.Kind), func(in *strict.Writer) {
			switch {
			case ev.Kind == trammel.PreToolUse:
				encode.Permission(in, encode.Word(v), v.Reason)
			case denied && ev.Kind == trammel.PermissionRequest:
				encode.Behavior(in, "deny", v.Reason, nil)
			}
			encode.Context(in, v)
		})
	})
}
