package strength

import (
	"slices"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/internal/expression"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
)

// tally is what tests have reached of a hook.
type tally struct {
	fired, matched []*testCase // it said something, or failed; it was only asked
	operands       []condition.Operand
	wasTrue        []bool // of the operands
	wasFalse       []bool
	hit            []bool // of the values of the match

	mu    sync.Mutex // hooks that wait are asked at the same time
	when  *expression.Node
	probe []trammel.Match // for the values
	whole trammel.Match
}

// prepare makes ready to count.
func (h *hook) prepare() error {
	h.hit, h.whole = make([]bool, len(h.text.Match)), h.plan.Match.Bind()
	for _, v := range h.text.Match {
		m := narrowed(h, v)
		h.probe = append(h.probe, m.Bind())
	}
	r, ok := full.RuleOf(&h.plan)
	if !ok || r.When == "" {
		return nil
	}
	var err error
	h.operands, h.when, err = condition.Operands(r.When)
	h.wasTrue, h.wasFalse = make([]bool, len(h.operands)), make([]bool, len(h.operands))
	return err
}

// asked records a hook that is asked, with the event as it sees it.
func (p *Project) asked(asked *trammel.Hook, ev *trammel.Event) {
	i := slices.IndexFunc(p.hooks, func(h *hook) bool { return h.plan.ID == asked.ID && h.plan.Source == asked.Source })
	if i < 0 {
		return
	}
	h := p.hooks[i]
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, v := range h.text.Match {
		if !excludes(v) && !h.hit[i] {
			h.hit[i] = h.probe[i].Matches(ev)
		}
	}
	handler := asked.Handler
	if a, ok := handler.(interface{ Rule() trammel.Handler }); ok {
		handler = a.Rule()
	}
	if w, ok := handler.(rule.Watched); ok && h.when != nil {
		w.Watch(ev, h.when, func(operand int, holds bool) {
			if holds {
				h.wasTrue[operand] = true
			} else {
				h.wasFalse[operand] = true
			}
		})
	}
}

// judged records the result of a case.
func (p *Project) judged(at *place, c *testCase, j *pipeline.Judged) {
	for _, h := range p.hooks {
		if !h.isIn(at) || !slices.Contains(h.plan.On, c.kind) {
			continue
		}
		for i, v := range h.text.Match {
			if excludes(v) && !h.hit[i] {
				h.hit[i] = h.probe[i].Matches(j.Verdict.Event) && !h.whole.Matches(j.Verdict.Event)
			}
		}
		matched, fired := false, false
		for i := range j.Verdict.Runs {
			r := &j.Verdict.Runs[i]
			if r.Hook.ID == h.plan.ID && r.Hook.Source == h.plan.Source {
				matched = true
				fired = fired || r.Code != "" || policytest.Says(&r.Answer) || r.Would != nil && policytest.Says(r.Would)
			}
		}
		switch {
		case fired:
			h.fired = append(h.fired, c)
		case matched:
			h.matched = append(h.matched, c)
		}
	}
}

// excludes reports whether a value takes something out of a match.
func excludes(v config.Value) bool { return strings.HasPrefix(v.Text, "!") }
