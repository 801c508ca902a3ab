// Package loopdetector is the policy loop-detector: an agent that repeats the
// same call, or the same short cycle of calls, is told to stop and think (DA-51).
package loopdetector

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strconv"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("loop-detector", trammel.Guard, "denies a tool call that an agent keeps repeating, alone or in a short cycle",
		options{Max: 5, Cycle: 3, Exempt: []string{"BashOutput", "TaskOutput", "write_stdin", "view_background_*", "wait_*", "*_wait",
			"sleep"}}, build,
		trammel.PreToolUse, trammel.PostToolUse, trammel.PostToolFailure, trammel.UserPromptSubmit)
}

type options struct {
	Max    int      `json:"max,omitempty" jsonschema:"The number of repetitions in a row at which the call is denied."`
	Cycle  int      `json:"cycle,omitempty" jsonschema:"How many calls a cycle may have to be noticed; 1 looks only for the same call."`
	Exempt []string `json:"exempt,omitempty" jsonschema:"Tools that may be asked again and again because they wait for something, as names or patterns with * and ?."`
	Output bool     `json:"new_output_resets,omitempty" jsonschema:"Whether a call whose output differs from last time counts as progress."`
}

// The maximum values of the options.
const maxMax, maxCycle = 100, 8

func build(o options, spec trammel.Spec) (trammel.Handler, error) {
	p := &policy{o, spec.Hook, spec.State}
	return p, cmp.Or(option.Between("max", o.Max, 2, maxMax), option.Between("cycle", o.Cycle, 1, maxCycle))
}

type policy struct {
	options
	hook  string
	state trammel.State
}

// Explain says what it looks for.
func (p *policy) Explain() string {
	return fmt.Sprintf("the same call %d times in a row, or a cycle of up to %d calls as often", p.Max, p.Cycle)
}

// Handle remembers the call, and denies it if it closes a loop.
func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	switch ev.Kind {
	case trammel.PreToolUse:
		if ev.Tool != nil && !ev.Counted(p.hook) && !p.exempt(ev) {
			return p.judge(ctx, ev)
		}
	case trammel.PostToolUse, trammel.PostToolFailure:
		if p.Output && ev.Tool != nil && !p.exempt(ev) {
			id := digest(call(ev))
			return trammel.Answer{}, p.update(ctx, ev, func(h *history) { h.learn(id, digest(ev.Tool.Output+ev.Tool.Error)) })
		}
	case trammel.UserPromptSubmit:
		if ev.Prompt == nil || !ev.Prompt.Synthetic { // a person may want to repeat it
			return trammel.Answer{}, p.update(ctx, ev, func(h *history) { h.calls = nil })
		}
	}
	return trammel.Answer{}, nil
}

func (p *policy) exempt(ev *trammel.Event) bool {
	m := trammel.Match{Tools: p.Exempt}
	return len(p.Exempt) > 0 && m.Matches(ev)
}

func (p *policy) judge(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	mark, id := p.name(), digest(call(ev))
	// A hook of another layer may be the same, but it is only one call.
	got := ev.Memo(memoKey(mark), func() any {
		period, repeated, err := p.remember(ctx, ev, id, state.Counted(ev, mark))
		return result{period, repeated, err}
	}).(result)
	if got.err != nil {
		return trammel.Answer{}, got.err
	}
	out := p.answer(ev, got.period)
	out.Facts = state.Note(mark)
	if got.repeated {
		out.Findings = append(out.Findings, state.Duplicate(ev))
	}
	return out, nil
}

type memoKey string

type result struct {
	period   int
	repeated bool
	err      error
}

// name distinguishes detectors with different options.
func (p *policy) name() string {
	name := append(make([]byte, 0, 160), "loop-detector "...)
	name = append(strconv.AppendInt(name, int64(p.Max), 10), ' ')
	name = strconv.AppendInt(name, int64(p.Cycle), 10)
	if p.Output {
		name = append(name, " output"...)
	}
	for _, e := range p.Exempt {
		name = append(append(name, '\n'), e...)
	}
	return string(name)
}

// remember adds the call. It returns the length of the cycle that the call closes,
// or 0, and whether the call was reported before.
func (p *policy) remember(ctx context.Context, ev *trammel.Event, id string, again bool) (period int, repeated bool, err error) {
	if repeated, err = state.CountersOf(p.state, ev).PerCall(ev).Repeated(ctx, p.name()); err != nil {
		return 0, false, err
	}
	err = p.update(ctx, ev, func(h *history) {
		if repeated && !again { // another file of the agent has reported the same call
			if n := len(h.calls); n > 0 && h.calls[n-1].id == id {
				period = h.period(p.Max, p.Cycle)
			}
			return
		}
		if again && len(h.calls) > 0 { // another guard has rewritten it
			h.calls = h.calls[:len(h.calls)-1]
		}
		h.add(id, p.Max*p.Cycle)
		period = h.period(p.Max, p.Cycle)
	})
	return period, repeated, err
}

func (p *policy) answer(ev *trammel.Event, period int) trammel.Answer {
	if period == 0 {
		return trammel.Answer{}
	}
	out := trammel.Answer{Decision: trammel.Deny}
	code := "loop_repeat"
	if period == 1 {
		out.Reason = fmt.Sprintf("%s has been called with the same arguments %d times in a row. The result will not change. "+
			"Look at its output, and do something different: other arguments, another tool, or tell the person what stops you.",
			ev.Tool.Name, p.Max)
	} else {
		code = "loop_cycle"
		out.Reason = fmt.Sprintf("The same %d calls have been repeated %d times in a cycle, and %s would continue it. "+
			"Look at their output, and do something different, or tell the person what stops you.", period, p.Max, ev.Tool.Name)
	}
	out.Findings = []trammel.Finding{{Code: code, Severity: "warning", Target: ev.Tool.Name}}
	return out
}

func (p *policy) update(ctx context.Context, ev *trammel.Event, change func(*history)) error {
	key := trammel.Key{p.name(), ev.Host, state.Session(ev), state.Agent(ev)}
	return state.CountersOf(p.state, ev).Update(ctx, key, func(old []byte) ([]byte, error) {
		h, err := parse(old)
		if err != nil {
			return nil, err
		}
		change(h)
		if old == nil && len(h.calls) == 0 {
			return nil, nil
		}
		return h.append(nil), nil
	})
}

// call identifies a call by the tool and its arguments. A model's description of a
// command is not part of it.
func call(ev *trammel.Event) string {
	input := ev.Tool.Input
	if _, told := input["description"]; told && ev.Tool.Action.Command != "" {
		input = maps.Clone(input)
		delete(input, "description")
	}
	data, err := canonical.Append(canonical.AppendString(nil, ev.Tool.Name), input)
	if err != nil { // not made from JSON; compare it as text
		return fmt.Sprint(ev.Tool.Name, input)
	}
	return string(data)
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
