// Package budget is the policy budget: it limits the turns, tool calls, tokens,
// money and time of a session. It counts across all processes, and sub-agents
// count for the session that started them.
package budget

import (
	"context"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("budget", trammel.Guard, "ends a session that has used up its turns, tool calls, tokens, money or time",
		options{Warn: 80}, build,
		trammel.PreToolUse, trammel.UserPromptSubmit, trammel.BeforeLLMCall, trammel.AfterLLMCall, trammel.SubagentStop)
}

type options struct {
	Turns  int64            `json:"max_turns,omitempty" jsonschema:"How many prompts of a person a session may take."`
	Calls  int64            `json:"max_tool_calls,omitempty" jsonschema:"How many tool calls a session may make."`
	Tokens int64            `json:"max_tokens,omitempty" jsonschema:"How many tokens a session may use: input, output and cache writes."`
	Cost   float64          `json:"max_cost,omitempty" jsonschema:"How much a session may cost, in the currency of the prices or of the host."`
	Time   option.Duration  `json:"max_time,omitempty" jsonschema:"How long a session may last, from its first event on."`
	Warn   int64            `json:"warn_at,omitempty" jsonschema:"At how many percent the model is warned, once; 0 is never."`
	Shared bool             `json:"shared,omitempty" jsonschema:"Whether the counts are kept in the store of approvals.store, which several machines can share, and not in this machine's files."`
	Prices map[string]price `json:"prices,omitempty" jsonschema:"What models cost, by name or pattern, where the host does not say."`
}

type price struct {
	Input       float64 `json:"input,omitempty" jsonschema:"A million tokens of input."`
	Output      float64 `json:"output,omitempty" jsonschema:"A million tokens of output."`
	CachedInput float64 `json:"cached_input,omitempty" jsonschema:"A million tokens read from the cache."`
	CachedWrite float64 `json:"cached_write,omitempty" jsonschema:"A million tokens written to the cache."`
}

func build(o options, spec trammel.Spec) (trammel.Handler, error) {
	p := &policy{options: o, hook: spec.Hook}
	if p.Turns < 0 || p.Calls < 0 || p.Tokens < 0 || p.Cost < 0 || p.Cost > maxCost {
		return nil, &option.Error{Message: "a limit is negative or too large", Expected: "a number above 0"}
	}
	if p.Turns == 0 && p.Calls == 0 && p.Tokens == 0 && p.Cost == 0 && p.Time == 0 {
		return nil, &option.Error{Message: "no limit is set", Expected: "at least one of max_turns, max_tool_calls, max_tokens, max_cost, " +
			"max_time"}
	}
	if p.Warn < 0 || p.Warn > 100 {
		return nil, &option.Error{Key: "warn_at", Message: fmt.Sprintf("found %d", p.Warn), Expected: "a percentage from 0 to 100"}
	}
	var err error
	p.state, err = state.Choose(spec, o.Shared)
	return p, err
}

type policy struct {
	options
	hook  string
	state trammel.State
}

// Explain says what it limits.
func (p *policy) Explain() string {
	var words []string
	for _, m := range p.measures(trammel.Other) {
		words = append(words, m.amount(m.limit))
	}
	return "at most " + strings.Join(words, ", ") + " in a session"
}

// Handle counts what the event uses, and denies it if a budget is used up.
func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Counted(p.hook) {
		return trammel.Answer{}, nil
	}
	if ev.Kind != trammel.AfterLLMCall && ev.Kind != trammel.SubagentStop && !ev.Kind.FailsClosed() {
		return trammel.Answer{}, nil // uses nothing, and is not about to
	}
	if ev.Kind == trammel.UserPromptSubmit && ev.Prompt != nil && ev.Prompt.Synthetic {
		return trammel.Answer{}, nil // not a person's prompt
	}
	b := book{policy: p, counters: state.CountersOf(p.state, ev).PerCall(ev), ev: ev}
	var err error
	if b.session, err = b.family(ctx); err != nil {
		return trammel.Answer{}, err
	}
	switch ev.Kind {
	case trammel.AfterLLMCall:
		return trammel.Answer{}, b.enter(ctx)
	case trammel.SubagentStop:
		if p.Tokens > 0 || p.Cost > 0 {
			_, err = b.transcript(ctx)
		}
		return trammel.Answer{}, err
	}
	return b.judge(ctx)
}
