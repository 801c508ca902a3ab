package kiro

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is the host's own default for a hook.
const deadline = 30 * time.Second

// Powers says what Kiro does with an answer.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.PreToolUse, trammel.PreTaskExec:
		p.Can = trammel.Prevents | trammel.Block
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block | trammel.Inject
	case trammel.SessionStart:
		p.Can = trammel.Inject
	case trammel.Other:
		p.Can = trammel.Block
	}
	return p
}

// Narrow: v2 blocks tool calls only.
func (Dialect) Narrow(ev *trammel.Event, _ *trammel.Verdict, p trammel.Powers) trammel.Powers {
	if ev.Name == "userPromptSubmit" {
		p.Can &^= trammel.Block | trammel.Prevents
	}
	return p
}
