package claudecode

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is the timeout that the wiring sets for a hook.
const deadline = 30 * time.Second

// Powers says what Claude Code does with an answer.
//
// Stop has no context: the host would take it for a reason to go on. Setup has
// none because the host drops it; it waits for the session to start. An event
// of kind Other can be blocked in so far as exit code 2 is the most general
// block that the host knows.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse:
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.RewriteInput | trammel.Inject | trammel.Approve
	case trammel.PermissionRequest:
		// The host is about to ask: saying nothing is asking.
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.RewriteInput | trammel.Approve
	case trammel.PostToolUse:
		p.Can = trammel.Block | trammel.RewriteOutput | trammel.Inject
	case trammel.PostToolFailure, trammel.PostToolBatch:
		p.Can = trammel.Block | trammel.Inject
	case trammel.UserPromptSubmit, trammel.UserPromptExpansion:
		p.Can = trammel.Prevents | trammel.Block | trammel.Inject
	case trammel.SessionStart, trammel.SubagentStart:
		p.Can = trammel.Inject
	case trammel.Stop, trammel.SubagentStop, trammel.TeammateIdle:
		p.Can = trammel.Block | trammel.Continue
	case trammel.PreModelSwitch:
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk
	case trammel.ConfigChange, trammel.WorktreeCreate, trammel.Elicitation, trammel.ElicitationResult:
		p.Can = trammel.Prevents | trammel.Block
	case trammel.PreCompact, trammel.TaskCreated, trammel.TaskCompleted, trammel.Other:
		p.Can = trammel.Block
	case trammel.SessionEnd:
		p.Deadline = 1500 * time.Millisecond // all hooks together, unless the settings raise it
	case trammel.MessageDisplay:
		p.Deadline = 10 * time.Second
	}
	return p
}

// Narrow takes away what the host does only with some answers: it replaces a
// tool's output only in the tool's own shape, changes the arguments of a call
// that it is asking about only together with an approval, and does not let
// hooks block a change of its managed settings.
func (Dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
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

// noSystemMessage reports whether the host drops a message to its user on this
// event, or gives it to the model instead.
func noSystemMessage(kind trammel.Kind) bool {
	switch kind {
	case trammel.Setup, trammel.SessionEnd, trammel.StopFailure, trammel.Notification, trammel.MessageDisplay, trammel.InstructionsLoaded,
		trammel.ConfigChange, trammel.DirectoryAdded, trammel.WorktreeCreate, trammel.WorktreeRemove, trammel.PreCompact, trammel.PostCompact,
		trammel.Elicitation, trammel.ElicitationResult, trammel.PermissionDenied, trammel.Other:
		return true
	}
	return false
}
