package tasks

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/worker"
	"github.com/trammel-dev/trammel/tasks/operation"
	"github.com/trammel-dev/trammel/tasks/registry"
	"github.com/trammel-dev/trammel/tasks/script"
)

// planner is an ability of type agent: a program that reads JSON objects, one a line,
// and answers each with an operation to call or with its output. It can call only the
// operations on its list.
//
//	→ {"type":"start","ability":…,"input":{…},"operations":[…]}
//	← {"type":"call","operation":"…","input":{…}}
//	→ {"type":"result","status":"success","output":{…}}
//	← {"type":"done","output":{…}}
type planner struct {
	*run
	call    operation.Call
	ability *registry.Ability
	command procgroup.Command
}

// maxCalls limits the operations that a planner calls in one run, maxMemory the memory
// of its process.
const (
	maxCalls  = 1000
	maxMemory = 4 << 30
)

func (r *run) planner(c operation.Call, a *registry.Ability) (operation.Prepared, error) {
	command, err := script.Command(c, a.Agent)
	if err != nil {
		return nil, err
	}
	return &planner{r, c, a, command}, nil
}

func (p *planner) Action() trammel.Action { return script.Action(p.call, p.command.Args) }

func (p *planner) Run(ctx context.Context) (operation.Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, registry.Timeout(p.ability.Agent.TimeoutSec))
	defer cancel()
	w := worker.New(worker.Command{Args: p.command.Args, Env: p.command.Env, Dir: p.command.Dir, MaxLine: operation.MaxOutput,
		Memory: maxMemory})
	defer w.Close()
	message := map[string]any{"type": "start", "ability": p.ability.ID, "input": p.call.Input, "operations": p.ability.Operations}
	done := 0
	for range maxCalls {
		answer, err := exchange(ctx, w, message)
		if err != nil {
			return operation.Outcome{Partial: done > 0, Stderr: []byte(w.Stderr())}, err
		}
		if answer.kind == "done" {
			out := operation.Take(answer.output)
			out.Stderr = []byte(w.Stderr())
			return out, nil
		}
		result, err := p.use(ctx, answer, filepath.Join(p.call.Dir, "calls", fmt.Sprintf("%04d", done+1)))
		if err != nil {
			return operation.Outcome{Partial: done > 0}, err
		}
		if result.Status == Success || result.Status == Partial {
			done++
		}
		message = map[string]any{"type": "result", "status": string(result.Status), "output": result.Output, "reason": result.Reason,
			"suggestion": result.Suggestion}
		if result.Error != nil {
			message["error"] = map[string]any{"code": result.Error.Code, "message": result.Error.Message}
		}
	}
	return operation.Outcome{Partial: done > 0}, trammel.Fail(trammel.CodeError, "%s called more than %d operations", p.ability.ID, maxCalls)
}

// use calls an operation for the planner, if it is on the list.
func (p *planner) use(ctx context.Context, a answer, dir string) (*Result, error) {
	if !slices.Contains(p.ability.Operations, a.operation) {
		return &Result{Status: Denied, AbilityID: a.operation, Reason: fmt.Sprintf("%q is not among the operations of %s.", a.operation,
			p.ability.ID),
			Suggestion: "Use one of the operations that were listed at the start."}, nil
	}
	return p.operate(ctx, a.operation, a.input, dir)
}

// answer is a line of a planner.
type answer struct {
	kind, operation string
	input, output   map[string]any
}

func exchange(ctx context.Context, w *worker.Worker, message map[string]any) (answer, error) {
	line, err := canonical.Append(nil, message)
	if err != nil {
		return answer{}, err
	}
	reply, err := w.Talk(ctx, append(line, '\n'))
	if err != nil {
		return answer{}, trammel.Fail(trammel.CodeCrash, "the agent's program: %w", err)
	}
	obj, err := strict.Object(reply, strict.Limits{})
	if err != nil {
		return answer{}, trammel.Fail(trammel.CodeMalformed, "the agent's program: %w", err)
	}
	f := strict.FieldsOf(obj, "")
	a := answer{kind: f.String("type")}
	switch a.kind {
	case "call":
		a.operation, a.input = f.String("operation"), f.Object("input")
	case "done":
		a.output = f.Object("output")
	default:
		f.Refuse("type", "call or done")
	}
	if a.input == nil {
		a.input = map[string]any{}
	}
	if err := f.Done(); err != nil {
		return answer{}, trammel.Fail(trammel.CodeMalformed, "the agent's program: %w", err)
	}
	return a, nil
}
