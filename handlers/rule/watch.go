package rule

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/expression"
)

// Watched is implemented by handlers whose answer depends on a condition.
type Watched interface {
	// Watch evaluates the condition for an event like Handle does, and reports
	// the value of each operand. when is the condition with probes.
	Watch(ev *trammel.Event, when *expression.Node, seen func(operand int, holds bool))
}

// Watch implements Watched.
func (r *rule) Watch(ev *trammel.Event, when *expression.Node, seen func(operand int, holds bool)) {
	e := evaluation{rule: r, ev: ev, prefilter: r.config.Prefilter()}
	c := &condition{node: when}
	when.Visit(c.see)
	tell := func(operand int, value any) {
		if holds, ok := value.(bool); ok {
			seen(operand, holds)
		}
	}
	for _, loose := range []bool{false, true} {
		if loose && !e.prefilter.Doubt {
			return
		}
		for _, h := range e.bindings() {
			if h.Doubt != "" && !loose {
				break
			}
			e.bind(c, h, loose)
			if v, err := when.Watch(&e.scope, tell); err != nil || v == true {
				return
			}
		}
	}
}
