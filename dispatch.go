package trammel

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

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
	waited       time.Duration // how long gates have waited for people
	version      int           // how many rewrites have changed the call so far
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
		v := &Verdict{Event: ev}
		v.confirm(ev)
		return v
	}
	d := pool.Get().(*dispatch)
	d.engine, d.index, d.ctx = e, e.index[ev.Kind], ctx
	v := d.prepare(ev)
	if !d.canceled() {
		d.transform()
		d.guard()
		d.gate()
		d.verdict.confirm(&d.work)
		d.commit()
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

func (d *dispatch) gate() {
	from, to := d.bounds(Gates)
	for i := d.cand.next(from, to); i < to; i = d.cand.next(i+1, to) {
		b := &d.index.hooks[i]
		if d.verdict.Decision == Deny || !b.Match.Matches(&d.work) || d.canceled() {
			continue
		}
		r := d.add(b, 1)
		rehearsal := d.work.Rehearsal
		d.work.Rehearsal = rehearsal || b.Trial // nobody is asked for a trial
		d.run(r, i)
		d.work.Rehearsal = rehearsal
		edits := r.Code == "" && r.Answer.Rewrites()
		if edits && r.Answer.Approval == "" {
			fail(r, Fail(CodeAuthority, "a gate may not rewrite: the human saw a different call"))
			edits = false
		}
		d.take(r)
		if edits && d.verdict.Decision < Deny {
			d.guard() // a person has changed the call, and guards apply to people, too
		}
	}
}

// commit uses up the approvals of gates, right before the event continues. If
// one cannot be used up, the event is denied.
func (d *dispatch) commit() {
	from, to := d.bounds(Gates)
	if from == to || d.work.Rehearsal {
		return
	}
	for i := range d.verdict.Runs {
		r := &d.verdict.Runs[i]
		c, ok := r.Hook.Handler.(Committer)
		if !ok || r.Phase != Gates || r.Code != "" || r.Answer.Approval == "" || d.verdict.Decision == Deny || d.canceled() {
			continue
		}
		if err := c.Commit(d.ctx, &d.work, &r.Answer); err != nil {
			d.verdict.Decision, d.verdict.Granted = Deny, false
			d.verdict.Reason = fmt.Sprintf("The approval could not be used: %v. The call did not run.", err)
			r.Answer.Decision, r.Answer.Reason = Deny, d.verdict.Reason
		}
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
		if b.Match.Matches(&d.work) && (round == 1 || d.due(b)) {
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
	d.verdict.Runs = append(d.verdict.Runs, Run{Hook: b.Hook, Phase: b.phase, Round: round, bound: b, saw: d.version})
	return &d.verdict.Runs[len(d.verdict.Runs)-1]
}

func (d *dispatch) canceled() bool {
	if err := d.ctx.Err(); err != nil && errors.Is(err, context.Canceled) {
		d.verdict.Canceled = true
	}
	return d.verdict.Canceled
}
