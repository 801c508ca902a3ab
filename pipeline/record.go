package pipeline

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/plan"
)

// Record records an event in the evidence, with its verdict or with the failure
// that prevented one. Canceling ctx does not stop it: whatever was judged is
// recorded.
func (p *Program) Record(ctx context.Context, j *Judged, f *trammel.Failure) error {
	s := &j.Plan.Settings.Evidence
	meta := evidence.Meta{Config: j.Set.Digest, Engine: p.Version, PayloadMode: evidence.PayloadMode(s.Payload), Err: f,
		Started: j.Event.Time, Micros: time.Since(j.Event.Time).Microseconds()}
	record := evidence.FromVerdict(j.Event, j.Verdict, meta)
	j.ID = record.ID
	if p.Observe != nil {
		defer p.Observe(record)
	}
	ctx = until{context.WithoutCancel(ctx), time.Now().Add(recordLimit)}
	if err := p.learn(ctx, j); err != nil && j.Verdict != nil { // this affects only later calls
		j.Verdict.Notice = strings.TrimSpace(j.Verdict.Notice + "\nTrammel could not remember what this call does: " + err.Error())
	}
	_ = state.Passed{State: p.State}.Ended(ctx, j.Event) // then the id ends nothing for a minute
	if p.Sink != nil {
		return p.Sink(ctx, record)
	}
	noticed, err := p.log(ctx, j.Set.Root, s, record)
	if err != nil {
		return err
	}
	if v := j.Verdict; noticed != "" && v != nil {
		v.Notice = strings.TrimSpace(v.Notice + "\nTrammel's evidence log has been changed: " + noticed + ". See: trammel evidence verify")
	}
	p.recordUnanswered(ctx)
	return nil
}

// Put appends a record that does not belong to an event to the evidence of the
// project with this root.
func (p *Program) Put(ctx context.Context, root string, r *evidence.Record) error {
	ctx = until{context.WithoutCancel(ctx), time.Now().Add(recordLimit)}
	if p.Sink != nil {
		return p.Sink(ctx, r)
	}
	settings := plan.DefaultSettings()
	_, err := p.log(ctx, root, &settings.Evidence, r)
	return err
}

// AuthorityRecord is a record of something about the authority secret.
func (p *Program) AuthorityRecord(root, event, what string) *evidence.Record {
	now := time.Now()
	return &evidence.Record{ID: evidence.NewID(now), Time: now, Host: "trammel", Event: event, Project: root,
		Action: evidence.ActionRecord{Summary: what}, Payload: map[string]any{"what": what}, Engine: p.Version}
}

// PutOnce is Put, but does nothing if a record with this id exists.
func (p *Program) PutOnce(ctx context.Context, root string, r *evidence.Record) error {
	at, err := p.placeOf(root)
	if err != nil {
		return err
	}
	if has, err := evidence.Has(at.log, r.ID, r.Time.Add(-clockStep)); has || err != nil {
		return err
	}
	return p.Put(ctx, root, r)
}

// clockStep is the tolerated difference between the time in a record and that of its file.
const clockStep = time.Minute

// log appends a record to the evidence of the project with this root. noticed
// says what is wrong with the log, if anything.
func (p *Program) log(ctx context.Context, root string, s *plan.EvidenceSettings, r *evidence.Record) (noticed string, err error) {
	at, err := p.placeOf(root)
	if err != nil {
		return "", err
	}
	opts := evidence.Options{Fsync: s.Fsync == "always", Segment: s.Segment, Mark: at.mark}
	var receipt evidence.Receipt
	if p.Logs != nil {
		receipt, err = p.Logs.Append(at.log, opts, r.AppendJSON(nil))
	} else {
		receipt, err = evidence.Open(at.log, opts).Append(ctx, r.AppendJSON(nil))
	}
	return receipt.Noticed, err
}

// place is where the evidence of a project is.
type place struct{ log, mark string }

func (p *Program) placeOf(root string) (place, error) {
	find := func(place) (place, error) {
		dir, err := EvidenceDir(p.Dirs, root)
		return place{dir, EvidenceMark(p.Dirs, root)}, err
	}
	if p.Remember <= 0 {
		return find(place{})
	}
	return p.logs.get(root, p.Remember, find)
}

// unrecorded handles a record that could not be written. Nothing may happen
// without a record, unless the settings allow it.
func unrecorded(j *Judged, err error) {
	v := j.Verdict
	text := fmt.Sprintf("Trammel could not record this event: %v", err)
	if j.Plan.Settings.Evidence.OnError == "block" && j.Event.Kind.FailsClosed() && v.Decision < trammel.Deny {
		v.Decision, v.Granted, v.Input = trammel.Deny, false, nil
		v.Reason = text + ". Events that cannot be recorded are blocked."
		return
	}
	v.Notice = strings.TrimSpace(v.Notice + "\n" + text)
}

// until is a context that ends at a given time, without a timer. Whoever waits
// for a lock checks it every few milliseconds, and waiting is rare.
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

// recordLimit is how long to wait for other records to be written.
const recordLimit = 3 * time.Second

// EvidenceDir returns the directory with the evidence of the project with this root.
func EvidenceDir(dirs trammel.Dirs, root string) (string, error) {
	if root == "" {
		return "", fmt.Errorf("the project is unknown")
	}
	if dirs.State == "" {
		return "", fmt.Errorf("there is no state directory")
	}
	if err := layers.Check(dirs); err != nil { // otherwise a new log would hide that the old one was removed
		return "", err
	}
	return filepath.Join(dirs.State, "evidence", layers.Key(root)), nil
}

// EvidenceMark is the file that shows that the project with this root has evidence.
func EvidenceMark(dirs trammel.Dirs, root string) string {
	return filepath.Join(dirs.State, "logs", layers.Key(root))
}
