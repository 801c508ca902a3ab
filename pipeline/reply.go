package pipeline

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/plan"
)

// reply turns a verdict into what the host gets: kept context is added, what
// the host cannot do is degraded, the record is written, and then it is said
// in the host's language.
func (j *job) reply(ctx context.Context, judged *Judged) trammel.Reply {
	ev, v := judged.Event, judged.Verdict
	powers := dialects.PowersFor(j.dialect, ev, v)
	j.closeIfCanceled(ev, v)
	if ev.Kind == trammel.SessionStart {
		for _, note := range judged.Plan.Notes {
			v.Notice = strings.TrimSpace(v.Notice + "\n" + note)
		}
	}
	j.capStops(ctx, ev, v, powers)
	j.remember(ctx, ev, v)
	kept := state.Pending(j.State, ev)
	if powers.Can.Any(trammel.Inject) && v.Decision < trammel.Deny {
		v.Context = append(kept.Take(ctx), v.Context...)
	}
	kept.Put(ctx, dialects.Degrade(ev, v, powers))

	if err := j.record(ctx, ev, v, judged, nil); err != nil {
		j.unrecorded(ev, v, &judged.Plan.Settings, err)
	}
	return j.dialect.EncodeVerdict(ev, v)
}

// closeIfCanceled: a host that gives up while a guard is at work must not read
// our silence as consent. For a library a cancellation is not a denial; for a
// process that is about to answer it has to be one.
func (j *job) closeIfCanceled(ev *trammel.Event, v *trammel.Verdict) {
	if v.Canceled && ev.Kind.FailsClosed() && v.Decision < trammel.Deny {
		v.Decision, v.Granted = trammel.Deny, false
		v.Reason = "Trammel was stopped before all hooks had answered, so the event is blocked."
	}
}

// unrecorded handles a record that could not be written: what leaves no trace
// must not happen, unless the settings say that it may.
func (j *job) unrecorded(ev *trammel.Event, v *trammel.Verdict, s *plan.Settings, err error) {
	text := fmt.Sprintf("Trammel could not record this event: %v", err)
	if s.Evidence.OnError == "block" && ev.Kind.FailsClosed() && v.Decision < trammel.Deny {
		v.Decision, v.Granted, v.Input = trammel.Deny, false, nil
		v.Reason = text + ". What cannot be recorded is blocked."
		return
	}
	v.Notice = strings.TrimSpace(v.Notice + "\n" + text)
}

// fail replies when there is no verdict: something before or around the hooks
// went wrong. Events that a denial prevents are denied; for the others the
// host gets an error that it shows its user.
func (j *job) fail(err error) trammel.Reply {
	code, detail := describe(err)
	f := &trammel.Failure{Code: code, Detail: detail}
	v := &trammel.Verdict{Event: j.ev}
	switch {
	case blocks(j.dialect, j.ev, f):
		v.Decision = trammel.Deny
		v.Reason = f.Error()
	case letsThrough(j.dialect, j.ev, f):
		v.Degraded = []trammel.Degradation{{Wanted: "block", Became: "notice", Why: "the contract of " + j.dialect.Name() +
			" lets through what cannot be read"}}
	}
	at := Judged{Event: j.ev, Verdict: v, Plan: &plan.Plan{Settings: plan.DefaultSettings()}}
	anchors := absolute(j.anchors(j.ev))
	if set, err := layers.Find(j.Dirs, anchors...); err == nil {
		at.Set = set
	} else {
		at.Set = &layers.Set{Root: layers.Root(j.Dirs, anchors...)}
	}
	_ = j.record(context.Background(), j.ev, v, &at, f) // there is nothing firmer left than the reply that follows
	return failedReply(j.dialect, j.ev, f)
}

// blocks reports whether an event that could not be judged has to be denied.
// One of which not even the kind could be told may be anything.
func blocks(d trammel.HostDialect, ev *trammel.Event, f *trammel.Failure) bool {
	return !letsThrough(d, ev, f) && (ev.Kind.FailsClosed() || ev.Kind == trammel.Other && ev.Name == "")
}

func letsThrough(d trammel.HostDialect, ev *trammel.Event, f *trammel.Failure) bool {
	o, ok := d.(dialects.Opener)
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
	v.Reason = text + ". It is blocked until that is mended."
	return d.EncodeVerdict(ev, v)
}

// trusted checks the reply of a program that we handed the call to. Anything
// but an answer or a block is a crash, and must not let the event through.
func (j *job) trusted(r trammel.Reply) trammel.Reply {
	if f := trammel.Fail(trammel.CodeCrash, "trammel ended with exit code %d: %s", r.Exit,
		strings.TrimSpace(string(r.Stderr))); r.Exit != 0 && r.Exit != 2 && blocks(j.dialect, j.ev, f) {
		return j.fail(f)
	}
	return r
}

func (j *job) record(ctx context.Context, ev *trammel.Event, v *trammel.Verdict, at *Judged, f *trammel.Failure) error {
	s := &at.Plan.Settings.Evidence
	dir, err := EvidenceDir(j.Dirs, at.Set.Root)
	if err != nil {
		return err
	}
	log := evidence.Open(dir, evidence.Options{Fsync: s.Fsync == "always", Segment: s.Segment})
	meta := evidence.Meta{Config: at.Set.Digest, Engine: j.Version, PayloadMode: evidence.PayloadMode(s.Payload), Err: f, Started: j.started,
		Micros: time.Since(j.started).Microseconds()}
	_, err = log.Append(until{ctx, time.Now().Add(recordLimit)}, evidence.FromVerdict(ev, v, meta).AppendJSON(nil))
	return err
}

// until is a context that ends at a time without a timer of its own: who waits
// for a lock looks at it every few milliseconds, and almost nobody waits.
type until struct {
	context.Context
	at time.Time
}

func (u until) Deadline() (time.Time, bool) { return u.at, true }

func (u until) Err() error {
	if err := u.Context.Err(); err != nil || time.Now().Before(u.at) {
		return err
	}
	return context.DeadlineExceeded
}

// recordLimit is how long a record may wait for others that are being written.
const recordLimit = 3 * time.Second

// EvidenceDir is where the evidence of the project with this root is kept.
func EvidenceDir(dirs layers.Dirs, root string) (string, error) {
	if root == "" {
		return "", fmt.Errorf("the project is not known")
	}
	if err := layers.Check(dirs); err != nil { // a log that is begun anew would hide that the old one is gone
		return "", err
	}
	return filepath.Join(dirs.State, "evidence", layers.Key(root)), nil
}

func absolute(dirs []string) []string {
	var out []string
	for _, d := range dirs {
		if filepath.IsAbs(d) {
			out = append(out, filepath.Clean(d))
		}
	}
	return out
}
