package full

import (
	"context"
	"errors"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/pipeline"
)

// overrule finds a person's permission for a denied call.
func (p *Program) overrule(ctx context.Context, j *pipeline.Judged, hooks []string) (*pipeline.Overruling, error) {
	d, err := p.Desk(&j.Plan.Settings)
	if err != nil {
		return nil, err
	}
	s, err := d.Service(ctx)
	if err != nil {
		return nil, err
	}
	shown, err := p.shows(j)
	if err != nil {
		return nil, err
	}
	c := approvals.Overruled{Hooks: hooks, Policy: j.Set.Digest, Shown: shown}
	g, err := s.FindOnce(ctx, j.Verdict.Event, c)
	if err != nil || g == nil {
		return nil, err
	}
	return &pipeline.Overruling{ID: g.ID, Who: fmt.Sprintf("%s: %s", g.By, g.Reason), Use: func(ctx context.Context, ev *trammel.Event) error {
		used, err := s.UseOnce(ctx, ev, c)
		if err == nil && used == nil {
			err = errors.New("it was used by another call")
		}
		return err
	}}, nil
}
