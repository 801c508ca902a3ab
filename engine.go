package trammel

import (
	"fmt"
	"slices"
	"time"
)

// Phase is a stage of a dispatch. It follows from what a hook may do.
type Phase uint8

const (
	// Transforms rewrite, one after another, each seeing the previous rewrite.
	Transforms Phase = iota
	// Guards see the final arguments and deny, ask or allow.
	Guards
	// Gates ask a human, after every guard has passed.
	Gates
	// Observers see the outcome and can at most add context.
	Observers
	phases
)

var phaseNames = [...]string{"transform", "guard", "gate", "observe"}

func (p Phase) String() string { return phaseNames[p] }

// Engine dispatches events to hooks. It is immutable and safe for concurrent use.
type Engine struct {
	hooks  []*Hook
	index  []*kindIndex // by Kind; nil where no hook listens
	budget time.Duration
	people time.Duration // the bound of a dispatch in which people are asked, 0 if it is the budget
	asked  func(h *Hook, ev *Event)
}

// Option adjusts an Engine.
type Option func(*Engine)

// WithBudget bounds a whole dispatch. It should be shorter than the time that
// the host allows, because most hosts let the call through when a hook does
// not answer. Each hook that waits gets a share of what is left.
func WithBudget(d time.Duration) Option { return func(e *Engine) { e.budget = d } }

// WithPeople bounds a whole dispatch in which gates wait for people: that time
// does not count against the budget, and a tenth of all, if the budget has as
// much left, is kept for the hooks that follow. It is only of use where it is longer than the budget.
func WithPeople(d time.Duration) Option { return func(e *Engine) { e.people = d } }

// WithWitness has a function called whenever a hook is asked, with the event as the
// hook sees it. It must be safe for concurrent use and keep no part of the event.
func WithWitness(asked func(h *Hook, ev *Event)) Option { return func(e *Engine) { e.asked = asked } }

// New builds an engine from hooks, in declaration order. Ids must be unique.
func New(hooks []Hook, opts ...Option) (*Engine, error) {
	own := make([]*Hook, len(hooks))
	for i := range hooks {
		h := hooks[i]
		own[i] = &h
	}
	e := (&Engine{hooks: own}).With(opts...)
	if err := e.build(); err != nil {
		return nil, err
	}
	return e, nil
}

// With returns an engine with the same hooks and further options.
func (e *Engine) With(opts ...Option) *Engine {
	other := *e
	for _, opt := range opts {
		opt(&other)
	}
	return &other
}

// Child builds the engine of a sub-agent. It inherits every hook and may only
// add: an id of the parent cannot be declared again, unless its handler is
// Nested, and a hook that may grant is refused, because it would loosen what
// the parent demands.
func (e *Engine) Child(add ...Hook) (*Engine, error) {
	child := &Engine{hooks: slices.Clone(e.hooks), budget: e.budget, people: e.people, asked: e.asked}
	for i := range add {
		h := add[i]
		if h.May >= Grant {
			return nil, fmt.Errorf("hook %q: a child engine may only tighten, and this hook may grant", h.ID)
		}
		if n, ok := h.Handler.(Nested); ok && n.Nests() {
			h.ID = child.free(h.ID)
		}
		child.hooks = append(child.hooks, &h)
	}
	if err := child.build(); err != nil {
		return nil, err
	}
	return child, nil
}

// free is the id, with a number if a hook has it already: id.2, id.3, …
func (e *Engine) free(id string) string {
	name := id
	for n := 2; slices.ContainsFunc(e.hooks, func(h *Hook) bool { return h.ID == name }); n++ {
		name = fmt.Sprintf("%s.%d", id, n)
	}
	return name
}

// Has reports whether any hook listens to events of this kind.
func (e *Engine) Has(kind Kind) bool {
	return int(kind) < len(e.index) && e.index[kind] != nil
}

// Hooks returns the engine's hooks in declaration order. They must not be changed.
func (e *Engine) Hooks() []*Hook { return slices.Clone(e.hooks) }

// noIndex is the index of an engine without hooks, as most events have.
var noIndex [len(catalogue)]*kindIndex

func (e *Engine) build() error {
	if len(e.hooks) == 0 {
		e.index = noIndex[:]
		return nil
	}
	seen := make(map[string]*Hook, len(e.hooks))
	for _, h := range e.hooks {
		if err := h.check(); err != nil {
			return err
		}
		if old := seen[h.ID]; old != nil {
			return fmt.Errorf("hook %q is declared twice (%s, %s)", h.ID, old.Source, h.Source)
		}
		seen[h.ID] = h
	}
	e.index = make([]*kindIndex, len(catalogue))
	for _, h := range e.hooks {
		for i, k := range h.On {
			if !slices.Contains(h.On[:i], k) {
				if e.index[k] == nil {
					e.index[k] = &kindIndex{}
				}
				e.index[k].add(h, k)
			}
		}
	}
	for _, ix := range e.index {
		if ix != nil {
			ix.finish()
		}
	}
	return nil
}
