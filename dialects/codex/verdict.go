package codex

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/claudelike"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the smallest form that Codex honours on this
// event. Nothing to say is an empty stdout and exit code 0.
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	// A verdict that comes here undegraded must not leave in a form that the
	// host ignores; one that is degraded already is not changed.
	dialects.Degrade(ev, v, dialects.PowersFor(d, ev, v))
	if v.Decision == trammel.Deny {
		return deny(ev, v.Reason)
	}
	var w strict.Writer
	say(&w, ev, v)
	if err := w.Err(); err != nil {
		// A rewrite without a JSON form cannot be carried out, so the call must not run.
		return deny(ev, "Trammel's verdict cannot be written as JSON: "+err.Error())
	}
	return claudelike.Object(&w)
}

// deny says no and nothing else: whatever stands beside a denial can only make
// Codex drop it.
func deny(ev *trammel.Event, reason string) trammel.Reply {
	var w strict.Writer
	w.Open()
	switch ev.Kind {
	case trammel.PreToolUse:
		claudelike.Specific(&w, "PreToolUse", func(in *strict.Writer) { claudelike.Permission(in, "deny", reason) })
	case trammel.PermissionRequest:
		claudelike.Specific(&w, "PermissionRequest", func(in *strict.Writer) { claudelike.Behavior(in, "deny", reason) })
	case trammel.PostToolUse, trammel.UserPromptSubmit, trammel.Stop, trammel.SubagentStop:
		claudelike.Block(&w, reason)
	default:
		return claudelike.Exit(reason)
	}
	w.Close()
	return claudelike.Object(&w)
}

func say(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	w.Open()
	if ev.Kind == trammel.PostToolUse && v.Output != nil {
		claudelike.Block(w, claudelike.Replacement(*v.Output))
	}
	if takesMessage(ev.Kind) && v.Input == nil && v.Output == nil {
		w.Text("systemMessage", v.Notice)
	}
	claudelike.Specific(w, events.Name(ev.Kind), func(in *strict.Writer) {
		switch {
		case ev.Kind == trammel.PreToolUse && v.Input != nil:
			// Codex takes new arguments only together with an allow, and then
			// for the whole.
			claudelike.Permission(in, "allow", "")
			in.Map("updatedInput", claudelike.Input(ev, v))
		case ev.Kind == trammel.PermissionRequest && v.Granted:
			claudelike.Behavior(in, "allow", "")
		}
		claudelike.Context(in, v)
	})
	w.Close()
}
