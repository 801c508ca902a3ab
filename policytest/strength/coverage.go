package strength

import (
	"fmt"
	"math"
)

// Coverage is what tests reach of the hooks that they are for. What counts: that a hook
// says something, each operand of its condition once true and once false, and each
// value of its match once.
type Coverage struct {
	Share
	Hooks []HookCoverage `json:"hooks"`
}

// Share is a part of a whole.
type Share struct {
	Done    int     `json:"done"`
	Total   int     `json:"total"`
	Percent float64 `json:"percent"` // rounded down
}

func (s *Share) add(done bool) {
	s.Total++
	if done {
		s.Done++
	}
}

func (s *Share) finish() {
	if s.Percent = 100; s.Total > 0 {
		s.Percent = math.Floor(1000*float64(s.Done)/float64(s.Total)) / 10
	}
}

// Below reports whether the share is less than so many percent.
func (s *Share) Below(percent int) bool { return s.Done*100 < percent*s.Total }

// State is how far tests get with a hook.
type State string

// The states of a hook.
const (
	Fired       State = "fired"        // it says something in some test, or fails
	MatchedOnly State = "matched only" // it is asked, and says nothing
	Never       State = "never"        // it is not even asked
)

// HookCoverage is what tests reach of one hook.
type HookCoverage struct {
	Share
	Hook  string    `json:"hook"`
	File  string    `json:"file"`
	Line  int       `json:"line"`
	State State     `json:"state"`
	When  []Operand `json:"when,omitempty"`
	Match []Value   `json:"match,omitempty"`
}

// Operand is a part of a condition, and what it was in tests.
type Operand struct {
	Operand string `json:"operand"`
	Line    int    `json:"line"`
	True    bool   `json:"true"`
	False   bool   `json:"false"`
}

// Value is a value of a match, and whether a test has hit it.
type Value struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Line  int    `json:"line"`
	Hit   bool   `json:"hit"`
}

// Coverage is what Run has reached.
func (p *Project) Coverage() *Coverage {
	out := &Coverage{}
	for _, h := range p.hooks {
		c := h.coverage()
		out.Done, out.Total = out.Done+c.Done, out.Total+c.Total
		out.Hooks = append(out.Hooks, c)
	}
	out.finish()
	return out
}

func (h *hook) coverage() HookCoverage {
	out := HookCoverage{Hook: h.text.ID, File: h.text.Source.File, Line: h.text.Source.Line, State: Never}
	switch {
	case len(h.fired) > 0:
		out.State = Fired
	case len(h.matched) > 0:
		out.State = MatchedOnly
	}
	out.add(out.State == Fired)
	for i, o := range h.operands {
		out.When = append(out.When, Operand{o.Text, h.text.WhenLine(o.Line, o.Column), h.wasTrue[i], h.wasFalse[i]})
		out.add(h.wasTrue[i])
		out.add(h.wasFalse[i])
	}
	for i, v := range h.text.Match {
		out.Match = append(out.Match, Value{v.Key, v.Text, v.Line, h.hit[i]})
		out.add(h.hit[i])
	}
	out.finish()
	return out
}

// Gap is something that no test reaches.
type Gap struct {
	Line int
	What string
}

// Gaps are what no test reaches of the hook, in words.
func (c *HookCoverage) Gaps() []Gap {
	var out []Gap
	add := func(line int, format string, args ...any) { out = append(out, Gap{line, fmt.Sprintf(format, args...)}) }
	switch c.State {
	case Never:
		add(c.Line, "no test has a call that it matches")
	case MatchedOnly:
		add(c.Line, "it matches calls, and says nothing about any of them")
	}
	for _, v := range c.Match {
		if !v.Hit && c.State != Never {
			add(v.Line, "match.%s: no test hits %s", v.Key, v.Value)
		}
	}
	for _, o := range c.When {
		switch {
		case c.State == Never:
		case !o.True && !o.False:
			add(o.Line, "never asked: %s", o.Operand)
		case !o.True:
			add(o.Line, "never true: %s", o.Operand)
		case !o.False:
			add(o.Line, "never false: %s", o.Operand)
		}
	}
	return out
}
