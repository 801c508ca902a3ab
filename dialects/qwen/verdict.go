package qwen

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/claudelike"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that Qwen Code honours on this
// event. Nothing to say is an empty stdout and exit code 0.
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	// A verdict that comes here undegraded must not leave in a form that the
	// host ignores; one that is degraded already is not changed.
	dialects.Degrade(ev, v, dialects.PowersFor(d, ev, v))
	denied := v.Decision == trammel.Deny
	if denied && ev.Kind == trammel.Other {
		return claudelike.Exit(v.Reason)
	}
	var w strict.Writer
	w.Open()
	if denied && ev.Kind != trammel.PreToolUse && ev.Kind != trammel.PermissionRequest {
		claudelike.Block(&w, v.Reason)
	}
	w.Text("systemMessage", v.Notice)
	claudelike.Specific(&w, events.Name(ev.Kind), func(in *strict.Writer) {
		switch ev.Kind {
		case trammel.PreToolUse:
			if v.Decision >= trammel.Ask {
				claudelike.Permission(in, v.Decision.String(), v.Reason)
			}
		case trammel.PermissionRequest:
			if denied {
				claudelike.Behavior(in, "deny", v.Reason)
			}
		}
		claudelike.Context(in, v)
	})
	w.Close()
	return claudelike.Object(&w)
}
