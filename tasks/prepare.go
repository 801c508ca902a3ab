package tasks

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks/api"
	"github.com/trammel-dev/trammel/tasks/fill"
	"github.com/trammel-dev/trammel/tasks/mcp"
	"github.com/trammel-dev/trammel/tasks/operation"
	"github.com/trammel-dev/trammel/tasks/registry"
	"github.com/trammel-dev/trammel/tasks/script"
)

// prepare makes a call ready to be judged and run.
func (r *run) prepare(at *registry.Resolved, input map[string]any, dir string) (operation.Prepared, error) {
	c := operation.Call{Root: r.Root, Dir: dir, TaskKey: r.key, Environment: r.Environment, ID: at.ID, Impl: at.Impl, Input: input,
		Environ: r.reg.Environ}
	if r.Caller.Source == repohooks.AISession {
		c.Session = cmp.Or(r.Caller.SessionID, "unknown")
	}
	switch {
	case at.Ability != nil && at.Ability.Type == registry.Workflow:
		return &workflow{r, at.Ability, input, dir}, nil
	case at.Ability != nil:
		return r.planner(c, at.Ability)
	case at.Impl.Kind == registry.API:
		return api.Prepare(c)
	case at.Impl.Kind == registry.MCP:
		return mcp.Prepare(c)
	}
	return script.Prepare(c)
}

// workflow runs operations one after another. Hooks see each as a separate call.
type workflow struct {
	*run
	ability *registry.Ability
	input   map[string]any
	dir     string
}

// Action is what the input reveals; each operation is judged when it is called.
func (w *workflow) Action() trammel.Action { return operation.Loose(w.ability.ID, w.input) }

// Run runs the steps until one does not succeed. The effects of the earlier ones stay:
// then the workflow is a partial success.
func (w *workflow) Run(ctx context.Context) (operation.Outcome, error) {
	outputs := map[string]any{}
	out := operation.Outcome{Output: map[string]any{"steps": outputs}}
	for i, step := range w.ability.Steps {
		w.progress(fmt.Sprintf("step %d of %d: %s", i+1, len(w.ability.Steps), step.ID))
		filled, _, err := fill.Value(anyMap(step.Input), map[string]any{"input": w.input, "steps": outputs})
		if err != nil {
			return out, trammel.Fail(trammel.CodeInput, "step %s: %w", step.ID, err)
		}
		result, err := w.operate(ctx, step.Operation, filled.(map[string]any), filepath.Join(w.dir, "steps", step.ID))
		if err != nil {
			return out, fmt.Errorf("step %s: %w", step.ID, err)
		}
		if result.Output != nil {
			outputs[step.ID] = result.Output
		}
		if result.Status == Partial {
			out.Partial = true
		}
		if result.Status != Success {
			return out, &stopped{step.ID, result}
		}
		out.Partial = i+1 < len(w.ability.Steps) // until the last is done
	}
	return out, nil
}

func anyMap(m map[string]any) any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// operate calls an operation on behalf of an ability.
func (r *run) operate(ctx context.Context, key string, input map[string]any, dir string) (*Result, error) {
	at, refused := r.resolve(r.reg, key, input)
	if refused != nil {
		return refused, nil
	}
	return r.call(ctx, at, input, dir)
}

// stopped is a workflow that ended because of one of its steps.
type stopped struct {
	step   string
	result *Result
}

func (s *stopped) Error() string { return "step " + s.step + ": " + s.result.why() }

// why is the reason why a result is not a success.
func (r *Result) why() string {
	switch {
	case r.Error != nil:
		return r.Error.Message
	case r.Reason != "":
		return string(r.Status) + ": " + r.Reason
	}
	return string(r.Status)
}
