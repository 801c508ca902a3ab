// Package builtin runs policies that are written in Go: they get the event as
// parsed and answer without a round trip through JSON.
package builtin

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
)

// New returns the factory of the kind "builtin". Policies are looked up in r.
func New(r *trammel.Registry) trammel.Factory {
	return func(spec trammel.Spec) (trammel.Handler, error) {
		c, err := Read(spec.Config)
		if err != nil {
			return nil, err
		}
		p, ok := r.Policy(c.Use)
		if !ok {
			// The full program may have more of them.
			return nil, fmt.Errorf("%w: no policy is named %q here, expected one of: %s", trammel.ErrUnknownKind, c.Use, names(r))
		}
		spec.Config = c.With
		h := &policy{p: p, spec: spec}
		if p.Idle != nil {
			return &idler{policy: h}, nil
		}
		return h, h.build()
	}
}

// policy is a handler that adds the policy's name to its errors.
type policy struct {
	trammel.Handler
	p    trammel.Policy
	spec trammel.Spec
}

func (p *policy) build() error {
	h, err := p.p.New(p.spec)
	if err != nil {
		return fmt.Errorf("policy %s: %w", p.p.Name, err)
	}
	p.Handler = h
	return nil
}

func (p *policy) Explain() string { return p.p.Name + ": " + p.p.Summary }

func (p *policy) Waits() bool {
	w, ok := p.Handler.(trammel.Waiter)
	return ok && w.Waits()
}

func (p *policy) Gates() bool {
	g, ok := p.Handler.(trammel.Gate)
	return ok && g.Gates()
}

func (p *policy) Early() bool {
	e, ok := p.Handler.(trammel.Early)
	return ok && e.Early()
}

// idler delays building a policy until the first event that concerns it.
type idler struct {
	*policy
	once sync.Once
	err  error
}

// Ready builds the policy, to check its options.
func (i *idler) Ready() error {
	i.once.Do(func() { i.err = i.build() })
	return i.err
}

func (i *idler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if i.p.Idle(ev) {
		return trammel.Answer{}, nil
	}
	if err := i.Ready(); err != nil {
		return trammel.Answer{}, err
	}
	return i.Handler.Handle(ctx, ev)
}

func names(r *trammel.Registry) string {
	var out []string
	for _, p := range r.Policies() {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}
