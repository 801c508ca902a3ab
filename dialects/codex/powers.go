package codex

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is the timeout that the wiring sets for a hook; short is what Codex
// cuts it to on events at which it is about to leave.
const (
	deadline = 30 * time.Second
	short    = 3 * time.Second
)

// Powers says what Codex does with an answer.
//
// It cannot ask, also not when it is about to ask itself, because then a
// reviewer that is no person may answer. An allow before a call is no grant: it
// only comes with new arguments. After a call a block replaces the output by
// its reason, which is how an output is rewritten. A compaction or the start of
// a session could be ended with continue:false, but that ends more than the
// event, so it is not used. An event of kind Other can be blocked in so far as
// exit code 2 is the most general block.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse:
		p.Can = trammel.Prevents | trammel.Block | trammel.RewriteInput | trammel.Inject
	case trammel.PermissionRequest:
		p.Can = trammel.Prevents | trammel.Block | trammel.Approve
	case trammel.PostToolUse:
		p.Can = trammel.Block | trammel.RewriteOutput | trammel.Inject
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block | trammel.Inject
	case trammel.SessionStart, trammel.SubagentStart:
		p.Can = trammel.Inject
	case trammel.Stop, trammel.SubagentStop:
		p.Endless = true
		p.Can = trammel.Block | trammel.Continue
	case trammel.SessionEnd, trammel.Interrupt:
		p.Deadline = short
	case trammel.Other:
		p.Can = trammel.Block
	}
	return p
}

// takesMessage reports whether Codex's schema has a message to its user on
// this event.
func takesMessage(kind trammel.Kind) bool {
	switch kind {
	case trammel.SessionEnd, trammel.Interrupt, trammel.Other:
		return false
	}
	return events.Name(kind) != ""
}
