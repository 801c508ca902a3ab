package trammel

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"sync"
	"time"
)

// maxRounds bounds how often guards are asked again after one of them rewrote.
const maxRounds = 3

// dispatch is the state of one Dispatch. It is taken from a pool, so nothing
// of it may be in the verdict.
type dispatch struct {
	verdict *Verdict
	work    Event // the event as the hooks see it, after the rewrites so far
	tool    ToolCall
	memo    memo

	engine *Engine
	index  *kindIndex
	ctx    context.Context
	cand   candidates
	// start and clock are readings of now: when the dispatch began, and the
	// latest. Hooks that run inline follow each other, so the end of one is
	// the beginning of the next and a hook costs one look at the clock.
	start, clock time.Duration
	rewritten    bool
}

var pool = sync.Pool{New: func() any { return new(dispatch) }}

var epoch = time.Now()

// now reads the monotonic clock only, which is cheaper than time.Now.
func now() time.Duration { return time.Since(epoch) }

// single is a verdict with room for the one run that most events have.
type single struct {
	Verdict
	run [1]Run
}

// Dispatch asks every hook that matches the event and merges the answers. It
// always returns a verdict; what went wrong is in it. The event is not changed.
//
// No goroutine outlives the call.
func (e *Engine) Dispatch(ctx context.Context, ev *Event) *Verdict {
	if !e.Has(ev.Kind) {
		return &Verdict{Event: ev}
	}
	d := pool.Get().(*dispatch)
	d.engine, d.index, d.ctx = e, e.index[ev.Kind], ctx
	v := d.prepare(ev)
	if !d.canceled() {
		d.transform()
		d.guard()
		d.gate()
		d.observe()
		d.finish()
	}
	*d = dispatch{}
	pool.Put(d)
	return v
}

func (d *dispatch) prepare(ev *Event) *Verdict {
	d.start = now()
	d.clock = d.start
	d.work = *ev
	if d.work.memo == nil {
		d.work.memo = &d.memo
	}
	if t := ev.Tool; t != nil && t.Action.unset() {
		d.tool = *t
		d.tool.Action = ev.Tools.Action(t)
		d.work.Tool = &d.tool
	}
	d.cand = d.index.candidates(&d.work)
	if n := d.cand.count(len(d.index.hooks)); n == 1 {
		s := new(single)
		d.verdict, s.Runs = &s.Verdict, s.run[:0]
	} else {
		d.verdict = &Verdict{Runs: make([]Run, 0, n)}
	}
	d.verdict.Event = ev
	return d.verdict
}

func (d *dispatch) finish() {
	if d.rewritten {
		ev := d.work
		ev.memo, ev.Outcome = nil, nil
		if ev.Tool == &d.tool {
			tool := d.tool
			ev.Tool = &tool
		}
		d.verdict.Event = &ev
	}
	d.verdict.Took = d.clock - d.start
}

// bounds returns where a phase begins and ends among the hooks of this kind.
func (d *dispatch) bounds(p Phase) (from, to int) {
	if p > 0 {
		from = d.index.end[p-1]
	}
	return from, d.index.end[p]
}

func (d *dispatch) transform() {
	from, to := d.bounds(Transforms)
	for i := d.cand.next(from, to); i < to; i = d.cand.next(i+1, to) {
		b := &d.index.hooks[i]
		if !b.Match.Matches(&d.work) || d.canceled() {
			continue
		}
		r := d.add(b, 1)
		d.run(r, i)
		d.take(r)
	}
}

// guard asks all guards. A guard that rewrites changes what the others have
// judged, so they are asked again (DA-33); a denial ends it at once.
func (d *dispatch) guard() {
	from, to := d.bounds(Guards)
	if from == to {
		return
	}
	before := *d.verdict // what the transforms came to; each round merges anew from here
	for round := 1; ; round++ {
		base := len(before.Runs)
		d.verdict.Runs = d.verdict.Runs[:base]
		asked := d.runPhase(from, to, round)
		rewritten := d.rewrites(asked)
		if rewritten && round == maxRounds {
			for i := range asked {
				if asked[i].Answer.Input != nil || asked[i].Answer.Output != nil {
					fail(&asked[i], Fail(CodeUnstable, "guards still rewrote the call after %d rounds", maxRounds))
				}
			}
		}
		d.mergeAll(asked)
		if d.verdict.Decision == Deny || !rewritten || round == maxRounds || d.canceled() {
			return
		}
		runs, input, output := d.verdict.Runs, d.verdict.Input, d.verdict.Output
		*d.verdict = before
		d.verdict.Runs, d.verdict.Input, d.verdict.Output = runs, input, output
	}
}

// rewrites reports whether an answer changes the call as it stands now.
func (d *dispatch) rewrites(runs []Run) bool {
	for i := range runs {
		a := &runs[i].Answer
		if a.Output != nil && d.work.Tool != nil && *a.Output != d.work.Tool.Output {
			return true
		}
		for key, value := range a.Input {
			if d.work.Tool == nil {
				continue
			}
			if old, ok := d.work.Tool.Input[key]; !ok || !reflect.DeepEqual(old, value) {
				return true
			}
		}
	}
	return false
}

func (d *dispatch) gate() {
	from, to := d.bounds(Gates)
	for i := d.cand.next(from, to); i < to; i = d.cand.next(i+1, to) {
		b := &d.index.hooks[i]
		if d.verdict.Decision == Deny || !b.Match.Matches(&d.work) || d.canceled() {
			continue
		}
		r := d.add(b, 1)
		d.run(r, i)
		if r.Code == "" && (r.Answer.Input != nil || r.Answer.Output != nil) {
			fail(r, Fail(CodeAuthority, "a gate may not rewrite: the human saw another call"))
		}
		d.take(r)
	}
}

