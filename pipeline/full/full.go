// Package full is the pipeline with all handlers and policies linked in. Unlike
// the fast program it compiles configuration from its sources. It is the core of
// the trammel program, and of runtimes that embed Trammel.
package full

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	channels "github.com/trammel-dev/trammel/approvals/channels/standard"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/dialects"
	foreign "github.com/trammel-dev/trammel/dialects/extended"
	"github.com/trammel-dev/trammel/dialects/native"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	standarddialects "github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/handlers/approval"
	"github.com/trammel-dev/trammel/handlers/builtin"
	"github.com/trammel-dev/trammel/handlers/command"
	"github.com/trammel-dev/trammel/handlers/http"
	"github.com/trammel-dev/trammel/handlers/model"
	"github.com/trammel-dev/trammel/handlers/rule"
	handlers "github.com/trammel-dev/trammel/handlers/standard"
	"github.com/trammel-dev/trammel/handlers/stdio"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/internal/yamldoc"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
	"github.com/trammel-dev/trammel/policies/extended"
)

// Program is the full program. It is safe for concurrent use, except that
// Compiled must not be read while something compiles.
type Program struct {
	pipeline.Program
	// Compiled is the result of the last Compile.
	Compiled *config.Compiled
	// Ending, if set before the first event, is canceled when the process is
	// about to end. Then calls that wait for people are answered.
	Ending context.Context

	mu    sync.Mutex
	last  *plan.Plan // valid as long as nothing has changed
	desks approval.Desks
}

// Options are for a runtime that embeds Trammel. All are optional.
type Options struct {
	// Dirs are Trammel's directories outside of any project. If State is empty,
	// those of this user and machine are used.
	Dirs trammel.Dirs
	// State stores what outlasts an event. Nil stores it in files in Dirs.State.
	State trammel.State
	// Sink takes the records of events. Nil appends them to the evidence in
	// Dirs.State.
	Sink func(ctx context.Context, r *evidence.Record) error
}

// InMemory returns a state that lasts as long as the process.
func InMemory() trammel.State { return state.NewMemory() }

// Open builds the program. Its Dispatch judges an event by what the
// trammel.yaml files of the machine, the user and the event's project say:
//
//	p, err := full.Open(full.Options{})
//	…
//	v, err := p.Dispatch(ctx, &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{ID: id, Dir: project},
//		Tool: &trammel.ToolCall{Name: "shell", Input: args}})
//	if v.Decision == trammel.Deny { … v.Reason … }
//
// What the event may look up about the machine comes from its World.
func Open(o Options) (*Program, error) {
	if o.Dirs.State == "" {
		var err error
		if o.Dirs, err = layers.System(); err != nil {
			return nil, err
		}
	}
	p := New(o.Dirs)
	p.Sink = o.Sink
	if o.State != nil {
		p.State = o.State
		p.Registry.Provide(p.Dirs, p.State)
	}
	return p, nil
}

// New builds the program for the given directories.
func New(dirs trammel.Dirs) *Program {
	set := standarddialects.Dialects()
	p := &Program{Program: pipeline.Program{
		Version:  version.Version,
		Dirs:     dirs,
		Dialects: set,
		Registry: registry(set),
		State:    state.Files{Dir: dirs.State},
	}}
	p.desks = approval.Desks{Open: p.openDesk, Config: p.declarationOf}
	must(p.Registry.AddKind("approval", approval.New(rule.New, &p.desks)))
	p.Registry.Provide(dirs, p.State)
	p.Registry.Share(shared{p})
	p.Load = p.load
	p.Admit = func(set *layers.Set) bool {
		return config.Signed(dirs, set, p.Known(), time.Now())
	}
	p.Overrule = p.overrule
	p.Paused = p.paused
	p.People = p.people
	return p
}

// registry returns what both programs link, and what only this one links.
func registry(set *dialects.Set) *trammel.Registry {
	r := handlers.Registry(set.Hook)
	must(r.AddKind("http", http.New(set.Hook)))
	must(r.AddKind("model", model.New))
	must(r.AddKind("pack", stdio.New))
	if err := r.ListPolicies(extended.All[:]...); err != nil {
		panic(err) // a duplicate name is a mistake in a list
	}
	return r
}

// must panics: a duplicate name is a mistake in a list.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// load opens the plan for a set of sources: the last one, the one in the cache,
// or a new one (enforcement 24).
func (p *Program) load(set *layers.Set) (*plan.Plan, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil && p.last.Digest == set.Digest {
		return p.last, nil
	}
	if cached, err := plan.CacheIn(p.Dirs.Cache).LoadWhole(layers.Key(set.Root), set.Digest); err == nil {
		p.last = cached
		return cached, nil
	}
	return p.compile(set, true)
}

// Compile makes a plan from the sources, even if there is one already. A state
// directory that is missing stays missing: a hook that needs it blocks until a
// person has seen that, and looking at the configuration must not end this.
func (p *Program) Compile(set *layers.Set) (*plan.Plan, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := os.Stat(p.Dirs.State)
	return p.compile(set, err == nil || !files.Within(p.Dirs.State, p.Dirs.Cache))
}

