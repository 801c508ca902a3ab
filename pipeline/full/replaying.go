package full

import (
	"context"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
)

// Replaying builds a program that judges past events: it stores everything only
// in memory, and takes the time from then.
func Replaying(dirs trammel.Dirs) (p *Program, then *state.Then) {
	then = state.NewThen()
	p = New(dirs)
	p.State, p.Overrule, p.People = then, nil, nil
	p.Sink = func(context.Context, *evidence.Record) error { return nil }
	p.Registry.Provide(dirs, then)
	p.Registry.Share(then)
	return p, then
}

// ReplayUnder returns a replay under the configuration of a set.
func (p *Program) ReplayUnder(set *layers.Set) (*pipeline.Replay, pipeline.Config, error) {
	config, err := p.Trial(set)
	if err != nil {
		return nil, config, err
	}
	replay, err := p.NewReplay(config)
	return replay, config, err
}

// Trial returns the configuration of a set, without storing it for other programs.
func (p *Program) Trial(set *layers.Set) (pipeline.Config, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	data, err := p.encode(set)
	if err != nil {
		return pipeline.Config{}, err
	}
	compiled, err := plan.Decode(data, set.Digest)
	return pipeline.Config{Set: set, Plan: compiled}, err
}
