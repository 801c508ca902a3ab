package pipeline

import (
	"context"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// Explained says how one hook handled an event.
type Explained struct {
	Hook *trammel.Hook
	// Why says why the hook did not match; "" if it did.
	Why string
	// Target is the effect that caused its answer, or that it matched; empty if
	// it is not about an effect.
	Target trammel.Target
	// Run is its run, if it matched.
	Run *trammel.Run
}

// Waits reports whether the hook asked an external program or service.
func (e Explained) Waits() bool { return e.Run != nil && waits(e.Hook) }

// Explain rehearses an event, and explains every hook for its kind, including
// those that the index would skip.
func (p *Program) Explain(ctx context.Context, ev *trammel.Event, dirs []string) (*Judged, []Explained, error) {
	p.rehearse(ev)
	listening := func(c *Config) ([]plan.Hook, error) {
		all, err := c.Plan.All()
		return slices.DeleteFunc(all, func(h plan.Hook) bool { return !slices.Contains(h.On, ev.Kind) }), err
	}
	judged, err := p.Judge(ctx, &Request{Event: ev, Dirs: dirs, Select: listening,
		callOptions: callOptions{deadline: p.deadlineOf(ev)}})
	if err != nil {
		return nil, nil, err
	}
	v := judged.Verdict
	var out []Explained
	for _, h := range judged.Engine.Hooks() {
		e := Explained{Hook: h}
		e.Target = targetOf(h, v.Event)
		for i := range v.Runs { // a guard's last run counts, but only a decision replaces a rewrite
			if r := &v.Runs[i]; r.Hook == h && (e.Run == nil || r.Answer.Decision > trammel.None || !e.Run.Answer.Rewrites()) {
				e.Run = r
			}
		}
		if e.Run != nil {
			out = append(out, e)
			continue
		}
		if e.Why = h.Match.Why(v.Event); e.Why == "" {
			e.Why = "it did not run: an earlier hook had already decided"
		}
		out = append(out, e)
	}
	return judged, out, nil
}

// targetOf returns the effect that caused a hook's answer. If several effects
// match, the handler knows for which of them its condition is true.
func targetOf(h *trammel.Hook, ev *trammel.Event) trammel.Target {
	if f, ok := h.Handler.(trammel.Finder); ok {
		if t, ok := f.Target(ev); ok {
			return t
		}
	}
	t, _ := h.Match.Target(ev)
	return t
}
