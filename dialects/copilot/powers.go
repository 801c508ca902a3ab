package copilot

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is the timeout that the wiring sets for a hook.
const deadline = 30 * time.Second

// Powers says what Copilot CLI does with an answer. Without a person it takes
// an ask for a denial.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse:
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.RewriteInput | trammel.Inject | trammel.Approve
	case trammel.PermissionRequest:
		// The host is about to ask: saying nothing is asking.
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.Approve
	case trammel.PostToolUse:
		p.Can = trammel.Block | trammel.RewriteOutput | trammel.Inject
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block | trammel.RewriteInput | trammel.Inject
	case trammel.Stop, trammel.SubagentStop:
		p.Can = trammel.Block | trammel.Continue
	case trammel.PostToolFailure, trammel.SessionStart, trammel.SubagentStart, trammel.Notification:
		p.Can = trammel.Inject
	case trammel.Other:
		p.Can = trammel.Block
	}
	return p
}

// Narrow takes away what was not measured in the second language, and of a
// prompt every rewrite but that of its text.
func (Dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	if _, l := exact(ev.Name); l != flat {
		p.Can &^= trammel.RewriteInput | trammel.RewriteOutput
	}
	if ev.Kind == trammel.UserPromptSubmit {
		if _, ok := v.Input["prompt"].(string); !ok || len(v.Input) != 1 {
			p.Can &^= trammel.RewriteInput
		}
	}
	return p
}
