package pipeline

import (
	"context"
	"os"
	"time"

	"github.com/trammel-dev/trammel"
)

// Dispatch judges an event of a runtime that embeds Trammel, and records it.
//
// There is always a verdict. The error says why the hooks could not run, for
// instance a mistake in the configuration. In that case an event that can be
// denied is denied.
func (p *Program) Dispatch(ctx context.Context, ev *trammel.Event) (*trammel.Verdict, error) {
	if ev.Time.IsZero() {
		ev.Time = time.Now()
	}
	if ev.Session.Dir == "" {
		ev.Session.Dir, _ = os.Getwd()
	}
	dirs := []string{ev.Session.Project, ev.Session.Dir}
	request := &Request{Event: ev, Dirs: dirs}
	judged, err := p.Judge(ctx, request)
	if err == nil && p.Overrule != nil && p.mayBeOverruled(judged.Verdict, false) {
		judged = p.overruled(ctx, request, judged)
	}
	if err == nil {
		consented(judged.Verdict)
	}
	var failure *trammel.Failure
	if err != nil {
		failure = failureOf(err)
		v := &trammel.Verdict{Event: ev}
		if ev.Kind.FailsClosed() {
			v.Decision, v.Reason = trammel.Deny, failure.Error()
		}
		judged = p.unjudged(ev, v, dirs)
	}
	switch {
	case p.People == nil:
	case ev.Kind == trammel.SessionEnd && judged.Plan.Settings.Approvals != "":
		err = p.People(ctx, judged)
	case p.AskPeople && judged.ForPeople():
		if err = p.People(ctx, judged); err != nil {
			judged.Verdict.Decision, judged.Verdict.Reason = trammel.Deny, failureOf(err).Error()
		}
	}
	if err := p.Record(ctx, judged, failure); err != nil {
		unrecorded(judged, err)
	}
	return judged.Verdict, err
}

// ForPeople reports whether the hooks' questions can be put to people.
func (j *Judged) ForPeople() bool {
	v := j.Verdict
	return v.Decision == trammel.Ask && j.Plan.Settings.AskPeople && !v.Canceled && j.Event.Tool != nil
}
