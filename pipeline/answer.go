package pipeline

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Answer replies to a host: read, judge, degrade, record, encode. If the host's
// deadline comes near and there is no reply yet, the watchdog sends one that
// fails closed.
func (p *Program) Answer(ctx context.Context, call Call) (reply trammel.Reply) {
	dialect, ok := p.Dialects.Host(call.Host)
	if !ok {
		return trammel.Reply{Exit: 2, Stderr: fmt.Appendf(nil, "trammel: unknown host %q, expected one of %v\n", call.Host, p.Dialects.Hosts())}
	}
	job := &job{Program: p, call: call, dialect: dialect, started: time.Now()}
	job.guess()
	defer func() {
		if r := recover(); r != nil {
			reply = job.fail(trammel.Fail(trammel.CodePanic, "trammel itself failed: %v\n%s", r, debug.Stack()))
		}
	}()
	return job.run(ctx, job.started.Add(job.deadline()-margin(job.deadline())))
}

// expect has the watchdog reply with a failure if nothing else has by then.
func (j *job) expect(until time.Time, code trammel.Code, detail string) {
	f := &trammel.Failure{Code: code, Detail: detail}
	j.Watchdog.expect(until, func() (trammel.Reply, func()) {
		return failedReply(j.dialect, j.guessed, f), func() {
			leaveNote(j.Dirs, &unanswered{Event: j.guessed, Dirs: j.dirs(nil), Denied: blocks(j.dialect, j.guessed, f), Failure: f})
		}
	})
}

// job is one call on its way.
type job struct {
	*Program
	call    Call
	dialect trammel.HostDialect
	started time.Time
	// guessed is the event as the wiring names it. It is set before the work
	// begins and never changed, so that the watchdog can read it.
	guessed *trammel.Event
	ev      *trammel.Event
}

// guess tells from the wiring alone what the event is.
func (j *job) guess() {
	ev, _ := j.dialect.DecodeEvent(nil, j.call.Event)
	if ev == nil {
		ev = &trammel.Event{Host: j.dialect.Name(), Name: j.call.Event}
	}
	ev.Time = j.started
	j.guessed, j.ev = ev, ev
}

func (j *job) deadline() time.Duration { return patienceOf(j.dialect, j.guessed.Kind) }

func (j *job) run(ctx context.Context, deadline time.Time) trammel.Reply {
	j.expect(j.started.Add(patience), trammel.CodeInput, "the payload did not end: the host keeps stdin open")
	raw, err := j.read()
	if err != nil {
		return j.fail(err)
	}
	// The hooks' own budget ends earlier, so that a slow hook is a failure of
	// that hook with a record, and this is the last resort.
	j.expect(deadline.Add(margin(j.deadline())/2), trammel.CodeTimeout, "no verdict in time")
	ev, err := j.decode(raw)
	if ev != nil {
		j.ev = ev
		ev.Time = j.started
		if ev.Raw == nil {
			ev.Raw = raw
		}
	}
	if err != nil {
		return j.fail(err)
	}
	j.recognize(ctx, ev)
	_, own := j.dialect.(dialects.Caller)
	request := &Request{Event: ev, Dirs: j.dirs(ev),
		callOptions: callOptions{deadline: deadline, ownLimit: own, getenv: j.getenv, only: j.call.Only}}
	judged, err := j.Judge(ctx, request)
	overrules := err == nil && j.mayBeOverruled(judged.Verdict, j.cannotAsk(judged))
	if overrules && j.Overrule != nil {
		judged = j.overruled(ctx, request, judged)
	}
	switch {
	case j.HandOff != nil && (overrules || err != nil && handsOff(err)):
		ctx, stop := j.waiting(ctx, deadline)
		defer stop()
		return j.handOff(ctx, raw)
	case err != nil:
		return j.fail(err)
	case !j.concernsPeople(judged):
	case j.People != nil:
		ctx, stop := j.waiting(ctx, deadline)
		defer stop()
		if err := j.People(ctx, judged); err != nil {
			return j.fail(err)
		}
	case j.HandOff != nil:
		ctx, stop := j.waiting(ctx, deadline)
		defer stop()
		return j.handOff(ctx, raw)
	}
	return j.reply(ctx, judged)
}

// concernsPeople reports whether people have to decide what the host cannot ask
// its user about, or may be deciding for a session that has ended.
func (j *job) concernsPeople(judged *Judged) bool {
	v, s := judged.Verdict, &judged.Plan.Settings
	if judged.Event.Kind == trammel.SessionEnd {
		return s.Approvals != ""
	}
	return v.Decision == trammel.Ask && s.AskPeople && !v.Canceled && judged.Event.Tool != nil &&
		!dialects.PowersFor(j.dialect, judged.Event, v).Can.Any(trammel.CanAsk)
}
