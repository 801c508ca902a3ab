package claudecode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
	"slices"
)

// EncodeVerdict writes a verdict in the form that Claude Code accepts for this
// event. If there is nothing to say, stdout is empty and the exit code is 0.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.DegradeForHost(d, ev, v)
	notice := v.Notice
	if noSystemMessage(ev.Kind) {
		notice = ""
	}
	form := form(ev.Kind)
	r := encode.Verdict(v, func(w *strict.Writer, v *trammel.Verdict) {
		if v.Decision == trammel.Deny && form == blockForm {
			encode.Block(w, v.Reason)
		}
		w.Text("systemMessage", notice)
		encode.Specific(w, Host.EventName(ev.Kind), func(in *strict.Writer) { specific(in, ev, v) })
	})
	if notice == "" {
		r = encode.Notice(r, v) // the host's debug log is all that is left
	}
	if v.Decision == trammel.Deny && form == exitForm {
		r.Exit, r.Stderr = 2, []byte(v.Reason+"\n")
	}
	return r
}

// noSystemMessage reports whether the host drops a message to its user on this
// event, or gives it to the model instead.
func noSystemMessage(kind trammel.Kind) bool {
	return slices.Contains([]trammel.Kind{trammel.Setup, trammel.SessionEnd, trammel.StopFailure, trammel.Notification,
		trammel.MessageDisplay, trammel.InstructionsLoaded, trammel.ConfigChange, trammel.DirectoryAdded, trammel.WorktreeCreate,
		trammel.WorktreeRemove, trammel.PreCompact, trammel.PostCompact, trammel.Elicitation, trammel.ElicitationResult,
		trammel.PermissionDenied, trammel.Other}, kind)
}

// The forms in which the host takes a denial.
const (
	specificForm = iota // inside hookSpecificOutput
	blockForm           // {"decision":"block","reason":…}
	exitForm            // exit code 2, the reason on stderr
)

func form(kind trammel.Kind) int {
	switch kind {
	case trammel.PreToolUse, trammel.PermissionRequest, trammel.PreModelSwitch:
		return specificForm
	case trammel.TaskCreated, trammel.TaskCompleted, trammel.TeammateIdle, trammel.WorktreeCreate,
		trammel.Elicitation, trammel.ElicitationResult, trammel.Other:
		return exitForm
	}
	return blockForm
}

// specific writes hookSpecificOutput. Its hookEventName has to be exact: with a
// wrong one the host ignores all of it.
func specific(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	denied := v.Decision == trammel.Deny
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PreModelSwitch:
		encode.Permission(w, encode.Word(v), v.Reason)
		if !denied {
			w.Map("updatedInput", encode.Input(ev, v))
		}
	case trammel.PermissionRequest:
		if denied {
			encode.Behavior(w, "deny", v.Reason, nil)
		} else if v.Granted {
			encode.Behavior(w, "allow", "", encode.Input(ev, v))
		}
	case trammel.PostToolUse:
		if v.Output != nil {
			w.Any("updatedToolOutput", reshape(ev.Tool, *v.Output))
		}
	}
	encode.Context(w, v)
}

// LimitPowers removes what the host does only with some answers: it replaces a
// tool's output only in the tool's own shape, changes the arguments of a call
// that it is asking about only together with an approval, and does not let
// hooks block a change of its managed settings.
func (d *dialect) LimitPowers(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	switch ev.Kind {
	case trammel.PostToolUse:
		if v.Output != nil && reshape(ev.Tool, *v.Output) == nil {
			p.Can &^= trammel.RewriteOutput
		}
	case trammel.PermissionRequest:
		if !v.Granted {
			p.Can &^= trammel.RewriteInput
		}
	case trammel.ConfigChange:
		if ev.Source == "policy_settings" {
			p.Can &^= trammel.Block
		}
	}
	return p
}
