package opencode

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is how long the plugin waits for an answer.
const deadline = 30 * time.Second

// Powers says what the plugin and opencode do with an answer. A prompt cannot
// be rewritten and a session that is idle cannot be set to work again.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse:
		p.Can = trammel.Prevents | trammel.Block | trammel.RewriteInput
	case trammel.PostToolUse:
		p.Can = trammel.Block | trammel.RewriteOutput | trammel.Inject
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block | trammel.Inject
	case trammel.Other:
		p.Can = trammel.Block
	}
	return p
}
