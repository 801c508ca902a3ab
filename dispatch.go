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

// dispatch is the state of one Dispatch. It is one allocation, because most
// dispatches are short.
type dispatch struct {
	verdict Verdict
	work    Event // the event as the hooks see it, after the rewrites so far
	memo    memo

	engine *Engine
	index  *kindIndex
	ctx    context.Context
	start  time.Time
	cand   candidates
}

// Dispatch asks every hook that matches the event and merges the answers. It
// always returns a verdict; what went wrong is in it. The event is not changed.
//
// No goroutine outlives the call.
func (e *Engine) Dispatch(ctx context.Context, ev *Event) *Verdict {
	if !e.Has(ev.Kind) {
		return &Verdict{Event: ev}
	}
	d := &dispatch{engine: e, index: e.index[ev.Kind], ctx: ctx, start: time.Now(), work: *ev}
	v := &d.verdict
	v.Event = &d.work
	if d.canceled() {
		return v
	}
	d.prepare()
	d.transform()
	d.guard()
	d.gate()
	d.observe()
	d.work.Outcome = nil
	v.Took = time.Since(d.start)
	return v
}

func (d *dispatch) prepare() {
	d.work.memo = &d.memo
	if d.work.Time.IsZero() {
		d.work.Time = d.start
	}
	if t := d.work.Tool; t != nil && t.Action.unset() {
		tool := *t
		tool.Action = d.work.Tools.Action(&tool)
		d.work.Tool = &tool
	}
	d.cand = d.index.candidates(&d.work)
	d.verdict.Runs = make([]Run, 0, d.cand.count(len(d.index.hooks)))
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
	before := d.verdict // what the transforms came to; each round merges anew from here
	for round := 1; ; round++ {
		base := len(before.Runs)
		d.verdict.Runs = d.verdict.Runs[:base]
		runs := d.runPhase(from, to, round)
		rewritten := d.rewrites(runs)
		if rewritten && round == maxRounds {
			for i := range runs {
				if runs[i].Answer.Input != nil || runs[i].Answer.Output != nil {
					fail(&runs[i], Fail(CodeUnstable, "guards still rewrote the call after %d rounds", maxRounds))
				}
			}
		}
		d.mergeAll(runs)
		if d.verdict.Decision == Deny || !rewritten || round == maxRounds || d.canceled() {
			return
		}
		kept := d.verdict
		d.verdict = before
		d.verdict.Runs = kept.Runs
		d.verdict.Input, d.verdict.Output = kept.Input, kept.Output
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
			wg.Go(func() { d.run(&runs[i], from) })
		}
	}
	for i := range runs {
		if !runs[i].bound.waits {
			d.run(&runs[i], from)
		}
	}
	wg.Wait()
}

func (d *dispatch) add(b *bound, round int) *Run {
	d.verdict.Runs = append(d.verdict.Runs, Run{Hook: b.Hook, Phase: b.phase, Round: round, bound: b})
	return &d.verdict.Runs[len(d.verdict.Runs)-1]
}

// run asks one hook. at is the hook's place, or its phase's, in the order: it
// says how many stages are still to come and share the time.
func (d *dispatch) run(r *Run, at int) {
	b := r.bound
	began := time.Now()
	ctx, limit := d.ctx, d.limit(b, began, at)
	if b.waits {
		if limit <= 0 {
			fail(r, Fail(CodeTimeout, "no time left for this hook"))
			return
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(d.ctx, limit)
		defer cancel()
	}
	answer, err := handle(ctx, b.Handler, &d.work)
	r.Took = time.Since(began)
	switch {
	case err != nil:
		fail(r, failureOf(err, d.ctx, ctx))
	case limit > 0 && r.Took > limit:
		fail(r, Fail(CodeTimeout, "answered after %v, allowed are %v", r.Took.Round(time.Millisecond), limit))
	default:
		r.Answer = answer
		if what := b.authority.Overreach(&answer, d.work.Kind.Can()); what != "" {
			f := Fail(CodeAuthority, "answered with %s, but on %s it may at most %s", what, d.work.Kind, b.authority)
			f.Trace = answer.Trace
			fail(r, f)
		}
	}
}

// limit is how long a hook may take: its own timeout, or its share of what is
// left of the budget if that is less. A stage is a hook that waits alone, or
// all hooks of a phase that wait together.
func (d *dispatch) limit(b *bound, now time.Time, at int) time.Duration {
	limit := b.Timeout
	if limit == 0 && b.waits {
		limit = DefaultTimeout
	}
	if d.engine.budget == 0 || !b.waits {
		return limit
	}
	left := d.engine.budget - now.Sub(d.start)
	return min(limit, left/time.Duration(d.stages(at)))
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
func handle(ctx context.Context, h Handler, ev *Event) (answer Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Fail(CodePanic, "%v", p)
		}
	}()
	return h.Handle(ctx, ev)
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
