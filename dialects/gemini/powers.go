package gemini

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is the timeout that the wiring sets for a hook, in the host's own
// milliseconds; short is for events whose answer changes nothing: PreCompress
// fires before every call of the model, and nobody waits for SessionEnd.
const (
	deadline = 30 * time.Second
	short    = 5 * time.Second
)

// Powers says what Gemini CLI does with an answer.
//
// It can ask, but not without a terminal, where it hangs; so it cannot.
// Context before a call is ignored. After a call a denial replaces the output
// by its reason, which is how an output is rewritten. What could be done to the
// model's requests, answers and choice of tools was not seen to work, or has no
// place for a reason, and is not claimed. An event of kind Other can be blocked
// in so far as exit code 2 is the most general block.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse:
		p.Can = trammel.Prevents | trammel.Block | trammel.RewriteInput
	case trammel.PostToolUse:
		p.Can = trammel.Block | trammel.RewriteOutput | trammel.Inject
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block | trammel.Inject
	case trammel.Stop:
		p.Endless = true
		p.Can = trammel.Block | trammel.Continue
	case trammel.BeforeLLMCall:
		p.Can = trammel.Prevents | trammel.Block
	case trammel.SessionStart:
		p.Can = trammel.Inject
	case trammel.Other:
		p.Can = trammel.Block
	case trammel.PreCompact, trammel.SessionEnd, trammel.Notification:
		p.Deadline = short
	}
	return p
}
