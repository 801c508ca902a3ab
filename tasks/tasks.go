// Package tasks is the Tool Runner: it creates and runs tasks for the abilities of a
// repository. Hooks judge everything before it runs.
//
//	runner := &tasks.Runner{Root: root, Hooks: hooks, Caller: tasks.Caller{Source: repohooks.CIPipeline}}
//	created, err := runner.Create(ctx, tasks.Request{Ability: "db.write.user_row", Input: input})
//	if created.Status != tasks.Available { … created.Reason, created.Suggestion; there is no task }
//	result, err := runner.Run(ctx, created.TaskKey)
//
// Refusals and failures of a run are Results; an error means that the runner itself
// failed.
//
// The order of steps (AIC-51). Create: the input is checked against its schema,
// the configuration is resolved, PreAbilityCreate is asked; only then is there
// a key and a folder. Run: the task is loaded, PreAbilityCall is asked about
// the arguments as they are now, then it runs, is recorded, and
// PostAbilityCall is notified. A direct run asks both questions, too.
package tasks

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// Runner runs abilities of one repository. It is safe for concurrent use, also by
// several processes. It reads the registry for each call, so that changes take effect
// at once.
type Runner struct {
	Root string // of the repository
	// Hooks judge calls. Nil means no hooks.
	Hooks       Hooks
	Environment string // dev, staging, prod, …; "" means none
	Caller      Caller
	// Approve, if set, asks the person who runs it when the hooks want a person to
	// decide. Never set it where an agent could answer.
	Approve func(q Question) bool
	// Progress, if set, is called with what is being done.
	Progress func(text string)
}

// Hooks runs hooks: usually a repohooks.Runner.
type Hooks interface {
	RunHooks(ctx context.Context, event repohooks.EventType, c repohooks.Context, blockingOnly bool, bound ...string) (*repohooks.Result,
		error)
}

// Caller says on whose behalf something runs.
type Caller = repohooks.Caller

// Request asks for a task.
type Request struct {
	Ability string // an ability id or an operation key
	Input   map[string]any
}

// whole is the request with an input, which may be empty.
func (q Request) whole() Request {
	if q.Input == nil {
		q.Input = map[string]any{}
	}
	return q
}

// Status is the result of a call in one word.
type Status string

// The results of creating and of running a task.
const (
	Available     Status = "available"
	Unavailable   Status = "unavailable"
	RequiresHuman Status = "requires_human"
	Denied        Status = "denied"
	Busy          Status = "busy"
	Success       Status = "success"
	Failure       Status = "failure"
	Partial       Status = "partial"
)

// Result is the result of creating or running a task.
type Result struct {
	Status     Status                 `json:"status"`
	Reason     string                 `json:"reason,omitempty"`
	Suggestion string                 `json:"suggestion,omitempty"`
	TaskKey    string                 `json:"task_key,omitempty"`
	AbilityID  string                 `json:"ability_id,omitempty"`
	Run        int                    `json:"run,omitempty"`
	DurationMS *int64                 `json:"duration_ms,omitempty"`
	Output     map[string]any         `json:"output,omitempty"`
	Error      *Error                 `json:"error,omitempty"`
	Violations []registry.Violation   `json:"violations,omitempty"`
	Human      *Human                 `json:"human,omitempty"`
	Warnings   []string               `json:"warnings,omitzero"`
	Context    []string               `json:"context,omitempty"`
	Signals    []repohooks.HookSignal `json:"hook_signals,omitempty"`
}

// Error is why a run failed.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Human says what a person has to do before something can run.
type Human struct {
	What string `json:"what"`
	How  string `json:"how"`
}

// Question is what a person has to decide.
type Question struct {
	Ability string
	Input   map[string]any
	Reason  string
}

// consent asks the person, if there is one. A yes answers the question of the hooks.
func (r *Runner) consent(said *repohooks.Result, ability string, input map[string]any) {
	if said.Decision != trammel.Ask || r.Approve == nil || !r.Approve(Question{ability, input, said.Reason}) {
		return
	}
	said.Decision = trammel.Allow
	said.Warnings = append(said.Warnings, "The person at the terminal has allowed this: "+said.Reason)
}

func (r *Runner) progress(text string) {
	if r.Progress != nil {
		r.Progress(text)
	}
}

// List lists everything that can be requested.
func (r *Runner) List() ([]registry.Entry, error) {
	reg, err := registry.Load(r.Root)
	if err != nil {
		return nil, err
	}
	return reg.List(), nil
}

// Root finds the repository that a directory belongs to: the nearest directory, going
// up, with a registry, otherwise with a .system folder or a git repository.
func Root(dir string) string {
	for _, mark := range []string{filepath.FromSlash(registry.Dir), ".system", ".git"} {
		for at := dir; ; at = filepath.Dir(at) {
			if _, err := os.Stat(filepath.Join(at, mark)); err == nil {
				return at
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return dir
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
