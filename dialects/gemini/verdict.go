package gemini

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/claudelike"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that Gemini CLI honours on this
// event. Nothing to say is exit code 0 and silence on both streams. The reason
// of a stop-block gets a mark, in the verdict as well, by which the prompt that
// Gemini makes of it is known again.
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	// A verdict that comes here undegraded must not leave in a form that the
	// host ignores; one that is degraded already is not changed.
	dialects.Degrade(ev, v, dialects.PowersFor(d, ev, v))
	if ev.Kind == trammel.Stop && v.Decision == trammel.Deny && !strings.HasPrefix(v.Reason, goOn) {
		v.Reason = goOn + v.Reason
	}
	if ev.Kind == trammel.Other && v.Decision == trammel.Deny {
		return claudelike.Exit(v.Reason)
	}
	var w strict.Writer
	say(&w, ev, v)
	if err := w.Err(); err != nil {
		// A rewrite without a JSON form cannot be carried out, so the call must not run.
		w = strict.Writer{}
		say(&w, ev, &trammel.Verdict{Answer: trammel.Denial("Trammel's verdict cannot be written as JSON: " + err.Error())})
	}
	return claudelike.Object(&w)
}

func say(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	w.Open()
	denied := v.Decision == trammel.Deny
	switch {
	case denied:
		deny(w, v.Reason)
	case ev.Kind == trammel.PostToolUse && v.Output != nil:
		deny(w, claudelike.Replacement(*v.Output))
	}
	w.Text("systemMessage", v.Notice)
	claudelike.Specific(w, events.Name(ev.Kind), func(in *strict.Writer) {
		if ev.Kind == trammel.PreToolUse && !denied {
			in.Map("tool_input", v.Input) // merged by the host
		}
		claudelike.Context(in, v)
	})
	w.Close()
}

func deny(w *strict.Writer, reason string) {
	w.Text("decision", "deny")
	w.Text("reason", reason)
}
