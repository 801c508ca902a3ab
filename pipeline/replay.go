package pipeline

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/plan"
)

// Recorded is what is known about an event that is judged again.
type Recorded interface {
	// Answer is the recorded answer of a hook that asks an external program or
	// service. It must be safe for concurrent use.
	Answer(h *trammel.Hook, now Entrypoint, ev *trammel.Event) (trammel.Answer, error)
	// Ran reports whether the call ran: then later events remember what it did.
	Ran() bool
}

// Entrypoint returns the digest of the file that a hook would start for an
// event. It is nil for hooks that start no file.
type Entrypoint func(ev *trammel.Event) string

// Replay judges recorded events by a configuration, as Judge does, with two
// differences: it starts no program and asks no service, and it leaves out hooks
// that cannot affect the outcome (observers, hooks on trial). Handlers cannot
// tell the difference: the events are not marked as rehearsals, and State is the
// program's.
type Replay struct {
	program *Program
	config  Config
	hooks   []plan.Hook
	byKind  map[trammel.Kind][]*plan.Hook
	mu      sync.Mutex
	engines map[engineKey]*replayEngine
}

// replayEngine is an engine, and whether a hook in it has asked for State. Then
// its verdicts depend on the order of events.
type replayEngine struct {
	*trammel.Engine
	ordered atomic.Bool
}

// engineKey is what the selection of hooks depends on, in addition to the
// configuration.
type engineKey struct {
	host string
	kind trammel.Kind
}

// NewReplay prepares a replay under a configuration.
func (p *Program) NewReplay(c Config) (*Replay, error) {
	all, err := c.Plan.All()
	if err != nil {
		return nil, err
	}
	r := &Replay{program: p, config: c, engines: map[engineKey]*replayEngine{}}
	r.hooks = slices.DeleteFunc(all, func(h plan.Hook) bool { return h.Trial || h.May < trammel.Rewrite && h.Kind != "pack" })
	r.byKind = map[trammel.Kind][]*plan.Hook{}
	for i := range r.hooks {
		for _, kind := range r.hooks[i].On {
			r.byKind[kind] = append(r.byKind[kind], &r.hooks[i])
		}
	}
	_, err = r.engine(&trammel.Event{})
	return r, err
}

// Hooks returns the hooks that can affect events of a kind.
func (r *Replay) Hooks(kind trammel.Kind) []*plan.Hook { return r.byKind[kind] }

// Read decodes a host's payload and computes its effects. It is safe for
// concurrent use, also ahead of Judge.
func (r *Replay) Read(host, name, project string, at time.Time, payload []byte) (*trammel.Event, error) {
	d, ok := r.program.Dialects.Host(host)
	if !ok {
		return nil, fmt.Errorf("unknown host %q", host)
	}
	var ev *trammel.Event
	var err error
	if c, ok := d.(dialects.CallDecoder); ok {
		ev, err = c.DecodeCall(payload, name, func(string) string { return "" })
	} else {
		ev, err = d.DecodeEvent(payload, name)
	}
	if err != nil {
		return nil, err
	}
	ev.Time, ev.Session.Project = at, project
	if ev.Raw == nil {
		ev.Raw = payload
	}
	locate(d, ev)
	if r.config.Plan.Settings.Past != "" {
		ev.Past = &latePast{}
	}
	ev.Prepare()
	if ev.Tool != nil && len(r.Hooks(ev.Kind)) > 0 {
		effects.Of(ev) // the event caches them
	}
	return ev, nil
}

// Ahead judges an event before the events that came earlier. It returns nil if
// the verdict may depend on them. It is safe for concurrent use.
func (r *Replay) Ahead(ctx context.Context, ev *trammel.Event, rec Recorded) *trammel.Verdict {
	if _, err := r.program.loadConfig(&Request{Event: ev, Config: &r.config}); err != nil {
		return nil // Judge reports it
	}
	engine, err := r.engine(ev)
	if err != nil || engine.ordered.Load() {
		return nil
	}
	ctx, asked := state.Ahead(context.WithValue(ctx, recordedKey{}, rec))
	v := engine.Dispatch(ctx, ev)
	if asked() {
		engine.ordered.Store(true)
		ev.Forget()
		return nil
	}
	return v
}

