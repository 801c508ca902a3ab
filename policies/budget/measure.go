package budget

import (
	"fmt"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel"
)

// measure is one limited quantity.
type measure struct {
	name  string // as in the finding's code
	limit int64  // in units: money is counted in millionths, time in nanoseconds
	// counts is true if the current event uses one.
	counts bool
}

const (
	turns  = "turns"
	calls  = "tool_calls"
	tokens = "tokens"
	cost   = "cost"
	lasted = "time"

	millionth = 1e6
	maxCost   = 1e12
)

// measures lists what an event of this kind can run out of; for Other, all.
// A limit on turns applies to the next prompt, not to work in progress.
func (p *policy) measures(kind trammel.Kind) []measure {
	out := make([]measure, 0, 5)
	add := func(name string, limit int64, counts bool) {
		if limit > 0 {
			out = append(out, measure{name, limit, counts})
		}
	}
	if kind == trammel.UserPromptSubmit || kind == trammel.Other {
		add(turns, p.Turns, true)
	}
	if kind == trammel.PreToolUse || kind == trammel.Other {
		add(calls, p.Calls, true)
	}
	add(tokens, p.Tokens, false)
	add(cost, int64(p.Cost*millionth), false)
	add(lasted, int64(p.Time), false)
	return out
}

// amount is a quantity in words.
func (m *measure) amount(n int64) string {
	switch m.name {
	case cost:
		return "a cost of " + strconv.FormatFloat(float64(n)/millionth, 'f', -1, 64)
	case lasted:
		return time.Duration(n).Round(time.Second).String()
	case calls:
		return fmt.Sprintf("%d tool calls", n)
	}
	return fmt.Sprintf("%d %s", n, m.name)
}

func (m *measure) option() string {
	if m.name == calls {
		return "max_tool_calls"
	}
	return "max_" + m.name
}

// cost returns the cost of usage in millionths, by the price of its model.
func (p *policy) cost(model string, u trammel.Usage) int64 {
	var best price
	length := -1
	for pattern, price := range p.Prices {
		match := trammel.Match{Agents: []string{pattern}}
		if len(pattern) > length && match.Matches(&trammel.Event{Session: trammel.Session{Agent: model}}) {
			best, length = price, len(pattern)
		}
	}
	// Prices are per million tokens, so they are also the millionths that one token costs.
	return int64(best.Input*float64(u.Input) + best.Output*float64(u.Output) + best.CachedInput*float64(u.CachedInput) +
		best.CachedWrite*float64(u.CachedWrite))
}

// size returns how many tokens count. Those read from the cache do not: they are
// the same text again with every call.
func size(u trammel.Usage) int64 { return u.Input + u.Output + u.CachedWrite }