func (d *dispatch) observe() {
	from, to := d.bounds(Observers)
	if from == to {
		return
	}
	outcome := d.verdict.Answer
	d.work.Outcome = &outcome
	d.mergeAll(d.runPhase(from, to, 1))
}

// runPhase runs every matching hook of a phase: those that wait concurrently,
// the others inline, in order.
func (d *dispatch) runPhase(from, to, round int) []Run {
	base := len(d.verdict.Runs)
	waiting := 0
	for i := d.cand.next(from, to); i < to; i = d.cand.next(i+1, to) {
		b := &d.index.hooks[i]
		if d.canceled() {
			break
		}
		if b.Match.Matches(&d.work) {
			d.add(b, round)
			if b.waits {
				waiting++
			}
		}
	}
	runs := d.verdict.Runs[base:]
	if waiting > 0 && len(runs) > 1 {
		d.runConcurrently(runs, from)
		return runs
	}
	for i := range runs {
		d.run(&runs[i], from)
	}
	return runs
}

func (d *dispatch) runConcurrently(runs []Run, from int) {
	var wg sync.WaitGroup
	for i := range runs {
		if runs[i].bound.waits {
			wg.Go(func() { d.runWaiting(&runs[i], from) })
		}
	}
	for i := range runs {
		if !runs[i].bound.waits {
			d.run(&runs[i], from)
		}
	}
	wg.Wait()
	d.clock = now()
}

func (d *dispatch) add(b *bound, round int) *Run {
	d.verdict.Runs = append(d.verdict.Runs, Run{Hook: b.Hook, Phase: b.phase, Round: round, bound: b})
	return &d.verdict.Runs[len(d.verdict.Runs)-1]
}

// run asks one hook. at is the hook's place, or its phase's, in the order: it
// says how many stages are still to come and share the time.
func (d *dispatch) run(r *Run, at int) {
	if r.bound.waits {
		d.runWaiting(r, at)
		d.clock = now()
		return
	}
	began := d.clock
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
	err := handle(ctx, r.bound.Handler, &d.work, &r.Answer)
	r.Took = now() - began
	d.settle(r, err, ctx, limit)
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
		if what == "" && r.bound.Keeps && (r.Answer.Input != nil || r.Answer.Output != nil) {
			what = "a rewrite, which it does not declare"
		}
		if what != "" {
			fail(r, Fail(CodeAuthority, "answered with %s, but on %s it may at most %s", what, d.work.Kind, r.bound.authority))
		}
	}
}

// limit is how long a hook may take: its own timeout, or its share of what is
// left of the budget if that is less. A stage is a hook that waits alone, or
// all hooks of a phase that wait together.
func (d *dispatch) limit(b *bound, began time.Duration, at int) time.Duration {
	limit := b.Timeout
	if limit == 0 {
		limit = DefaultTimeout
	}
	if d.engine.budget > 0 {
		limit = min(limit, (d.engine.budget-(began-d.start))/time.Duration(d.stages(at)))
	}
	return limit
}

func (d *dispatch) stages(at int) int {
	n := 0
	last := Phase(phases)
	for i := d.cand.next(at, len(d.index.hooks)); i < len(d.index.hooks); i = d.cand.next(i+1, len(d.index.hooks)) {
		b := &d.index.hooks[i]
		if b.waits && (b.phase == Transforms || b.phase == Gates || b.phase != last) {
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
	r.Code, r.Detail, r.Answer = f.Code, f.Error(), Answer{Trace: trace}
}

func (d *dispatch) mergeAll(runs []Run) {
	for i := range runs {
		d.take(&runs[i])
	}
}

// take merges a run into the verdict and applies what it rewrites.
func (d *dispatch) take(r *Run) {
	if r.Code == CodeCanceled {
		d.verdict.Canceled = true
		return
	}
	d.verdict.merge(r, r.bound.authority)
	if r.Code == "" {
		d.rewrite(&r.Answer)
		d.learn(r)
	}
}

func (d *dispatch) rewrite(a *Answer) {
	if a.Input == nil && a.Output == nil {
		return
	}
	d.rewritten = true
	if a.Input != nil {
		d.verdict.Input = patched(d.verdict.Input, a.Input)
	}
	if a.Output != nil {
		d.verdict.Output = a.Output
	}
	if text, ok := a.Input["prompt"].(string); ok && d.work.Prompt != nil {
		prompt := *d.work.Prompt
		prompt.Text = text
		d.work.Prompt = &prompt
	}
	if d.work.Tool == nil {
		return
	}
	tool := *d.work.Tool
	if a.Output != nil {
		tool.Output = *a.Output
	}
	if len(a.Input) > 0 {
		tool.Input = patched(tool.Input, a.Input)
		tool.Action = d.work.Tools.Action(&tool)
	}
	d.work.Tool = &tool
	d.work.memo = &memo{}
	d.cand = d.index.candidates(&d.work)
}

// learn makes a hook's facts visible to the hooks after it.
func (d *dispatch) learn(r *Run) {
	if len(r.Answer.Facts) == 0 {
		return
	}
	facts := maps.Clone(d.work.Facts)
	if facts == nil {
		facts = make(map[string]map[string]any, 1)
	}
	facts[r.Hook.ID] = r.Answer.Facts
	d.work.Facts = facts
}

func (d *dispatch) canceled() bool {
	if err := d.ctx.Err(); err != nil && errors.Is(err, context.Canceled) {
		d.verdict.Canceled = true
	}
	return d.verdict.Canceled
}

// String helps when a verdict is printed while debugging a hook.
func (v *Verdict) String() string {
	return fmt.Sprintf("%s (%d hooks): %s", v.Decision, len(v.Runs), v.Reason)
}
