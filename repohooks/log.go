package repohooks

import (
	"context"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/strict"
)

// LogFile is the log of hook runs, from the root of the repository on.
var LogFile = filepath.Join(".system", "logs", "hooks.jsonl")

// log writes one line per run into the repository's own log (AIC-61). A
// project without repository hooks gets none.
func (p *place) log(ctx context.Context, event EventType, ev *trammel.Event, v *trammel.Verdict) error {
	if _, err := os.Lstat(filepath.Join(p.Set.Root, layers.RepositoryHooks)); err != nil {
		return nil
	}
	file := state.Journal{Path: filepath.Join(p.Set.Root, LogFile), Size: 4 << 20, Keep: 1}
	for i := range v.Runs {
		run := &v.Runs[i]
		r := ran(run)
		var w strict.Writer
		w.Open()
		w.Texts("time", ev.Time.UTC().Format("2006-01-02T15:04:05.000Z"), "hook_id", r.HookID, "event_type", string(event),
			"status", r.Status)
		w.Any("duration_ms", r.DurationMS)
		w.Texts("decision", r.Decision, "code", string(run.Code), "session_id", ev.Session.ID)
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
