package repohooks

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/pipeline"
)

// recordLimit is how long a record may wait for others that are being written.
const recordLimit = 3 * time.Second

// record puts the event into the evidence, as that of any host.
func (p *place) record(ctx context.Context, ev *trammel.Event, v *trammel.Verdict) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordLimit)
	defer cancel()
	s := &p.plan.Settings.Evidence
	dir, err := pipeline.EvidenceDir(p.Dirs, p.set.Root)
	if err != nil {
		return err
	}
	meta := evidence.Meta{Config: p.set.Digest, Engine: p.Version, PayloadMode: evidence.PayloadMode(s.Payload), Started: ev.Time,
		Micros: time.Since(ev.Time).Microseconds()}
	_, err = evidence.Open(dir, evidence.Options{Fsync: s.Fsync == "always", Segment: s.Segment}).Append(ctx,
		evidence.FromVerdict(ev, v, meta).AppendJSON(nil))
	return err
}

// LogFile is the log of hook runs, from the root of the repository on.
var LogFile = filepath.Join(".system", "logs", "hooks.jsonl")

// log writes one line per run into the repository's own log (AIC-61). A
// project without repository hooks gets none.
func (p *place) log(ctx context.Context, event EventType, ev *trammel.Event, v *trammel.Verdict) error {
	if _, err := os.Lstat(filepath.Join(p.set.Root, layers.RepositoryHooks)); err != nil {
		return nil
	}
	file := state.Journal{Path: filepath.Join(p.set.Root, LogFile), Size: 4 << 20, Keep: 1}
	for i := range v.Runs {
		run := &v.Runs[i]
		r := ran(run)
		var w strict.Writer
		w.Open()
		w.Text("time", ev.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
		w.Text("hook_id", r.HookID)
		w.Text("event_type", string(event))
		w.Text("status", r.Status)
		w.Key("duration_ms")
		w.Value(r.DurationMS)
		w.Text("decision", r.Decision)
		w.Text("code", string(run.Code))
		w.Text("session_id", ev.Session.ID)
		if ev.Tool != nil {
			w.Text("ability_id", ev.Tool.Name)
		}
		for _, f := range run.Answer.Findings {
			if f.Code == repohooks.MisplacedSignals {
				w.Flag("misconfigured", true)
			}
		}
		w.Close()
		if err := file.Append(context.WithoutCancel(ctx), w.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
