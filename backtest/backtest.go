// Package backtest judges what the evidence has recorded by another
// configuration, and says what would have come out otherwise.
package backtest

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// Options say what is replayed.
type Options struct {
	Dirs  layers.Dirs
	Log   string      // the directory of the evidence
	Set   *layers.Set // the changed configuration
	Since time.Time
	// Progress, if set, is called now and then with how many records are done, and
	// the time of the last one.
	Progress func(done int, at time.Time)
}

// gcPercent is how much a replay lets the heap grow. It keeps little and makes much
// garbage, so collecting less often saves about a quarter of its time.
const gcPercent = 400

// Run replays the records of a log, oldest first.
func Run(ctx context.Context, o Options) (*Report, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	p, then := full.Replaying(o.Dirs)
	replay, config, err := p.ReplayUnder(o.Set)
	if err != nil {
		return nil, err
	}
	t := &tester{replay: replay, then: then, report: newReport(config.Set.Digest), readers: map[trammel.Kind][]reader{}}
	for _, kind := range trammel.Kinds() {
		for _, h := range replay.Hooks(kind) {
			t.readers[kind] = append(t.readers[kind], readerOf(h))
		}
	}
	done := 0
	read := func(entry *evidence.Entry) *event { return t.read(ctx, entry) }
	err = evidence.Map(o.Log, evidence.Filter{Since: o.Since}, read, func(e *event) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if done++; o.Progress != nil && done%progressStep == 0 {
			o.Progress(done, e.Time)
		}
		return t.judge(ctx, e)
	})
	if err != nil {
		return nil, err
	}
	return t.report.finish(), nil
}

// progressStep is after how many records progress is shown.
const progressStep = 500

type tester struct {
	replay  *pipeline.Replay
	then    *state.Then
	report  *Report
	readers map[trammel.Kind][]reader // what the hooks on a kind of event look at
}

// event is a record, with its event, or the reason why it has none.
type event struct {
	record
	ev    *trammel.Event
	ahead *trammel.Verdict // nil if it depends on earlier records
	apart Apart
}

// read makes the event of a record ready, as far as that needs no other record.
func (t *tester) read(ctx context.Context, entry *evidence.Entry) *event {
	e := &event{}
	if err := e.record.read(entry.Body); err != nil {
		e.apart = Unreadable
		return e
	}
	kind, known := trammel.ParseKind(e.Event)
	switch {
	case !known || e.Host == "" || !e.Judged && !e.Error:
		e.apart = NoEvent
	case !e.Judged || e.Error || e.Canceled:
		e.apart = NotJudged
	case len(e.Payload) == 0:
		e.apart = NoPayload
	}
	if e.apart != "" {
		return e
	}
	var err error
	if e.ev, err = t.replay.Read(e.Host, e.Name, e.Project, e.Time, e.Payload); err != nil || e.ev.Kind != kind {
		e.apart = Unreadable
		return e
	}
	if secret.Marked(string(e.Payload)) {
		h := holesOf(e.ev)
		for i := range t.readers[kind] {
			if t.readers[kind][i].sees(&h) {
				e.apart = Redacted
				return e
			}
		}
	}
	if e.ahead = t.replay.Ahead(ctx, e.ev, &e.record); e.ahead == nil {
		e.missing = ""
	}
	return e
}

// judge holds what comes of an event now against what came of it then.
func (t *tester) judge(ctx context.Context, e *event) error {
	t.report.Records++
	if e.apart != "" {
		t.report.Apart[e.apart]++
		return nil
	}
	t.then.Set(e.Time)
	v, err := t.replay.Judge(ctx, e.ev, &e.record, e.ahead)
	if err != nil {
		return err
	}
	if e.missing != "" {
		t.report.Apart[NotReplayable]++
		t.report.hook(e.missing).NotReplayable++
		return nil
	}
	t.report.add(&e.record, v)
	return nil
}