// Judge judges an event again. Events have to come in the order in which they
// happened, one after another, because some hooks count. ahead is what Ahead
// returned, if it was called.
func (r *Replay) Judge(ctx context.Context, ev *trammel.Event, rec Recorded, ahead *trammel.Verdict) (*trammel.Verdict, error) {
	c, err := r.program.loadConfig(&Request{Event: ev, Config: &r.config})
	if err != nil {
		return nil, err
	}
	if late, ok := ev.Past.(*latePast); ok && !late.become(state.PastOf(r.program.State, ev)) {
		ev.Forget()
		ahead = nil
	}
	v := ahead
	if v == nil {
		engine, err := r.engine(ev)
		if err != nil {
			return nil, err
		}
		v = engine.Dispatch(context.WithValue(ctx, recordedKey{}, rec), ev)
	}
	happened := *v
	if happened.Decision = trammel.Deny; rec.Ran() {
		happened.Decision = trammel.None
	}
	return v, r.program.learn(ctx, &Judged{Config: c, Event: ev, Verdict: &happened})
}

// engine returns the engine with all hooks that an event may select. It is built
// once, and matches each event exactly.
func (r *Replay) engine(ev *trammel.Event) (*replayEngine, error) {
	var key engineKey
	d, _ := r.program.Dialects.Host(ev.Host)
	b, based := d.(dialects.Baseliner)
	if based {
		key = engineKey{ev.Host, ev.Kind}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.engines[key]; e != nil {
		return e, nil
	}
	hooks, err := slices.Clone(r.hooks), error(nil)
	if based {
		if hooks, err = r.program.withBaseline(hooks, b, &r.config, &Request{Event: ev}); err != nil {
			return nil, err
		}
	}
	bound, err := plan.Bind(hooks, r.program.Registry, r.program.Dialects.Hook)
	if err != nil {
		return nil, err
	}
	for i := range bound {
		h := &bound[i]
		h.Timeout = 0 // the result must not depend on the speed of this machine
		switch {
		case h.Kind == "approval":
			h.Handler = asking{h.Handler}
		case h.Digest != "":
			h.Handler = recordedHandler(h)
		}
	}
	engine, err := trammel.New(bound)
	if err != nil {
		return nil, err
	}
	r.engines[key] = &replayEngine{Engine: engine}
	return r.engines[key], nil
}

type recordedKey struct{}

// fromRecord replaces a handler and gives the recorded answer.
type fromRecord struct {
	hook         *trammel.Hook
	entrypoint   Entrypoint
	gates, early bool
}

func recordedHandler(h *trammel.Hook) *fromRecord {
	out := &fromRecord{}
	if g, ok := h.Handler.(trammel.Gate); ok {
		out.gates = g.Gates()
	}
	if e, ok := h.Handler.(trammel.Early); ok {
		out.early = e.Early()
	}
	if e, ok := h.Handler.(interface {
		Entrypoint(*trammel.Event) string
	}); ok {
		out.entrypoint = e.Entrypoint
	}
	hook := *h // a copy, without its handler
	out.hook = &hook
	return out
}

func (f *fromRecord) Gates() bool { return f.gates }
func (f *fromRecord) Early() bool { return f.early }

func (f *fromRecord) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	return ctx.Value(recordedKey{}).(Recorded).Answer(f.hook, f.entrypoint, ev)
}

// asking reports that people would be asked, without asking them.
type asking struct{ trammel.Handler }

func (asking) Gates() bool { return true }

func (a asking) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	rehearsed := *ev
	rehearsed.Rehearsal = true
	return a.Handler.Handle(ctx, &rehearsed)
}
