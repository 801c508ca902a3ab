package cursor

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict writes a verdict in the form that Cursor documents. If there is
// nothing to say, stdout is empty and the exit code is 0. What is for the
// person goes with a decision where there is one, else to stderr.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.Notice(encode.HostReply(d, ev, v, ev.Kind == trammel.Other, encode.Exit,
		func(w *strict.Writer, v *trammel.Verdict) { say(w, ev.Kind, v) }), v)
}

func say(w *strict.Writer, kind trammel.Kind, v *trammel.Verdict) {
	denied := v.Decision == trammel.Deny
	switch kind {
	case trammel.PreToolUse, trammel.SubagentStart:
		w.Text("permission", encode.Word(v))
		if v.Decision >= trammel.Ask {
			w.Texts("user_message", v.Reason, "agent_message", v.Reason)
		}
	case trammel.UserPromptSubmit:
		if denied {
			w.Any("continue", false)
			w.Text("user_message", v.Reason)
		}
	case trammel.Stop, trammel.SubagentStop:
		if denied {
			w.Text("followup_message", v.Reason)
		}
	}
	w.Text("additional_context", encode.Joined(v))
}
