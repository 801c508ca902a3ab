package qwen

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is the timeout that the wiring sets for a hook.
const deadline = 30 * time.Second

// Powers says what Qwen Code does with an answer. It can ask; without a
// terminal that is a denial with the reason told. A block of a batch of calls
// replaces their results by the reason. PermissionRequest and
// UserPromptExpansion were not reached when the host was measured: that they
// can be blocked is what its documentation says, and saying nothing to the
// former is asking. An event of kind Other can be blocked in so far as exit
// code 2 is the most general block.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse, trammel.PermissionRequest:
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk
	case trammel.PostToolUse, trammel.SessionStart:
		p.Can = trammel.Inject
	case trammel.PostToolBatch, trammel.Other:
		p.Can = trammel.Block
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block | trammel.Inject
	case trammel.UserPromptExpansion:
		p.Can = trammel.Prevents | trammel.Block
	case trammel.Stop:
		p.Can = trammel.Block | trammel.Continue
	}
	return p
}
