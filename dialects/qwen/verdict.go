package qwen

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict writes a verdict in the form that Qwen Code accepts for this
// event. If there is nothing to say, stdout is empty and the exit code is 0.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.HostReply(d, ev, v, ev.Kind == trammel.Other, encode.Blocked, func(w *strict.Writer, v *trammel.Verdict) {
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
