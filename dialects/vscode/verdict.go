package vscode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/claudelike"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that VS Code documents for this
// event. Nothing to say is an empty stdout and exit code 0.
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	// A verdict that comes here undegraded must not leave in a form that the
	// host ignores; one that is degraded already is not changed.
	dialects.Degrade(ev, v, dialects.PowersFor(d, ev, v))
	if v.Decision == trammel.Deny && ev.Kind != trammel.PreToolUse {
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
	w.Text("systemMessage", v.Notice)
	claudelike.Specific(w, events.Name(ev.Kind), func(in *strict.Writer) {
		if ev.Kind == trammel.PreToolUse {
			permission(in, ev, v)
		}
		claudelike.Context(in, v)
	})
	w.Close()
}

// permission writes a decision. An allow that is not a grant stays unsaid: the
// host would take it for its user's consent.
func permission(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	switch {
	case v.Decision >= trammel.Ask:
		claudelike.Permission(w, v.Decision.String(), v.Reason)
	case v.Granted:
		claudelike.Permission(w, "allow", v.Reason)
	}
	if v.Input != nil && v.Decision != trammel.Deny {
		w.Map("updatedInput", claudelike.Input(ev, v))
	}
}
