// Package builtin runs policies that are written in Go: they get the event as
// parsed and answer without a round trip through JSON.
package builtin

import (
	"context"
	"fmt"
	"strings"

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
			// The full program may know more of them, and does what this one cannot.
			return nil, fmt.Errorf("%w: no policy is named %q here, expected one of: %s", trammel.ErrUnknownKind, c.Use, names(r))
		}
		h, err := p.New(c.With)
		if err != nil {
			return nil, fmt.Errorf("policy %s: %w", c.Use, err)
		}
		return &policy{h, p}, nil
	}
}

// policy adds the policy's name to what it says.
type policy struct {
	trammel.Handler
	p trammel.Policy
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

func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	return p.Handler.Handle(ctx, ev)
}

func names(r *trammel.Registry) string {
	var out []string
	for _, p := range r.Policies() {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}
