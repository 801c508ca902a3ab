package dockeragent

import (
	"time"

	"github.com/trammel-dev/trammel"
)

// deadline is the host's own default for a hook.
const deadline = 60 * time.Second

// Powers says what docker-agent does with an answer. It throws away context
// around a tool call and at a stop, and takes a block there for a remark.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: deadline}
	switch kind {
	case trammel.ToolInputTransform, trammel.BeforeLLMCall:
		p.Can = trammel.Prevents | trammel.Block | trammel.RewriteInput
	case trammel.ToolGuard:
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk
	case trammel.PreToolUse:
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.RewriteInput | trammel.Approve
	case trammel.PermissionRequest:
		// The host is about to ask: saying nothing is asking.
		p.Can = trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.Approve
	case trammel.ToolResponseTransform:
		p.Can = trammel.RewriteOutput
	case trammel.UserPromptSubmit, trammel.UserSteeringSubmit, trammel.UserFollowupSubmit, trammel.WorktreeCreate:
		p.Can = trammel.Prevents | trammel.Block | trammel.Inject
	case trammel.PreCompact:
		p.Can = trammel.Block | trammel.Inject
	case trammel.BeforeCompaction:
		p.Can = trammel.Block | trammel.RewriteOutput
	case trammel.PostToolUse, trammel.Other:
		p.Can = trammel.Block
	case trammel.SessionStart, trammel.TurnStart:
		p.Can = trammel.Inject
	}
	return p
}

// Narrow takes away what the host does only with some answers: of what goes to
// the model it takes the whole list of messages and nothing else, and of a
// compaction it takes the summary.
func (Dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	switch ev.Kind {
	case trammel.BeforeLLMCall:
		if list, ok := v.Input["messages"].([]any); !ok || len(list) == 0 || len(v.Input) != 1 {
			p.Can &^= trammel.RewriteInput
		}
	case trammel.BeforeCompaction:
		if v.Summary == "" {
			p.Can &^= trammel.RewriteOutput
		}
	}
	return p
}
