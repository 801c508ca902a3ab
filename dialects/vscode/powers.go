package vscode

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is the host's own timeout for a hook that sets none.
const deadline = 30 * time.Second

// Powers says what VS Code does with an answer, by its documentation: before a
// call nearly all, elsewhere to stop with exit code 2.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse:
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.RewriteInput | trammel.Inject | trammel.Approve
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block
	case trammel.Stop, trammel.SubagentStop:
		p.Can = trammel.Block | trammel.Continue
	case trammel.Other:
		p.Can = trammel.Block
	}
	return p
}
