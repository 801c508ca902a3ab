package pi

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is how long the extension waits for an answer.
const deadline = 30 * time.Second

// Powers says what the extension and pi do with an answer. Context for a
// prompt or a session waits for before_agent_start, which follows both.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse:
		p.Can = trammel.Prevents | trammel.Block | trammel.RewriteInput
	case trammel.PostToolUse:
		p.Can = trammel.Block | trammel.RewriteOutput | trammel.Inject
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block | trammel.RewriteInput
	case trammel.TurnStart:
		p.Can = trammel.Inject
	case trammel.Stop:
		p.Can = trammel.Block | trammel.Continue
		p.Endless = true
	case trammel.Other:
		p.Can = trammel.Block
	}
	return p
}

// Narrow takes away what is done only with some answers: of a prompt the text
// is rewritten and nothing else, a person's own command is blocked or runs as
// it is, and a turn takes context only before the agent starts.
func (Dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	switch {
	case ev.Kind == trammel.UserPromptSubmit:
		if _, ok := v.Input["prompt"].(string); !ok || len(v.Input) != 1 {
			p.Can &^= trammel.RewriteInput
		}
	case ev.Name == "user_bash":
		p.Can &^= trammel.RewriteInput
	case ev.Name == "turn_start":
		p.Can &^= trammel.Inject
	}
	return p
}
