package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/tasks/registry"
)

// Run runs a task if the hooks allow it: they judge its current arguments, whatever
// they judged when it was created. The result is stored with the task. A running task
// is Busy; a task that has ended, however it ended, can be run again.
func (r *Runner) Run(ctx context.Context, key string) (*Result, error) {
	s, t, held, err := r.lock(ctx, key)
	if errors.Is(err, ErrBusy) {
		return &Result{Status: Busy, TaskKey: key, Reason: "Another process is running or changing this task.",
			Suggestion: "Wait until it has ended: trammel task get " + key}, nil
	} else if err != nil {
		return nil, err
	}
	defer held.Unlock()
	reg, err := registry.Load(r.Root)
	if err != nil {
		return nil, err
	}
	run := &run{Runner: r.in(t), reg: reg, key: key, dir: s.path(key, "runs", fmt.Sprintf("%04d", t.Runs+1)),
		begin: func() error {
			host, _ := os.Hostname()
			t.Runs++
			t.State, t.Reason = Running, ""
			t.Process = &Process{PID: os.Getpid(), Host: host, StartedAt: now()}
			return save(s.path(key), t)
		}}
	result, err := run.start(ctx, t.AbilityID, t.Input)
	if err != nil {
		return nil, err
	}
	t.settle(result)
	if run.begun {
		result.Run = t.Runs
		if err := writeJSON(filepath.Join(run.dir, "result.json"), result); err != nil {
			return nil, err
		}
	}
	if err := save(s.path(key), t); err != nil {
		return nil, fmt.Errorf("the result could not be recorded: %w", err)
	}
	return result, nil
}

// settle stores the result of a run in the task.
func (t *Task) settle(result *Result) {
	t.State, t.Reason, t.Process, t.Last = State(result.Status), result.Reason, nil, result
	if result.Status == Unavailable { // something that it needs is missing now
		t.State = Refused
	}
	result.TaskKey = t.Key
}

// DirectRun runs an ability without a task. The hooks are asked both questions as well.
func (r *Runner) DirectRun(ctx context.Context, q Request) (*Result, error) {
	q = q.whole()
	reg, at, ready, err := r.preflight(ctx, q)
	if err != nil || ready.Status != Available {
		return ready, err
	}
	dir, err := os.MkdirTemp("", "trammel-run-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	run := &run{Runner: r, reg: reg, dir: dir}
	result, err := run.start(ctx, at.ID, q.Input)
	if err != nil {
		return nil, err
	}
	result.Warnings = append(ready.Warnings, result.Warnings...)
	result.Context = append(ready.Context, result.Context...)
	result.Signals = append(ready.Signals, result.Signals...)
	return result, nil
}

// run is one run of an ability, with the operations that it calls.
type run struct {
	*Runner
	reg   *registry.Registry
	key   string       // of the task, if there is one
	dir   string       // for the files of the run
	begin func() error // called once, when it is certain that something runs
	begun bool
}

// start resolves and calls the ability of the run.
func (r *run) start(ctx context.Context, ability string, input map[string]any) (*Result, error) {
	at, refused := r.resolve(r.reg, ability, input)
	if refused != nil {
		return refused, nil
	}
	return r.call(ctx, at, input, r.dir)
}

// ready creates the folder of a call and, the first time, marks the run as begun.
func (r *run) ready(dir string) error {
	if !r.begun && r.begin != nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	r.begun = true
	return os.MkdirAll(dir, 0o700)
}
