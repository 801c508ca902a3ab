package tasks

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dir is where tasks are stored, relative to the repository's root.
const Dir = ".system/implement"

// State is the state of a task.
type State string

// The states of a task.
const (
	Created     State = "created"
	Running     State = "running"
	Succeeded   State = "success"
	Failed      State = "failure"
	Partly      State = "partial"
	Refused     State = "denied"
	Waiting     State = "requires_human"
	Interrupted State = "interrupted" // the process that ran it ended without finishing it
)

// Task is a task as stored in task.json.
type Task struct {
	Key         string    `json:"task_key"`
	Kind        string    `json:"kind"` // ability_id or operation_key
	AbilityID   string    `json:"ability_id"`
	Environment string    `json:"environment,omitempty"`
	State       State     `json:"state"`
	Reason      string    `json:"reason,omitempty"` // why it is denied, waits or was interrupted
	Source      string    `json:"created_by"`
	SessionID   string    `json:"session_id,omitempty"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	Runs        int       `json:"runs"`
	Process     *Process  `json:"process,omitempty"` // who runs it
	Last        *Result   `json:"last_run,omitempty"`

	Input map[string]any `json:"-"`
}

// Process is the process that runs a task. It holds a lock, which the system releases
// when it dies.
type Process struct {
	PID       int       `json:"pid"`
	Host      string    `json:"host"`
	StartedAt time.Time `json:"started_at"`
}

// ErrNoTask is returned for a key without a task.
var ErrNoTask = errors.New("there is no such task")

// ErrBusy is returned for a task that another process is running or changing.
var ErrBusy = errors.New("another process is working on the task")

var taskKey = lazy.Regexp(`^task-[a-z0-9-]{1,60}$`)

func newKey(at time.Time) string {
	var random [4]byte
	rand.Read(random[:])
	return "task-" + at.Format("20060102-150405-") + hex.EncodeToString(random[:])
}

// store holds tasks in folders.
type store struct{ dir string }

// open finds the folder of tasks. It must be in the repository itself, not behind a
// link.
func (r *Runner) open() (*store, error) {
	at := r.Root
	for part := range strings.SplitSeq(Dir, "/") {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		if err == nil && !info.IsDir() {
			return nil, fmt.Errorf("%s is not a directory of the repository itself", at)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return &store{at}, nil
}

// lock opens a task for a change. Nobody else changes it until it is unlocked.
func (r *Runner) lock(ctx context.Context, key string) (*store, *Task, *flock.Held, error) {
	s, err := r.open()
	if err != nil {
		return nil, nil, nil, err
	}
	t, held, err := s.lock(ctx, key)
	return s, t, held, err
}

func (s *store) path(key string, parts ...string) string {
	return filepath.Join(append([]string{s.dir, key}, parts...)...)
}

// add stores a new task. Its folder appears complete or not at all.
func (s *store) add(t *Task) error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(s.dir, ".new-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := save(tmp, t); err != nil {
		return err
	}
	return os.Rename(tmp, s.path(t.Key))
}

// save writes task.json and the files next to it.
func save(dir string, t *Task) error {
	t.UpdatedAt = now()
	if err := writeJSON(filepath.Join(dir, "input.json"), t.Input); err != nil {
		return err
	}
	if err := files.Replace(filepath.Join(dir, "tool_call.md"), t.document()); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, "task.json"), t)
}

// read loads a task.
func (s *store) read(key string) (*Task, error) {
	if !taskKey().MatchString(key) {
		return nil, fmt.Errorf("%q: %w: a key looks like task-20260102-150405-0a1b2c3d; trammel task list shows them", key, ErrNoTask)
	}
	data, err := os.ReadFile(s.path(key, "task.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; trammel task list shows them", key, ErrNoTask)
	} else if err != nil {
		return nil, err
	}
	t := &Task{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, fmt.Errorf("%s: %w", s.path(key, "task.json"), err)
	}
	if t.Key != key {
		return nil, fmt.Errorf("%s is about another task, %q", s.path(key, "task.json"), t.Key)
	}
	input, err := os.ReadFile(s.path(key, "input.json"))
	if err != nil {
		return nil, err
	}
	if t.Input, err = strict.Object(input, strict.Limits{}); err != nil {
		return nil, fmt.Errorf("%s: %w", s.path(key, "input.json"), err)
	}
	return t, nil
}

// patience is how long to wait for a lock. Readers hold it for an instant; a process
// that runs the task holds it to the end.
const patience = 300 * time.Millisecond

// lock locks a task for a change. If the process that ran it has died, the task is
// Interrupted.
func (s *store) lock(ctx context.Context, key string) (*Task, *flock.Held, error) {
	if _, err := s.read(key); err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	held, err := flock.Lock(ctx, s.path(key, "lock"))
	switch {
	case errors.Is(err, flock.ErrBusy):
		return nil, nil, fmt.Errorf("%s: %w", key, ErrBusy)
	case errors.Is(err, os.ErrNotExist):
		return nil, nil, fmt.Errorf("%s: %w; trammel task list shows them", key, ErrNoTask)
	case err != nil:
		return nil, nil, err
	}
	t, err := s.read(key) // it may have changed, or be gone
	if err == nil && t.State == Running {
		t.interrupted()
		err = save(s.path(key), t)
	}
	if err != nil {
		held.Unlock()
		return nil, nil, err
	}
	return t, held, nil
}

func (t *Task) interrupted() {
	t.State = Interrupted
	t.Reason = "the process that ran it ended before it was done; what it did until then is unknown. It can be run again."
	if t.Process != nil {
		t.Reason = fmt.Sprintf("process %d, which ran it since %s, ended before it was done; what it did until then is unknown. It "+
			"can be run again.",
			t.Process.PID, t.Process.StartedAt.Format(time.RFC3339))
	}
	t.Process = nil
}

// get loads the current state of a task.
func (s *store) get(ctx context.Context, key string) (*Task, error) {
	t, err := s.read(key)
	if err != nil || t.State != Running {
		return t, err
	}
	settled, held, err := s.lock(ctx, key)
	if errors.Is(err, ErrBusy) {
		return s.read(key)
	} else if err != nil {
		return nil, err
	}
	return settled, held.Unlock()
}

func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return files.Replace(path, append(data, '\n'))
}
