package trammel

import (
	"context"
	"time"
)

// run asks one hook. at is the hook's place, or its phase's, in the order: it
// says how many stages are still to come and share the time.
func (d *dispatch) run(r *Run, at int) {
	if r.bound.waits {
		d.runWaiting(r, at)
		d.clock = now()
		return
	}
	began := d.clock
	d.witness(r)
	err := handle(d.ctx, r.bound.Handler, &d.work, &r.Answer)
	d.clock = now()
	r.Took = d.clock - began
	d.settle(r, err, d.ctx, r.bound.Timeout)
}

func (d *dispatch) runWaiting(r *Run, at int) {
	began := now()
	limit := d.limit(r.bound, began, at)
	if limit <= 0 {
		fail(r, Fail(CodeTimeout, "no time left for this hook"))
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, limit)
	defer cancel()
	d.witness(r)
	err := handle(ctx, r.bound.Handler, &d.work, &r.Answer)
	r.Took = now() - began
	if r.bound.phase == Gates { // these run one after another
		d.waited += r.Took
	}
	d.settle(r, err, ctx, limit)
}

func (d *dispatch) witness(r *Run) {
	if d.engine.asked != nil {
		d.engine.asked(r.Hook, &d.work)
	}
}

// settle decides whether what the hook did counts as an answer.
func (d *dispatch) settle(r *Run, err error, ctx context.Context, limit time.Duration) {
	switch {
	case err != nil:
		fail(r, failureOf(err, d.ctx, ctx))
	case limit > 0 && r.Took > limit:
		fail(r, Fail(CodeTimeout, "answered after %v, allowed are %v", r.Took.Round(time.Millisecond), limit))
	default:
		what := r.bound.authority.Overreach(&r.Answer, d.work.Kind.Can())
		if what == "" && r.bound.NoRewrite && r.Answer.Rewrites() {
			what = "a rewrite, which it does not declare"
		}
		if what != "" {
			fail(r, Fail(CodeAuthority, "answered with %s, but on %s it may at most %s", what, d.work.Kind, r.bound.authority))
			return
		}
		if r.bound.Source.Untrusted && r.Answer.Approval == "" { // what comes of an approval is in our own words
			r.Answer.quote(r.bound.ID, r.bound.Source)
		}
		if r.bound.Trial {
			would := r.Answer
			r.Would, r.Answer = &would, withoutEffect(&would, "on trial")
			return
		}
		r.excepted(&d.work)
	}
}

// withoutEffect keeps of an answer what has no effect, and says what the rest
// would have been, and why it is not.
func withoutEffect(a *Answer, why string) Answer {
	out := Answer{Diagnostics: a.Diagnostics, Findings: a.Findings, Trace: a.Trace}
	would := func(what string) { out.Diagnostics = append(out.Diagnostics, why+", would "+what) }
	if a.Decision != None {
		would(a.Decision.String() + ": " + a.Reason)
	}
	if a.Rewrites() {
		would("rewrite")
	}
	for _, text := range a.Context {
		would("add context: " + text)
	}
	return out
}

// limit is how long a hook may take: its own timeout, or its share of what is
// left of the budget if that is less. A stage is a hook that waits alone, or
// all hooks of a phase that wait together.
func (d *dispatch) limit(b *bound, began time.Duration, at int) time.Duration {
	limit := b.Timeout
	if limit == 0 {
		limit = DefaultTimeout
	}
	if d.engine.budget == 0 {
		return limit
	}
	gone := began - d.start
	left, share := d.engine.budget-gone, time.Duration(0)
	if all := d.engine.people; all > 0 {
		left = min(left+d.waited, all-gone)
		if b.phase == Gates { // what waits there waits for people
			share = all - gone - min(left, all/10)
		}
	}
	return min(limit, max(share, left/time.Duration(d.stages(at))))
}

func (d *dispatch) stages(at int) int {
	n := 0
	last := Phase(phases)
	for i := d.cand.next(at, len(d.index.hooks)); i < len(d.index.hooks); i = d.cand.next(i+1, len(d.index.hooks)) {
		b := &d.index.hooks[i]
		alone := b.phase == Transforms || b.phase == Gates || b.phase == Guards && d.work.Kind.transforms()
		if b.waits && (alone || b.phase != last) {
			n++
			last = b.phase
		}
	}
	return max(n, 1)
}

// handle calls the handler; a panic in it is a failure of its hook.
func handle(ctx context.Context, h Handler, ev *Event, answer *Answer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Fail(CodePanic, "%v", p)
		}
	}()
	*answer, err = h.Handle(ctx, ev)
	return err
}

// fail puts a failure into a run. Whatever the hook said is dropped whole.
func fail(r *Run, f *Failure) {
	trace := f.Trace
	if trace == nil {
		trace = r.Answer.Trace
	}
	r.Code, r.Detail, r.Answer = f.Code, f.Error(), Answer{Trace: trace, Diagnostics: f.Diagnostics}
}