// compile also stores the plan for the fast program, if it is to be kept. A
// cache that cannot be written costs time, not safety, so it is not an error.
func (p *Program) compile(set *layers.Set, keep bool) (*plan.Plan, error) {
	data, err := p.encode(set)
	if err != nil {
		return nil, err
	}
	if keep {
		layers.Remember(p.Dirs, set)
		_ = plan.CacheIn(p.Dirs.Cache).Save(layers.Key(set.Root), set.Digest, data)
	}
	p.last, err = plan.Decode(data, set.Digest)
	return p.last, err
}

// encode makes the flat form of a plan.
func (p *Program) encode(set *layers.Set) ([]byte, error) {
	c, err := config.Compile(set, p.Known())
	if err != nil {
		return nil, err
	}
	p.Compiled = c
	for i := range c.Hooks {
		if err := p.annotateForIndex(&c.Hooks[i]); err != nil {
			return nil, err
		}
	}
	notes := []string{}
	for _, n := range c.Notes {
		if n.Code != config.CodeTimeoutSomewhere { // that one may be about agents not used here; compile and list show it
			notes = append(notes, n.String())
		}
	}
	return plan.Encode(c.Hooks, c.Settings, set.Digest, notes), nil
}

// annotateForIndex computes what the index of the plan needs to know about a hook.
func (p *Program) annotateForIndex(h *plan.Hook) error {
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
	case "approval":
		a, err := approval.Read(h.Config)
		if err != nil {
			return fmt.Errorf("hook %q: %w", h.ID, err)
		}
		r, err := rule.Read(a.Rule)
		if err != nil {
			return fmt.Errorf("hook %q: %w", h.ID, err)
		}
		h.Rewrites, h.Prefilter = true, r.Prefilter() // people may change the call
	case "model", "pack": // they never rewrite
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

// Registry is what a configuration can refer to by name.
type Registry struct {
	*trammel.Registry
	Dialects *dialects.Set
}

// Known returns what a configuration for this program may refer to.
func (p *Program) Known() Registry { return Registry{p.Registry, p.Dialects} }

// Granted returns the time that hooks get on each host.
func (r Registry) Granted(kind trammel.Kind) map[string]time.Duration {
	return r.granted(kind, pipeline.Granted)
}

func (r Registry) granted(kind trammel.Kind, by func(trammel.HostDialect, trammel.Kind) time.Duration) map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, alias := range kind.Aliases() {
		if d, ok := r.Dialects.Host(alias.System); ok {
			out[alias.System] = by(d, kind)
		}
	}
	return out
}

// GrantedPeople returns the time that people get on each host, as wired by the current init.
func (r Registry) GrantedPeople(kind trammel.Kind) map[string]time.Duration {
	return r.granted(kind, pipeline.GrantedPeople)
}

// Wirable reports whether init can make an agent call hooks.
func (r Registry) Wirable(host string) bool {
	d, _ := r.Dialects.Host(host)
	w, ok := d.(interface{ Wirable() bool })
	return ok && w.Wirable()
}

// ProxyHost is the host name for calls that the MCP proxy judges, whoever the client is.
const ProxyHost = "mcp"

// Hosts lists the known agents, the proxy, and the frameworks with an adapter.
func (r Registry) Hosts() []string {
	return append(append(r.Dialects.Hosts(), ProxyHost), native.Frameworks...)
}

// Tools maps the tools of all agents to what they do. A tool that does different
// things in different agents has no action.
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

// PrepareKind checks a handler's part of a declaration. An error within an
// expression has its position.
func (r Registry) PrepareKind(kind string, data []byte) ([]byte, error) {
	if kind == "channel" { // this is not a handler; a server opens it
		return data, channels.Check(data)
	}
	out, err := prepare(r.Registry, kind, data)
	var e *condition.Error
	var o *option.Error
	switch {
	case errors.As(err, &o):
		part := o.Key
		if kind == "builtin" {
			part = strings.TrimSuffix("with."+part, ".") // without a key it is about the whole
		}
		if o.Key == "dialect" {
			o.Expected = cmp.Or(o.Expected, "one of "+strings.Join(r.Dialects.Hooks(), ", "))
		}
		err = &config.PartError{Part: part, Message: o.Message, Expected: o.Expected}
	case errors.As(err, &e):
		err = &config.PartError{Part: e.Where, Line: e.Line, Column: e.Column, Message: e.Message, Expected: e.Expected}
	}
	return out, err
}

// Translate converts a file of another system to our own format.
func (r Registry) Translate(path string, data []byte, grant bool) (text []byte, from []int, wrong []*yamldoc.Problem, ok bool) {
	name, translate := foreign.Of(path)
	if translate == nil {
		return nil, nil, nil, false
	}
	text, from, wrong = translate(name, data, grant)
	return text, from, wrong, true
}
