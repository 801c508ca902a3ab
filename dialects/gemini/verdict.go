package gemini

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict writes a verdict in the form that Gemini CLI honours on this
// event. If there is nothing to say, both streams are empty and the exit code
// is 0. The reason of a blocked stop gets a mark, in the verdict as well, by
// which the prompt that Gemini makes of it is recognized.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.HostReply(d, ev, v, ev.Kind == trammel.Other, encode.Blocked, func(w *strict.Writer, v *trammel.Verdict) {
		denied := v.Decision == trammel.Deny
		if ev.Kind == trammel.Stop && denied && !strings.HasPrefix(v.Reason, goOn) {
			v.Reason = goOn + v.Reason
		}
		switch {
		case denied:
			deny(w, v.Reason)
		case ev.Kind == trammel.PostToolUse && v.Output != nil:
			deny(w, encode.Replacement(*v.Output))
		}
		w.Text("systemMessage", v.Notice)
		encode.Specific(w, Host.EventName(ev.Kind), func(in *strict.Writer) {
			if ev.Kind == trammel.PreToolUse && !denied {
				in.Map("tool_input", v.Input) // merged by the host
			}
			encode.Context(in, v)
		})
	})
}

func deny(w *strict.Writer, reason string) {
	w.Texts("decision", "deny", "reason", reason)
}
