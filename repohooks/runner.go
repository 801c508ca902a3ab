package repohooks

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

// Runner runs the hooks that hold in one directory. It is safe for concurrent
// use. The configuration is looked up anew for each event, so that an edit
// holds at once.
type Runner struct {
	dirs layers.Dirs
	dir  string

	mu   sync.Mutex
	last *place // as long as nothing has changed
}

// New returns the runner for a directory of this machine.
func New(dir string) (*Runner, error) {
	dirs, err := layers.System()
	if err != nil {
		return nil, err
	}
	return Open(dirs, dir), nil
}

// Open returns the runner for an absolute directory, with Trammel's own
// directories given.
func Open(dirs layers.Dirs, dir string) *Runner { return &Runner{dirs: dirs, dir: dir} }

// RunHooks runs the hooks of an event: those that match, and those that are
// bound to the ability by id, each once (AIC-04, AIC-53). blockingOnly leaves
// out those that the runtime need not wait for.
//
// An error means that it could not be found out what the hooks say: a
// configuration or a binding that is wrong, a record that cannot be written.
// On PromptSubmit and the two pre events nothing may go on then. A hook that
// fails is no error; what it means is in the result.
func (r *Runner) RunHooks(ctx context.Context, event EventType, c Context, blockingOnly bool, bound ...string) (*Result, error) {
	if c.EventType() != event {
		return nil, trammel.Fail(trammel.CodeInput, "the context is of %s, and the event is %s", c.EventType(), event)
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	at, err := r.open()
	if err != nil {
		return nil, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	if err := at.unread(); err != nil && event.Faces() {
		return nil, err
	}
	ev := c.Event()
	ev.Time = time.Now()
	ev.Session.Dir, ev.Session.Project = r.dir, at.set.Root
	ev.Prepare()
	hooks, dangling, err := at.choose(ev, event, blockingOnly, bound)
	if err != nil {
		return nil, err
	}
	v, err := at.dispatch(ctx, ev, hooks)
	if err != nil {
		return nil, err
	}
	result := collect(event, v)
	result.Errors = append(result.Errors, dangling...)
	if event.Faces() {
		result.Warnings = append(result.Warnings, at.waiting()...)
	}
	if err := at.record(ctx, ev, v); err != nil {
		if event.Faces() && at.plan.Settings.Evidence.OnError == "block" {
			return nil, trammel.Fail(trammel.CodeEvidence, "what cannot be recorded must not happen: %w", err)
		}
		result.Warnings = append(result.Warnings, fmt.Sprintf("the run of the hooks could not be recorded: %v", err))
	}
	if err := at.log(ctx, event, ev, v); err != nil {
		result.Warnings = append(result.Warnings, fmt.Sprintf("the log of hooks could not be written: %v", err))
	}
	return result, ctx.Err()
}

// place is the configuration that holds in the runner's directory.
type place struct {
	*full.Program
	set  *layers.Set
	plan *plan.Plan
}

func (r *Runner) open() (*place, error) {
	set, err := layers.Find(r.dirs, r.dir)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last != nil && r.last.set.Digest == set.Digest {
		return r.last, nil
	}
	p := full.New(r.dirs)
	loaded, err := p.Load(set)
	if err != nil {
		return nil, err
	}
	r.last = &place{p, set, loaded}
	return r.last, nil
}

func (p *place) dispatch(ctx context.Context, ev *trammel.Event, hooks []plan.Hook) (*trammel.Verdict, error) {
	bound, err := plan.Bind(hooks, p.Registry, p.Dialects.Hook)
	if err != nil {
		return nil, err
	}
	engine, err := trammel.New(bound, trammel.WithBudget(p.plan.Settings.Deadline))
	if err != nil {
		return nil, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	return engine.Dispatch(ctx, ev), nil
}
