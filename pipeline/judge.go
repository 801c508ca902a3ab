package pipeline

import (
	"context"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/plan"
)

// Request is an event to judge.
type Request struct {
	Event *trammel.Event
	// Dirs are the directories from which to look for project files, upwards.
	Dirs []string
	// Config, if set, is used instead of looking for files.
	Config *Config
	// Select chooses from all hooks in force. If nil, the plan's index chooses.
	Select func(c *Config) ([]plan.Hook, error)
	callOptions
}

// callOptions are the options of a host's call.
type callOptions struct {
	deadline time.Time           // zero if there is none
	people   time.Time           // the later deadline for calls that people decide about, if there is one
	patient  func()              // called before people are asked; may be nil
	ownLimit bool                // the dialect has checked the payload against its own limit
	getenv   func(string) string // the call's environment; if nil, all variables are unset
	only     string              // the only policy to run, "" for all
	without  []string            // hooks that a person has overridden
}

// Judged is an event with its verdict and the configuration that led to it.
type Judged struct {
	Config
	Event   *trammel.Event
	Verdict *trammel.Verdict
	Engine  *trammel.Engine
	Budget  time.Duration // the hooks' time limit, 0 if there is none
	ID      string        // of its record, once it has one
}

// Judge runs the pipeline for an event up to its verdict: load, select, bind,
// dispatch. Nothing is recorded; Record does that. In a rehearsal no policy
// stores anything either.
func (p *Program) Judge(ctx context.Context, r *Request) (*Judged, error) {
	c, err := p.loadConfig(r)
	if err != nil {
		return nil, err
	}
	p.recall(&c, r.Event)
	selected, err := p.selectHooks(&c, r)
	if err != nil {
		return nil, err
	}
	selected = except(selected, r.without)
	pause := p.pausing(&c, r.Event)
	selected = pause.quiet(selected)
	limit := budget(r.deadline, &c.Plan.Settings)
	engine, err := p.bind(p.bindingsFor(&c, r), selected, trammel.WithBudget(limit), trammel.WithPeople(r.forPeople()))
	if err != nil {
		return nil, err
	}
	if r.patient != nil && slices.ContainsFunc(engine.Hooks(), asksPeople) {
		r.patient()
	}
	v := p.dispatch(ctx, engine, r.Event)
	pause.tell(v, r.Event.Kind)
	return &Judged{Config: c, Event: r.Event, Verdict: v, Engine: engine, Budget: limit}, nil
}

// Rehearse judges an event without recording or storing anything.
func (p *Program) Rehearse(ctx context.Context, ev *trammel.Event, dirs []string) (*Judged, error) {
	p.rehearse(ev)
	return p.Judge(ctx, &Request{Event: ev, Dirs: dirs, callOptions: callOptions{deadline: p.deadlineOf(ev)}})
}

// RehearseBy is Rehearse with a given configuration.
func (p *Program) RehearseBy(ctx context.Context, ev *trammel.Event, c *Config) (*Judged, error) {
	p.rehearse(ev)
	return p.Judge(ctx, &Request{Event: ev, Config: c, callOptions: callOptions{deadline: p.deadlineOf(ev)}})
}

// rehearse prepares an event that no host has sent.
func (p *Program) rehearse(ev *trammel.Event) {
	ev.Rehearsal = true
	if d, ok := p.Dialects.Host(ev.Host); ok {
		locate(d, ev)
	}
}

// locate finds the server of an MCP tool where the host does not name it.
func locate(d any, ev *trammel.Event) {
	if l, ok := d.(dialects.ServerLocator); ok {
		l.Locate(ev, world.Of(ev))
	}
}

// bind builds the selected hooks, and the engine that runs them.
func (p *Program) bind(known *bindings, selected []plan.Hook, options ...trammel.Option) (*trammel.Engine, error) {
	engine, err := known.engine(p, selected)
	if err != nil {
		return nil, err
	}
	if p.Witness != nil {
		options = append(options, trammel.WithWitness(p.Witness))
	}
	return engine.With(options...), nil
}

// dispatch runs the hooks. If one waits for an external program or service, the
// process listens for signals meanwhile.
func (p *Program) dispatch(ctx context.Context, engine *trammel.Engine, ev *trammel.Event) *trammel.Verdict {
	if slices.ContainsFunc(engine.Hooks(), waits) {
		var stop context.CancelFunc
		ctx, stop = p.waiting(ctx, time.Time{})
		defer stop()
	}
	return engine.Dispatch(ctx, ev)
}

func waits(h *trammel.Hook) bool {
	w, ok := h.Handler.(trammel.Waiter)
	return ok && w.Waits()
}

// asksPeople reports whether a hook may wait for people.
func asksPeople(h *trammel.Hook) bool {
	g, ok := h.Handler.(trammel.Gate)
	return ok && g.Gates() && waits(h)
}
