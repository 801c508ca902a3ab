// Package full puts the whole program together: everything that can be linked
// is linked, and configuration is compiled from its sources.
package full

import (
	"errors"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	standarddialects "github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/handlers/builtin"
	"github.com/trammel-dev/trammel/handlers/command"
	"github.com/trammel-dev/trammel/handlers/http"
	"github.com/trammel-dev/trammel/handlers/model"
	"github.com/trammel-dev/trammel/handlers/rule"
	handlers "github.com/trammel-dev/trammel/handlers/standard"
	"github.com/trammel-dev/trammel/handlers/stdio"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
	"github.com/trammel-dev/trammel/policies/extended"
)

// Program is the full program.
type Program struct {
	pipeline.Program
	// Compiled is what the last Load made of its sources.
	Compiled *config.Compiled
}

// New puts the program together for the given directories.
func New(dirs layers.Dirs) *Program {
	set := standarddialects.Dialects()
	p := &Program{Program: pipeline.Program{
		Version:  version.Version,
		Dirs:     dirs,
		Dialects: set,
		Registry: registry(set),
		State:    state.Files{Dir: dirs.State},
	}}
	p.Registry.Provide(dirs, p.State)
	p.Load = p.compile
	return p
}

// registry knows what both programs link, and what only this one does.
func registry(set *dialects.Set) *trammel.Registry {
	r := handlers.Registry(set.Hook)
	must(r.AddKind("http", http.New(set.Hook)))
	must(r.AddKind("model", model.New))
	must(r.AddKind("pack", stdio.New))
	if err := r.ListPolicies(extended.All[:]...); err != nil {
		panic(err) // a name that is taken twice is a mistake in a list
	}
	return r
}

// must: a name that is taken twice is a mistake in a list.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// compile makes a plan from the sources and stores it for the hot program. A
// cache that cannot be written costs time, never safety, so that is no error.
func (p *Program) compile(set *layers.Set) (*plan.Plan, error) {
	c, err := config.Compile(set, Registry{p.Registry, p.Dialects})
	if err != nil {
		return nil, err
	}
	p.Compiled = c
	for i := range c.Hooks {
		if err := p.foresee(&c.Hooks[i]); err != nil {
			return nil, err
		}
	}
	notes := make([]string, len(c.Notes))
	for i, n := range c.Notes {
		notes[i] = n.String()
	}
	data := plan.Encode(c.Hooks, c.Settings, set.Digest, notes)
	_ = plan.CacheIn(p.Dirs.Cache).Save(layers.Key(set.Root), set.Digest, data)
	return plan.Decode(data, set.Digest)
}

// foresee works out what the index of the plan wants to know of a hook.
func (p *Program) foresee(h *plan.Hook) error {
	switch h.Kind {
	case "rule":
		r, err := rule.Read(h.Config)
		if err != nil {
			return fmt.Errorf("hook %q: %w", h.ID, err)
		}
		h.Rewrites, h.Prefilter = r.Rewrites(), r.Prefilter()
	case "builtin":
		b, err := builtin.Read(h.Config)
		if err != nil {
			return fmt.Errorf("hook %q: %w", h.ID, err)
		}
		policy, ok := p.Registry.Policy(b.Use)
		h.Rewrites = !ok || policy.Rewrites
	case "model", "pack": // they decide, remark or compute
	case "command":
		c, err := command.ReadConfig(h.Config)
		if err != nil {
			return fmt.Errorf("hook %q: %w", h.ID, err)
		}
		h.Rewrites = !c.MustSucceed && h.May >= trammel.Rewrite && h.Dialect != repohooks.Name // these decide at most
	default:
		h.Rewrites = h.May >= trammel.Rewrite
	}
	return nil
}

// Registry is what configuration refers to by name.
type Registry struct {
	*trammel.Registry
	Dialects *dialects.Set
}

// Granted is what hooks get of the time that hosts wait for a reply.
func (r Registry) Granted(kind trammel.Kind) map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, alias := range kind.Aliases() {
		if d, ok := r.Dialects.Host(alias.System); ok {
			out[alias.System] = pipeline.Granted(d, kind)
		}
	}
	return out
}

// Hosts lists the agents there are.
func (r Registry) Hosts() []string { return r.Dialects.Hosts() }

// Tools says what the tools of all agents do, by name; one that does different
// things in different agents does nothing in particular.
func (r Registry) Tools() map[string]trammel.ActionKind {
	out := map[string]trammel.ActionKind{}
	for _, host := range r.Dialects.Hosts() {
		d, _ := r.Dialects.Host(host)
		for name, shape := range dialects.ShapesOf(d) {
			if kind, known := out[name]; known && kind != shape.Kind {
				shape.Kind = trammel.OtherAction
			}
			out[name] = shape.Kind
		}
	}
	return out
}

// PrepareKind checks a handler's part of a declaration. What is wrong within
// an expression is said with its place in it.
func (r Registry) PrepareKind(kind string, data []byte) ([]byte, error) {
	out, err := handlers.Prepare(r.Registry, kind, data)
	var e *rule.Error
	var o *option.Error
	switch {
	case errors.As(err, &o):
		part := o.Key
		if kind == "builtin" {
			part = "with." + part
		}
		err = &config.PartError{Part: part, Message: o.Message, Expected: o.Expected}
	case errors.As(err, &e):
		err = &config.PartError{Part: e.Where, Line: e.Line, Column: e.Column, Message: e.Message, Expected: e.Expected}
	}
	return out, err
}
