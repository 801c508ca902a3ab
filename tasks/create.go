package tasks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// Create asks the hooks whether an ability is available for an input, and creates a
// task if it is. Nothing runs. A refusal leaves no key and no folder (AIC-11).
func (r *Runner) Create(ctx context.Context, q Request) (*Result, error) {
	s, err := r.open()
	if err != nil {
		return nil, err
	}
	q = q.whole()
	_, at, made, err := r.preflight(ctx, q)
	if err != nil || made.Status != Available {
		return made, err
	}
	created := now()
	t := &Task{Key: newKey(created), Kind: at.Kind, AbilityID: at.ID, Environment: r.Environment, State: Created,
		Source: string(r.Caller.Source), SessionID: r.Caller.SessionID, CreatedAt: created, Input: q.Input}
	if err := s.add(t); err != nil {
		return nil, err
	}
	made.TaskKey = t.Key
	return made, nil
}

// preflight does all the checks before a task is created. The result is Available, or
// says why not.
func (r *Runner) preflight(ctx context.Context, q Request) (*registry.Registry, *registry.Resolved, *Result, error) {
	reg, err := registry.Load(r.Root)
	if err != nil {
		return nil, nil, nil, err
	}
	at, refused := r.resolve(reg, q.Ability, q.Input)
	if refused != nil {
		return nil, nil, refused, nil
	}
	if err := r.missing(reg, at); err != nil {
		return nil, nil, &Result{Status: Unavailable, AbilityID: at.ID, Reason: secret.Clean(fmt.Sprintf("%s cannot run here: %v.", at.ID, err)),
			Suggestion: "Ask a person to fix it, or choose another ability."}, nil
	}
	r.progress("asking the hooks whether " + at.ID + " is available")
	said, err := r.ask(ctx, repohooks.PreAbilityCreateEvent, &repohooks.PreAbilityCreate{
		SessionID: r.Caller.SessionID, AbilityRef: repohooks.AbilityRef{Kind: at.Kind, Value: at.ID},
		InputSummary: repohooks.Summary(q.Input), Environment: r.Environment, Caller: r.Caller, Args: q.Input,
	}, at, at.Hooks.PreCreate)
	if err != nil {
		return nil, nil, nil, err
	}
	r.consent(said, at.ID, q.Input)
	result := &Result{Status: Available, AbilityID: at.ID, Warnings: []string{}}
	result.take(said)
	switch said.Decision {
	case trammel.Deny:
		result.Status, result.Warnings = Unavailable, nil
	case trammel.Ask:
		result.Warnings = nil
		result.Status = RequiresHuman
		result.Human = &Human{What: said.Reason, How: "A person has to decide whether " + at.ID +
			" may be used here. They create the task in their own terminal, which asks them: trammel task create " + at.ID}
	}
	return reg, at, result, nil
}

// resolve finds the requested ability and checks the input against its schema.
func (r *Runner) resolve(reg *registry.Registry, ability string, input map[string]any) (*registry.Resolved, *Result) {
	at, err := reg.Resolve(ability, r.Environment)
	if err != nil {
		refused := &Result{Status: Unavailable, AbilityID: ability, Reason: err.Error(),
			Suggestion: "List the abilities with: trammel task abilities"}
		if near := reg.Near(ability); errors.Is(err, registry.ErrUnknown) && len(near) > 0 {
			refused.Suggestion = "Did you mean " + strings.Join(near, ", ") + "?"
		} else if errors.Is(err, registry.ErrEnvironment) {
			refused.Suggestion = "Use an environment that it is meant for, or ask a person to change the registry."
		}
		return nil, refused
	}
	if err := errors.Join(strict.NUL(input), strict.FoldedTwins(input)); err != nil {
		return nil, &Result{Status: Unavailable, AbilityID: at.ID, Reason: "The input is ambiguous: " + err.Error() + ".",
			Suggestion: "Send it without that."}
	}
	if wrong := at.Input.Check(input); len(wrong) > 0 {
		return nil, &Result{Status: Unavailable, AbilityID: at.ID, Violations: wrong, Reason: "The input does not match its schema: " +
			violations(wrong) + ".", Suggestion: "Correct these fields and try again."}
	}
	return at, nil
}

func violations(list []registry.Violation) string {
	parts := make([]string, len(list))
	for i, v := range list {
		if parts[i] = v.Field + " " + v.Message; v.Field == "" {
			parts[i] = v.Message
		}
	}
	return strings.Join(parts, "; ")
}

// ask runs the hooks of an event, including those that a list of the ability binds.
// Without hooks nothing is refused. A binding to a hook that does not exist is an error
// before the call and a warning after it, with its position.
func (r *Runner) ask(ctx context.Context, event repohooks.EventType, c repohooks.Context, at *registry.Resolved, list *[]string) (
	*repohooks.Result, error) {
	if r.Hooks == nil {
		return &repohooks.Result{}, ctx.Err()
	}
	said, err := r.Hooks.RunHooks(ctx, event, c, false, registry.Bound(list)...)
	if dangling := (*repohooks.DanglingError)(nil); errors.As(err, &dangling) {
		err = fmt.Errorf("%s: %w", at.Place(list, dangling.HookID), err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", event, err)
	}
	for _, e := range said.Errors {
		if place := at.Place(list, e.HookID); place != "" && e.Code == trammel.CodeConfig {
			said.Warnings = append(said.Warnings, fmt.Sprintf("%s: %s: %s", event, place, e.Message))
		}
	}
	return said, nil
}

// take adds what hooks have for the caller to the result.
func (r *Result) take(said *repohooks.Result) {
	r.Signals = append(r.Signals, said.Signals...)
	r.Warnings = append(r.Warnings, said.Warnings...)
	r.Context = append(r.Context, said.Context...)
	if !said.Proceed() {
		r.Reason, r.Suggestion = said.Reason, said.Suggestion
	}
}
