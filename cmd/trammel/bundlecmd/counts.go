package bundlecmd

import (
	"context"
	"maps"
	"time"

	"github.com/trammel-dev/trammel/backtest"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
)

// counted is a change, with how many recorded calls it would have decided
// differently.
type counted struct {
	config.Change
	Loosened  *int `json:"loosened,omitempty"`
	Tightened *int `json:"tightened,omitempty"`
}

// counts adds the counts of a backtest to the changes; nil means no backtest.
func counts(changes []config.Change, r *backtest.Report) []counted {
	out := make([]counted, len(changes))
	for i, c := range changes {
		out[i].Change = c
		if r == nil {
			continue
		}
		out[i].Loosened, out[i].Tightened = new(int), new(int)
		for _, h := range r.Hooks {
			if h.Hook == c.ID {
				*out[i].Loosened, *out[i].Tightened = h.Loosened, h.Tightened
			}
		}
	}
	return out
}

// recent is how far back a backtest looks.
const recent = 30 * 24 * time.Hour

// backtest judges the recorded calls by the rules after the update (TEAM-17).
// It is nil if there is no evidence.
func (u *update) backtest(ctx context.Context) (*backtest.Report, error) {
	s := &cli.Evidence{Dir: u.dir}
	if s.Open() != nil {
		return nil, nil
	}
	set, err := layers.Find(u.Dirs, u.dir)
	if err != nil {
		return nil, err
	}
	after := u.set(u.edited, u.after)
	bundles := maps.Clone(set.Bundles)
	if bundles == nil {
		bundles = map[string]layers.Bundle{}
	}
	maps.Copy(bundles, after.Bundles)
	return backtest.Run(ctx, backtest.Options{Dirs: u.Dirs, Log: s.Log, Set: set.Trusting().Replacing(after.Files, bundles),
		Since: time.Now().Add(-recent)})
}
