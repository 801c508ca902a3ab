package repohooks

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

// Runner runs the hooks that hold in one directory. It is safe for concurrent
// use. The configuration is looked up again for each event, so that an edit
// holds at once.
type Runner struct {
	// HasPerson, if set before the first event, says that the caller puts
	// questions to a person itself. Otherwise they become requests to people,
	// where approvals.ask is set.
	HasPerson bool

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
	if err := at.unread(); err != nil && event.SignalsAgent() {
		return nil, err
	}
	ev := c.Event()
	ev.Time = time.Now()
	ev.Session.Dir = r.dir
	var dangling []HookError
	judged, err := at.Judge(ctx, &pipeline.Request{Event: ev, Config: &at.Config, Select: func(*pipeline.Config) (hooks []plan.Hook,
		err error) {
		hooks, dangling, err = at.choose(ev, event, blockingOnly, bound)
		return hooks, err
	}})
	if err != nil {
		return nil, err
	}
	v, err := r.people(ctx, at, judged)
	if err != nil {
		return nil, err
	}
	result := collect(event, v)
	result.Errors = append(result.Errors, dangling...)
	if event.SignalsAgent() {
		result.Warnings = append(result.Warnings, at.waiting()...)
	}
	if err := at.Record(ctx, judged, nil); err != nil {
		if event.SignalsAgent() && at.Plan.Settings.Evidence.OnError == "block" {
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
	pipeline.Config
}

func (r *Runner) open() (*place, error) {
	set, err := layers.Find(r.dirs, r.dir)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last != nil && r.last.Set.Digest == set.Digest {
		return r.last, nil
	}
	p := full.New(r.dirs)
	loaded, err := p.Compile(set)
	if err != nil {
		return nil, err
	}
	r.last = &place{p, pipeline.Config{Set: set, Plan: loaded}}
	return r.last, nil
}
