package pipeline

import (
	"context"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// Explained is what one hook had to do with an event.
type Explained struct {
	Hook *trammel.Hook
	// Why says why the hook did not match; "" if it did.
	Why string
	// Target is the effect that it matched, if it is about one.
	Target trammel.Target
	// Run is how it went, if it matched.
	Run *trammel.Run
}

// Waits reports whether the hook asked something outside, which takes time.
func (e Explained) Waits() bool { return e.Run != nil && waits(*e.Hook) }

// Explain judges an event like Judge, but asks of every hook that listens to
// its kind what it had to do with it, also those that the index would skip. It
// is a rehearsal, too.
func (p *Program) Explain(ctx context.Context, ev *trammel.Event, anchors []string) (*Judged, []Explained, error) {
	ev.Rehearsal = true
	at, err := p.bring(ev, anchors)
	if err != nil {
		return nil, nil, err
	}
	all, err := at.plan.All()
	if err != nil {
		return nil, nil, err
	}
	all = slices.DeleteFunc(all, func(h plan.Hook) bool { return !slices.Contains(h.On, ev.Kind) })
	if b := p.baselineOf(ev); b != nil {
		if all, err = p.withBaseline(all, &at, ev, &terms{baseline: b}); err != nil {
			return nil, nil, err
		}
	}
	hooks, err := plan.Bind(all, p.Registry, p.Dialects.Hook)
	if err != nil {
		return nil, nil, err
	}
	limit := budget(p.deadlineOf(ev), &at.plan.Settings)
	engine, err := trammel.New(hooks, trammel.WithBudget(limit))
	if err != nil {
		return nil, nil, err
	}
	v := engine.Dispatch(ctx, ev)
	var out []Explained
	for _, h := range engine.Hooks() {
		e := Explained{Hook: h}
		e.Target, _ = h.Match.Target(v.Event)
		for i := range v.Runs { // the last run of a guard that was asked again counts, but for one that has rewritten
			if r := &v.Runs[i]; r.Hook == h && (e.Run == nil || r.Answer.Decision > trammel.None || !e.Run.Answer.Rewrites()) {
				e.Run = r
			}
		}
		if e.Run != nil {
			out = append(out, e)
			continue
		}
		if e.Why = h.Match.Why(v.Event); e.Why == "" {
			e.Why = "not asked: an earlier hook had already decided"
		}
		out = append(out, e)
	}
	return &Judged{Event: ev, Verdict: v, Plan: at.plan, Set: at.set, Engine: engine, Budget: limit}, out, nil
}
