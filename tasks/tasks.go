// Package tasks is the Tool Runner: it creates tasks for the abilities of a
// repository and runs them, and nothing runs that the hooks have not seen.
//
//	runner := &tasks.Runner{Root: root, Hooks: hooks, Caller: tasks.Caller{Source: repohooks.CIPipeline}}
//	created, err := runner.Create(ctx, tasks.Request{Ability: "db.write.user_row", Input: input})
//	if created.Status != tasks.Available { … created.Reason, created.Suggestion; there is no task }
//	result, err := runner.Run(ctx, created.TaskKey)
//
// What was refused is a Result, and so is what failed while it ran; an error
// says that the runner itself could not do its work.
//
// The order of things (AIC-51). Create: the input is checked against its schema,
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

// Runner runs abilities of one repository. It is safe for concurrent use, also
// by several processes. The registry is read again for each call, so that an
// edit holds at once.
type Runner struct {
	Root string // of the repository
	// Hooks are asked and told. Nil means no hooks.
	Hooks       Hooks
	Environment string // dev, staging, prod, …; "" is none in particular
	Caller      Caller
	// Approve, if set, asks the person who runs it, where the hooks want a human
	// to decide. It must never be set where an agent could answer.
	Approve func(q Question) bool
	// Progress, if set, is called with what is being done.
	Progress func(text string)
}

// Hooks is what the runner asks: repohooks.Runner, usually.
type Hooks interface {
	RunHooks(ctx context.Context, event repohooks.EventType, c repohooks.Context, blockingOnly bool, bound ...string) (*repohooks.Result,
		error)
}

// Caller is on whose behalf something runs.
type Caller = repohooks.Caller

// Request asks for a task.
type Request struct {
	Ability string // an ability id or an operation key
	Input   map[string]any
}

// whole is the request with an input, if only an empty one.
func (q Request) whole() Request {
	if q.Input == nil {
		q.Input = map[string]any{}
	}
	return q
}

// Status says what became of a call.
type Status string

// What can become of a creation, and of a run.
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

// Result is what a creation or a run came to.
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

// consent puts a question to the person, if one is there, and takes a yes for
// what the hooks were waiting for.
func (r *Runner) consent(said *repohooks.Result, ability string, input map[string]any) {
	if said.Decision != trammel.Ask || r.Approve == nil || !r.Approve(Question{ability, input, said.Reason}) {
		return
	}
	said.Decision = trammel.Allow
	said.Warnings = append(said.Warnings, "A person at the terminal has allowed this: "+said.Reason)
}

func (r *Runner) progress(text string) {
	if r.Progress != nil {
		r.Progress(text)
	}
}

// List is everything that can be asked for.
func (r *Runner) List() ([]registry.Entry, error) {
	reg, err := registry.Load(r.Root)
	if err != nil {
		return nil, err
	}
	return reg.List(), nil
}

// Root finds the repository that a directory belongs to: the nearest one
// upwards with a registry, else with a .system folder or a repository of git.
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
