package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

// Judged is an event with its verdict, and what it was judged by.
type Judged struct {
	Event   *trammel.Event
	Verdict *trammel.Verdict
	Plan    *plan.Plan
	Set     *layers.Set
	Engine  *trammel.Engine
	Budget  time.Duration // what the hooks had, 0 if nothing bounds it
}

// opened is the configuration that holds at some place.
type opened struct {
	set  *layers.Set
	plan *plan.Plan
}

// open finds and loads the configuration that holds at the given directories.
func (p *Program) open(anchors []string) (opened, error) {
	set, err := layers.Find(p.Dirs, absolute(anchors)...)
	if err != nil {
		return opened{}, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	loaded, err := p.Load(set)
	if err != nil {
		return opened{set: set}, &configError{err}
	}
	return opened{set, loaded}, nil
}

// configError is a configuration that cannot be used here. The hot program
// hands such a call on; the full one has nobody to hand it to.
type configError struct{ error }

func (e *configError) Unwrap() error { return e.error }

func handsOff(err error) bool {
	var c *configError
	return errors.As(err, &c) || errors.Is(err, trammel.ErrUnknownKind) || errors.Is(err, plan.ErrCorrupt)
}

// Judge brings one event before the hooks that the configuration at the given
// directories selects. It is a rehearsal: nothing is recorded, and no policy
// leaves a trace.
func (p *Program) Judge(ctx context.Context, ev *trammel.Event, anchors []string) (*Judged, error) {
	ev.Rehearsal = true
	return p.judge(ctx, ev, anchors, terms{baseline: p.baselineOf(ev), deadline: p.deadlineOf(ev)})
}

// terms are what a call adds to the configuration.
type terms struct {
	deadline time.Time
	own      bool                // the dialect has held the payload against its own limit
	baseline dialects.Baseliner  // nil if the host has none
	getenv   func(string) string // of the call
	only     string              // the one policy that is asked, "" for all
}

func (p *Program) judge(ctx context.Context, ev *trammel.Event, anchors []string, t terms) (*Judged, error) {
	at, err := p.bring(ev, anchors)
	if err != nil {
		return nil, err
	}
	if limit := at.plan.Settings.MaxPayload; int64(len(ev.Raw)) > limit && !t.own { // a limit below the default shows only now
		return nil, tooLarge(limit)
	}
	selected, err := at.plan.Select(ev)
	if err != nil {
		return nil, err
	}
	if t.baseline != nil {
		if selected, err = p.withBaseline(selected, &at, ev, &t); err != nil {
			return nil, err
		}
	}
	hooks, err := plan.Bind(selected, p.Registry, p.Dialects.Hook)
	if err != nil {
		return nil, err
	}
	limit := budget(t.deadline, &at.plan.Settings)
	engine, err := trammel.New(hooks, trammel.WithBudget(limit))
	if err != nil {
		return nil, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	if slices.ContainsFunc(hooks, waits) {
		var stop context.CancelFunc
		ctx, stop = p.waiting(ctx, time.Time{})
		defer stop()
	}
	return &Judged{Event: ev, Verdict: engine.Dispatch(ctx, ev), Plan: at.plan, Set: at.set, Engine: engine, Budget: limit}, nil
}

// bring opens the configuration that an event is judged by, and makes the
// event ready for it.
func (p *Program) bring(ev *trammel.Event, anchors []string) (opened, error) {
	at, err := p.open(anchors)
	if err != nil {
		return at, err
	}
	if ev.Session.Project == "" {
		ev.Session.Project = at.set.Root
	}
	ev.Prepare()
	return at, nil
}

func waits(h trammel.Hook) bool {
	w, ok := h.Handler.(trammel.Waiter)
	return ok && w.Waits()
}

// describe says in one line what went wrong, for a host or a person.
func describe(err error) (code trammel.Code, detail string) {
	var f *trammel.Failure
	var c *configError
	switch {
	case errors.As(err, &c):
		return trammel.CodeConfig, fmt.Sprintf("the configuration cannot be used: %v", err)
	case errors.As(err, &f):
		return f.Code, f.Error()
	}
	return trammel.CodeError, err.Error()
}
