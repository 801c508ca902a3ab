package pipeline

import (
	"context"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

// fail replies when there is no verdict because something before or around the
// hooks went wrong. If a denial can prevent the event, it is denied; otherwise
// the host gets an error to show to its user.
func (j *job) fail(err error) trammel.Reply {
	f := failureOf(err)
	v := &trammel.Verdict{Event: j.ev}
	switch {
	case blocks(j.dialect, j.ev, f):
		v.Decision = trammel.Deny
		v.Reason = f.Error()
	case letsThrough(j.dialect, j.ev, f):
		v.Degraded = []trammel.Degradation{{Wanted: "block", Became: "notice", Why: "the contract of " + j.dialect.Name() +
			" lets events through that cannot be read"}}
	}
	j.recordFailure(v, f)
	return failedReply(j.dialect, j.ev, f)
}

// recordFailure records a failure if that is possible. What has failed may be
// the record itself: whatever happens here, the host gets its reply.
func (j *job) recordFailure(v *trammel.Verdict, f *trammel.Failure) {
	defer func() { _ = recover() }()
	_ = j.Record(context.Background(), j.unjudged(j.ev, v, j.dirs(j.ev)), f)
}

// unjudged wraps an event that the configuration has not judged.
func (p *Program) unjudged(ev *trammel.Event, v *trammel.Verdict, dirs []string) *Judged {
	dirs = absolute(dirs)
	set, err := layers.Find(p.Dirs, dirs...)
	if err != nil {
		set = &layers.Set{Root: layers.Root(p.Dirs, dirs...)}
	}
	return &Judged{Config: Config{Set: set, Plan: &plan.Plan{Settings: plan.DefaultSettings()}}, Event: ev, Verdict: v}
}

// blocks reports whether an event that could not be judged has to be denied.
// An event of unknown kind could be anything, so it is.
func blocks(d trammel.HostDialect, ev *trammel.Event, f *trammel.Failure) bool {
	return !letsThrough(d, ev, f) && (ev.Kind.FailsClosed() || ev.Kind == trammel.Other && ev.Name == "")
}

func letsThrough(d trammel.HostDialect, ev *trammel.Event, f *trammel.Failure) bool {
	o, ok := d.(dialects.FailOpener)
	return ok && o.LetsThrough(ev, f)
}

func failedReply(d trammel.HostDialect, ev *trammel.Event, f *trammel.Failure) trammel.Reply {
	text := fmt.Sprintf("Trammel cannot judge this event (%s): %s", f.Code, f.Error())
	v := &trammel.Verdict{Event: ev}
	switch {
	case letsThrough(d, ev, f):
		v.Notice = text + "."
		return d.EncodeVerdict(ev, v)
	case !blocks(d, ev, f):
		return trammel.Reply{Exit: 1, Stderr: []byte(text + "\n")}
	}
	v.Decision = trammel.Deny
	v.Reason = text + ". It is blocked until that is fixed."
	return d.EncodeVerdict(ev, v)
}

// handOff passes the call to the full program. Any result other than an answer
// or a block is a crash, and must not let the event through.
func (j *job) handOff(ctx context.Context, raw []byte) trammel.Reply {
	r, err := j.HandOff(ctx, j.call, raw)
	if err != nil {
		return j.fail(trammel.Fail(trammel.CodeUnavailable, "%w", err))
	}
	f := trammel.Fail(trammel.CodeCrash, "trammel ended with exit code %d: %s", r.Exit, strings.TrimSpace(string(r.Stderr)))
	if r.Exit != 0 && r.Exit != 2 && blocks(j.dialect, j.ev, f) {
		return j.fail(f)
	}
	return r
}
