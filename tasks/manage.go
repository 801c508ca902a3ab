package tasks

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/tasks/registry"
)

// Get returns the current state of a task. If its process has died, it is Interrupted.
func (r *Runner) Get(ctx context.Context, key string) (*Task, error) {
	s, err := r.open()
	if err != nil {
		return nil, err
	}
	return s.get(ctx, key)
}

// Update changes arguments of a task: it replaces those that are given, removes those
// that are null, and keeps the others. It only checks the schema; the hooks judge the
// arguments when the task runs.
func (r *Runner) Update(ctx context.Context, key string, patch map[string]any) (*Result, error) {
	s, t, held, err := r.lock(ctx, key)
	if err != nil {
		return nil, err
	}
	defer held.Unlock()
	reg, err := registry.Load(r.Root)
	if err != nil {
		return nil, err
	}
	input := maps.Clone(t.Input)
	for name, value := range patch {
		if value == nil {
			delete(input, name)
			continue
		}
		input[name] = value
	}
	if _, refused := r.in(t).resolve(reg, t.AbilityID, input); refused != nil {
		refused.TaskKey = key
		return refused, nil
	}
	t.Input, t.State, t.Reason = input, Created, ""
	return &Result{Status: Available, TaskKey: key, AbilityID: t.AbilityID}, save(s.path(key), t)
}

// in is the runner in the environment that a task was created for.
func (r *Runner) in(t *Task) *Runner {
	there := *r
	there.Environment = t.Environment
	return &there
}

// Delete removes a task with all its files.
func (r *Runner) Delete(ctx context.Context, key string) error {
	s, _, held, err := r.lock(ctx, key)
	if err != nil {
		return err
	}
	defer held.Unlock()
	gone := s.path(".deleted-" + key)
	if err := os.Rename(s.path(key), gone); err != nil { // so that it disappears in one step
		return err
	}
	return os.RemoveAll(gone)
}

// Tasks lists all tasks, oldest first. If a folder cannot be read, the error is
// returned together with the other tasks.
func (r *Runner) Tasks(ctx context.Context) ([]*Task, error) {
	s, err := r.open()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var out []*Task
	var failed []error
	for _, e := range entries {
		if !e.IsDir() || !taskKey().MatchString(e.Name()) {
			continue
		}
		switch t, err := s.get(ctx, e.Name()); {
		case errors.Is(err, ErrNoTask): // deleted meanwhile
		case err != nil:
			failed = append(failed, err)
		default:
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *Task) int { return strings.Compare(a.Key, b.Key) })
	return out, errors.Join(failed...)
}
