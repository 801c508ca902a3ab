package match

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
)

// Prefilter is what is known about a rule without evaluating its expression: the
// effect that its match requires, and terms that must all be true for that effect.
type Prefilter struct {
	Spec
	// Each is true where the condition is about one program at a time: without a
	// demand of the Spec it is asked about each that runs.
	Each  bool
	Needs []Need
}

// Excludes reports whether the rule cannot match the call. In doubt it returns
// false. Most rules do not concern most calls, so cheap checks come first.
func (p *Prefilter) Excludes(c *Call) bool {
	for i := range p.Needs {
		if n := &p.Needs[i]; n.Field != "program" && n.Field != "args" && n.Holds(c.ev, Words{}) == No {
			return true
		}
	}
	switch {
	case p.Empty() && len(p.Needs) == 0:
		return false
	case !p.Empty() && (c.ev.Tool == nil || c.excludes(&p.Spec)):
		return true
	}
	for h := range p.bindings(c) {
		w := WordsOf(c.ev, h, p.Doubt)
		w.Wide = true
		if p.Possible(c.ev, w) != No {
			return false
		}
	}
	return true
}

// Possible evaluates the terms for one binding.
func (p *Prefilter) Possible(ev *trammel.Event, w Words) Truth {
	truth := Yes
	for i := 0; i < len(p.Needs) && truth != No; i++ {
		truth = min(truth, p.Needs[i].Holds(ev, w))
	}
	return truth
}

// WordsOf are the arguments of the program that does what was hit.
func WordsOf(ev *trammel.Event, h Hit, loose bool) Words {
	if h.Run < 0 {
		return Words{Loose: loose && h.Blind}
	}
	return RunWords(&effects.Of(ev).Runs[h.Run], loose)
}

// Bindings are the effects that the condition is asked for, one after the
// other, certain ones first. A condition about programs is asked about each
// that runs, where the match demands no more than what the tool is. One that is
// about nothing in particular is bound to nothing, once.
func (p *Prefilter) Bindings(ev *trammel.Event) func(yield func(Hit) bool) {
	return p.bindings(Look(ev))
}

func (p *Prefilter) bindings(c *Call) func(yield func(Hit) bool) {
	return func(yield func(Hit) bool) {
		if p.Empty() {
			p.bind(c, Hit{Run: -1}, yield)
			return
		}
		for h := range p.hits(c) {
			if !p.bind(c, h, yield) {
				return
			}
		}
	}
}

// bind passes on a hit, or all programs if it is about none of them, and
// reports whether to go on.
func (p *Prefilter) bind(c *Call, h Hit, yield func(Hit) bool) bool {
	if !p.Each || c.ev.Tool == nil || h.Run >= 0 || h.Blind || h.Path != "" || h.Host != "" {
		return yield(h)
	}
	set := c.effects()
	for i := range set.Runs {
		if !yield(Hit{Run: i}) {
			return false
		}
	}
	if p.Doubt {
		for what := range Unread(set) {
			if !yield(Hit{Run: -1, Doubt: what, Blind: true}) {
				return false
			}
		}
	}
	return len(set.Runs) > 0 || yield(h)
}
