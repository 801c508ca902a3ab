package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks/operation"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// call asks the hooks of PreAbilityCall about one ability or operation, runs it if
// they allow it, and reports the result to those of PostAbilityCall.
func (r *run) call(ctx context.Context, at *registry.Resolved, input map[string]any, dir string) (*Result, error) {
	prepared, err := r.prepare(at, input, dir)
	if err != nil {
		return failed(&Result{AbilityID: at.ID}, err), nil
	}
	judgedProgram := r.program(at)
	r.progress("asking the hooks whether " + at.ID + " may run")
	said, err := r.ask(ctx, repohooks.PreAbilityCallEvent, judged{&repohooks.PreAbilityCall{
		SessionID: r.Caller.SessionID, AbilityID: at.ID, TaskKey: r.key, ArgsSummary: repohooks.Summary(input), Caller: r.Caller, Args: input,
	}, r.shapes(at, dir)}, at, at.Hooks.PreCall)
	if err != nil {
		return nil, err
	}
	judgedInput := input
	if said.Input != nil {
		judgedInput = patched(input, said.Input)
	}
	r.consent(said, at.ID, judgedInput)
	result := &Result{AbilityID: at.ID}
	result.take(said)
	if !said.Proceed() {
		r.refuse(result, said)
		return result, nil
	}
	if said.Input != nil { // exactly what was judged runs
		input = judgedInput
		if wrong := at.Input.Check(input); len(wrong) > 0 {
			result.Violations = wrong
			return failed(result, trammel.Fail(trammel.CodeInput, "the input, as changed by the hooks, does not match its schema: %s",
				violations(wrong))), nil
		}
		if prepared, err = r.prepare(at, input, dir); err != nil {
			return failed(result, err), nil
		}
	}
	if r.program(at) != judgedProgram {
		return failed(result, trammel.Fail(trammel.CodeUnavailable, "its program was changed after it was judged; run it again")), nil
	}
	if err := r.ready(dir); err != nil {
		return nil, err
	}
	r.progress("running " + at.ID)
	began := time.Now()
	r.carryOut(ctx, at, prepared, result, dir)
	took := time.Since(began).Milliseconds()
	result.DurationMS = &took
	r.tell(ctx, at, input, result, dir)
	return result, nil
}

// program is the digest of the program that would be started, so that exactly what
// hooks and people have seen runs. A file that cannot be read cannot be started,
// unless it is a binary.
func (r *run) program(at *registry.Resolved) string {
	var path string
	switch {
	case at.Ability != nil && at.Ability.Agent != nil:
		path = at.Ability.Agent.Path
	case at.Impl != nil && at.Impl.Script != nil:
		path = at.Impl.Script.Path
	case at.Impl != nil && at.Impl.MCP != nil:
		path = at.Impl.MCP.Server.Path
	}
	file, err := operation.Within(r.Root, path)
	if path == "" || err != nil {
		return ""
	}
	digest, _ := files.Digest(file)
	return digest
}

func patched(input, patch map[string]any) map[string]any {
	out := maps.Clone(input)
	maps.Copy(out, patch)
	return out
}

// refuse explains why the call does not run, and what a person can do about it.
func (r *run) refuse(result *Result, said *repohooks.Result) {
	result.Status = Denied
	if said.Decision != trammel.Ask {
		return
	}
	how := "trammel task direct-run " + result.AbilityID
	if r.key != "" {
		how = "trammel task run " + r.key
	}
	result.Status = RequiresHuman
	result.Human = &Human{
		What: said.Reason,
		How: fmt.Sprintf("A person has to review the arguments and decide. They run it in their own terminal, which asks them (%s), "+
			"or change the hook %q, which asks.", how, said.HookID),
	}
}

// carryOut runs what was prepared and fills in the result.
func (r *run) carryOut(ctx context.Context, at *registry.Resolved, prepared operation.Prepared, result *Result, dir string) {
	out, err := prepared.Run(ctx)
	for name, data := range map[string][]byte{"stdout.log": out.Stdout, "stderr.log": out.Stderr} {
		if len(data) > 0 {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), data, 0o600))
		}
	}
	result.Output = out.Output
	if s := (*stopped)(nil); errors.As(err, &s) { // what helps with the step helps with the whole
		result.Suggestion, result.Human, result.Violations = s.result.Suggestion, s.result.Human, s.result.Violations
		result.Signals = append(result.Signals, s.result.Signals...)
	}
	if err == nil && !out.Partial {
		if wrong := at.Output.Check(out.Output); len(wrong) > 0 {
			result.Violations = wrong
			err = trammel.Fail(trammel.CodeMalformed, "the output does not match its schema: %s", violations(wrong))
		}
	}
	switch {
	case out.Partial:
		result.Status = Partial
		if err != nil {
			result.Error = describe(err)
		}
	case err != nil:
		failed(result, err)
	default:
		result.Status = Success
	}
}

// tell runs the hooks of PostAbilityCall. They cannot change what has happened, but
// the caller gets the output as they rewrote it.
func (r *run) tell(ctx context.Context, at *registry.Resolved, input map[string]any, result *Result, dir string) {
	const grace = time.Minute // even if the call was canceled
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	output, _ := canonical.Append(nil, result.Output)
	c := &repohooks.PostAbilityCall{SessionID: r.Caller.SessionID, AbilityID: at.ID, TaskKey: r.key, Status: repohooks.Status(result.Status),
		DurationMS: *result.DurationMS, Timed: true, InputSummary: repohooks.Summary(input), OutputSummary: repohooks.Summary(result.Output),
		Args: input, Output: string(output)}
	if result.Error != nil {
		c.ErrorMessage = result.Error.Message
	}
	said, err := r.ask(ctx, repohooks.PostAbilityCallEvent, judged{c, r.shapes(at, dir)}, at, at.Hooks.PostCall)
	if err != nil {
		result.Warnings = append(result.Warnings, err.Error())
		return
	}
	result.Warnings = append(result.Warnings, said.Warnings...)
	if said.Output != nil {
		if result.Output, err = strict.Object([]byte(*said.Output), strict.Limits{}); err != nil {
			result.Output = map[string]any{"text": *said.Output}
		}
	}
}

// judged is a context whose event shows policies what the call really does, even
// after a hook has rewritten its arguments.
type judged struct {
	repohooks.Context
	shapes trammel.Shapes
}

func (j judged) Event() *trammel.Event {
	ev := j.Context.Event()
	ev.Tools = j.shapes
	return ev
}

func (r *run) shapes(at *registry.Resolved, dir string) trammel.Shapes {
	return trammel.Shapes{at.ID: {Parse: func(input map[string]any, a *trammel.Action) {
		if prepared, err := r.prepare(at, input, dir); err == nil {
			*a = prepared.Action()
			return
		}
		*a = operation.Loose(at.ID, input) // what cannot be prepared will not run
	}}}
}

// failed adds an error to a result.
func failed(result *Result, err error) *Result {
	result.Status, result.Error = Failure, describe(err)
	return result
}

// describe returns an error without the secrets that a program may have printed.
func describe(err error) *Error {
	e := coded(err)
	e.Message = secret.Clean(e.Message)
	return e
}

// coded adds the code of what failed: the input, the program, its output, or a step.
func coded(err error) *Error {
	var s *stopped
	switch {
	case errors.As(err, &s) && s.result.Error != nil:
		return &Error{s.result.Error.Code, err.Error()}
	case errors.As(err, &s):
		return &Error{string(s.result.Status), err.Error()}
	}
	return &Error{string(cmp.Or(trammel.CodeOf(err), trammel.CodeError)), err.Error()}
}
