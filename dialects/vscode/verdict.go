package vscode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict writes a verdict in the form that VS Code documents for this
// event. If there is nothing to say, stdout is empty and the exit code is 0.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.HostReply(d, ev, v, ev.Kind != trammel.PreToolUse, encode.Blocked, func(w *strict.Writer, v *trammel.Verdict) {
		w.Text("systemMessage", v.Notice)
		encode.Specific(w, Host.EventName(ev.Kind), func(in *strict.Writer) {
			if ev.Kind == trammel.PreToolUse {
				encode.Permission(in, encode.Word(v), v.Reason)
				if v.Decision != trammel.Deny {
					in.Map("updatedInput", encode.Input(ev, v))
				}
			}
			encode.Context(in, v)
		})
	})
}
