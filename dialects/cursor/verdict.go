package cursor

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that Cursor documents. Nothing to
// say is an empty stdout and exit code 0. What is for the person goes with a
// decision where there is one, else to stderr.
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.Degrade(ev, v, dialects.PowersFor(d, ev, v))
	if ev.Kind == trammel.Other && v.Decision == trammel.Deny {
		return trammel.Reply{Exit: 2, Stderr: []byte(v.Reason + "\n")}
	}
	var w strict.Writer
	w.Open()
	switch ev.Kind {
	case trammel.PreToolUse, trammel.SubagentStart:
		permission(&w, v)
	case trammel.UserPromptSubmit:
		if v.Decision == trammel.Deny {
			w.Key("continue")
			w.Bool(false)
			w.Text("user_message", v.Reason)
		}
	case trammel.Stop, trammel.SubagentStop:
		if v.Decision == trammel.Deny {
			w.Text("followup_message", v.Reason)
		}
	}
	w.Text("additional_context", strings.Join(v.Context, "\n\n"))
	w.Close()
	var r trammel.Reply
	if text := w.Bytes(); len(text) > len("{}") {
		r.Stdout = append(text, '\n')
	}
	if v.Notice != "" {
		r.Stderr = []byte(v.Notice + "\n")
	}
	return r
}

// permission writes a decision. An allow that is not a grant stays unsaid: the
// host would take it for its user's consent.
func permission(w *strict.Writer, v *trammel.Verdict) {
	switch {
	case v.Decision == trammel.Deny:
		w.Text("permission", "deny")
	case v.Decision == trammel.Ask:
		w.Text("permission", "ask")
	case v.Granted:
		w.Text("permission", "allow")
		return
	default:
		return
	}
	w.Text("user_message", v.Reason)
	w.Text("agent_message", v.Reason)
}
