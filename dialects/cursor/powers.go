package cursor

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is the timeout that the wiring sets for a hook.
const deadline = 30 * time.Second

// Powers says what Cursor does with an answer, by its documentation.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse:
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.Approve
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block
	case trammel.PostToolUse, trammel.SessionStart:
		p.Can = trammel.Inject
	case trammel.Stop, trammel.SubagentStop:
		p.Can = trammel.Block | trammel.Continue
	case trammel.SubagentStart, trammel.Other:
		p.Can = trammel.Block
	}
	return p
}

// Narrow: a person is asked only about shell commands and MCP tools, and
// context is taken only by the general event after a tool.
func (Dialect) Narrow(ev *trammel.Event, _ *trammel.Verdict, p trammel.Powers) trammel.Powers {
	switch {
	case ev.Kind == trammel.PreToolUse && ev.Name != "beforeShellExecution" && ev.Name != "beforeMCPExecution":
		p.Can &^= trammel.CanAsk | trammel.Approve
	case ev.Kind == trammel.PostToolUse && ev.Name != "postToolUse":
		p.Can &^= trammel.Inject
	}
	return p
}
