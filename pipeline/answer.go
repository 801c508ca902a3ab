package pipeline

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/overrule"
)

// Answer replies to a host: read, judge, degrade, record, encode. If there is
// no reply shortly before the host's deadline, the watchdog sends one that
// fails closed.
func (p *Program) Answer(ctx context.Context, call Call) (reply trammel.Reply) {
	dialect, ok := p.Dialects.Host(call.Host)
	if !ok {
		hosts := strings.Join(p.Dialects.Hosts(), ", ")
		return trammel.Reply{Exit: 2, Stderr: fmt.Appendf(nil, "trammel: unknown host %q, expected one of %s\n", call.Host, hosts)}
	}
	job := &job{Program: p, call: call, dialect: dialect, started: time.Now()}
	job.guess()
	defer func() {
		if r := recover(); r != nil {
			reply = job.fail(trammel.Fail(trammel.CodePanic, "trammel itself failed: %v\n%s", r, debug.Stack()))
		}
	}()
	return job.run(ctx, job.until(job.deadline()))
}

// expect makes the watchdog reply with a failure if there is no other reply by then.
func (j *job) expect(until time.Time, code trammel.Code, detail string) {
	if j.Watchdog == nil {
		return
	}
	f := &trammel.Failure{Code: code, Detail: detail}
	dialect, ev, dirs := j.dialect, j.guessed, j.dirs(nil) // copies: the job's own may change
	j.Watchdog.expect(until, func() (trammel.Reply, func()) {
		return failedReply(dialect, ev, f), func() {
			leaveNote(j.Dirs, &unanswered{Event: ev, Dirs: dirs, Denied: blocks(dialect, ev, f), Failure: f})
		}
	})
}

// job is one call in progress.
type job struct {
	*Program
	call    Call
	dialect trammel.HostDialect
	started time.Time
	// guessed is the event as the wiring names it. It is never changed, so that
	// the watchdog can read it.
	guessed *trammel.Event
	ev      *trammel.Event
}

// guess derives the event from the wiring alone, before the payload is read.
func (j *job) guess() {
	ev, _ := j.dialect.DecodeEvent(nil, j.call.Event)
	if ev == nil {
		ev = &trammel.Event{Host: j.dialect.Name(), Name: j.call.Event}
	}
	ev.Time = j.started
	j.guessed, j.ev = ev, ev
}

// deadline returns how long the call may take if no person is asked: as long
// as its host usually waits, or less if the wiring says so.
func (j *job) deadline() time.Duration {
	usual := patienceOf(j.dialect, j.guessed.Kind)
	if j.call.Wait > 0 {
		return min(usual, j.call.Wait)
	}
	return usual
}

// until returns when the verdict must be ready, on a host that waits this long.
func (j *job) until(wait time.Duration) time.Time { return j.started.Add(wait - margin(wait)) }

// latest returns the time by which people must have decided.
func (j *job) latest() time.Time { return j.until(max(j.call.Wait, j.deadline())) }

// patient extends the watchdog's deadline to the time that people may take.
func (j *job) patient() { j.expectVerdict(max(j.call.Wait, j.deadline())) }

// expectVerdict makes the watchdog reply shortly before a host that waits this
// long gives up. It is the last resort: the hooks' own budget ends earlier, so
// that a slow hook is recorded as a failure of that hook.
func (j *job) expectVerdict(wait time.Duration) {
	j.expect(j.until(wait).Add(margin(wait)/2), trammel.CodeTimeout, "no verdict in time")
}

// asking returns the context for questions to people.
func (j *job) asking(ctx context.Context) (context.Context, context.CancelFunc) {
	j.patient()
	return j.waiting(ctx, j.latest())
}

func (j *job) run(ctx context.Context, deadline time.Time) trammel.Reply {
	j.expect(j.started.Add(patience), trammel.CodeInput, "the payload did not end: the host keeps stdin open")
	raw, err := j.read()
	if err != nil {
		return j.fail(err)
	}
	j.expectVerdict(j.deadline())
	ev, err := j.decode(raw)
	if ev != nil {
		j.ev = ev
		ev.Time, ev.Again = j.started, j.call.Again
		if ev.Session.Account = j.call.Account; j.call.User != "" {
			ev.Session.User = j.call.User
		}
		if ev.Raw == nil {
			ev.Raw = raw
		}
	}
	if err != nil {
		return j.fail(err)
	}
	if until := j.until(j.deadline()); until.Before(deadline) { // a different host from the one in the wiring
		deadline = until
	}
	if j.HandOff != nil && overrule.MayBePaused(j.Dirs.State, j.started) {
		ctx, stop := j.asking(ctx)
		defer stop()
		return j.handOff(ctx, raw)
	}
	j.recognize(ctx, ev)
	locate(j.dialect, ev)
	_, own := j.dialect.(dialects.CallDecoder)
	request := &Request{Event: ev, Dirs: j.dirs(ev),
		callOptions: callOptions{deadline: deadline, people: j.latest(), patient: j.patient, ownLimit: own, getenv: j.getenv, only: j.call.Only}}
	judged, err := j.Judge(ctx, request)
	overrules := err == nil && j.mayBeOverruled(judged.Verdict, j.cannotAsk(judged))
	if overrules && j.Overrule != nil {
		judged = j.overruled(ctx, request, judged)
	}
	switch {
	case j.HandOff != nil && (overrules || err != nil && handsOff(err)):
		ctx, stop := j.asking(ctx)
		defer stop()
		return j.handOff(ctx, raw)
	case err != nil:
		return j.fail(err)
	case !j.concernsPeople(judged):
	case j.People != nil:
		ctx, stop := j.asking(ctx)
		defer stop()
		if err := j.People(ctx, judged); err != nil {
			return j.fail(err)
		}
	case j.HandOff != nil:
		j.call.Again = judged.Verdict.Decision == trammel.Ask
		ctx, stop := j.asking(ctx)
		defer stop()
		return j.handOff(ctx, raw)
	}
	return j.reply(ctx, judged)
}

// concernsPeople reports whether people have to decide, because the host cannot
// ask its user, or whether a session has ended that people may still be deciding about.
func (j *job) concernsPeople(judged *Judged) bool {
	if judged.Event.Kind == trammel.SessionEnd {
		return judged.Plan.Settings.Approvals != ""
	}
	return judged.ForPeople() && !dialects.PowersFor(j.dialect, judged.Event, judged.Verdict).Can.Any(trammel.CanAsk)
}
