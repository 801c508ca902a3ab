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

// Create asks whether an ability is available for an input, and makes a task if
// so. Nothing runs. A refusal leaves no key and no folder (AIC-11).
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

// preflight is everything that comes before a task. The result says Available,
// or why not.
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
			Suggestion: "Ask a human to repair it, or choose another ability."}, nil
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
			" may be used here, and creates the task at their own terminal, where they are asked: trammel task create " + at.ID}
	}
	return reg, at, result, nil
}

// resolve finds what is asked for and checks the input against its schema.
func (r *Runner) resolve(reg *registry.Registry, ability string, input map[string]any) (*registry.Resolved, *Result) {
	at, err := reg.Resolve(ability, r.Environment)
	if err != nil {
		refused := &Result{Status: Unavailable, AbilityID: ability, Reason: err.Error(),
			Suggestion: "Choose one that trammel task abilities lists."}
		if near := reg.Near(ability); errors.Is(err, registry.ErrUnknown) && len(near) > 0 {
			refused.Suggestion = "Did you mean " + strings.Join(near, ", ") + "?"
		} else if errors.Is(err, registry.ErrEnvironment) {
			refused.Suggestion = "Use an environment that it is meant for, or ask a human to change the registry."
		}
		return nil, refused
	}
	if err := errors.Join(strict.NUL(input), strict.FoldedTwins(input)); err != nil {
		return nil, &Result{Status: Unavailable, AbilityID: at.ID, Reason: "The input could be read in two ways: " + err.Error() + ".",
			Suggestion: "Send an input without that."}
	}
	if wrong := at.Input.Check(input); len(wrong) > 0 {
		return nil, &Result{Status: Unavailable, AbilityID: at.ID, Violations: wrong, Reason: "The input does not fit its schema: " +
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

// ask brings a moment before the hooks, those that a list of at binds among
// them. Whoever is not asked does not object. A binding that does not hold is
// named with its place: an error before the call, a warning after it.
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

// take keeps what hooks have to tell the caller.
func (r *Result) take(said *repohooks.Result) {
	r.Signals = append(r.Signals, said.Signals...)
	r.Warnings = append(r.Warnings, said.Warnings...)
	r.Context = append(r.Context, said.Context...)
	if !said.Proceed() {
		r.Reason, r.Suggestion = said.Reason, said.Suggestion
	}
}
