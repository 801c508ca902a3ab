// Package abilityavailability is the policy ability-availability: a task is
// created only for an ability that the repository's registry knows, that is
// configured and that is meant for the environment (AIC-65, the recipe
// nonprod_availability_check). It runs nothing to find that out.
package abilityavailability

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("ability-availability", trammel.Guard,
		"lets a task be created only for an ability that the registry knows and that is meant for the environment",
		options{Production: []string{"prod", "production", "live"}}, build, trammel.PreAbilityCreate)
}

type options struct {
	Production []string `json:"production,omitempty" jsonschema:"Names of environments in which an ability must say that it is meant for them."`
}

func build(o options, _ trammel.Spec) (trammel.Handler, error) { return &policy{o}, nil }

type policy struct{ options }

// Handle looks the ability up.
func (p *policy) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Kind != trammel.PreAbilityCreate || ev.Tool == nil {
		return trammel.Answer{}, nil
	}
	root := ev.Session.Project
	if _, err := world.Of(ev).Lstat(filepath.Join(root, filepath.FromSlash(registry.Dir))); errors.Is(err, fs.ErrNotExist) {
		return trammel.Answer{Diagnostics: []string{"the repository has no " + registry.Dir +
			", so there is nothing to check the ability against"}}, nil
	}
	reg, err := registry.Load(root)
	if err != nil {
		return trammel.Answer{}, fmt.Errorf("the registry cannot be read: %w", err)
	}
	c := check{ref: reference(ev), name: ev.Tool.Name}
	c.environment, _ = ev.Fields["environment"].(string)
	found, err := reg.Resolve(c.name, c.environment)
	switch {
	case errors.Is(err, registry.ErrEnvironment):
		return c.answer(repohooks.Unavailable, "not_in_environment", err.Error()+".", c.elsewhere(reg)), nil
	case err != nil:
		return c.answer(repohooks.Unavailable, "unknown_ability", err.Error()+".", "Use an ability that the registry lists, or add it to "+
			registry.Dir+"."), nil
	case slices.Contains(p.Production, c.environment) && !slices.Contains(environments(found), c.environment):
		return c.answer(repohooks.RequiresHuman, "not_meant_for_production", fmt.Sprintf("%s does not say that it is meant for %s.", c.name,
			c.environment),
			"Switch to another environment, or let a person decide."), nil
	}
	return trammel.Answer{Signals: []trammel.Signal{{Kind: string(repohooks.AbilityPreflight), Code: repohooks.Available, Severity: "info",
		Payload: map[string]any{"ability_ref": c.ref}}}}, nil
}

// check is what is looked up.
type check struct {
	ref               map[string]any
	name, environment string
}

func (c *check) answer(code, finding, reason, suggestion string) trammel.Answer {
	decision := trammel.Deny
	if code == repohooks.RequiresHuman {
		decision = trammel.Ask
	}
	return trammel.Answer{
		Decision: decision, Reason: reason + " " + suggestion,
		Findings: []trammel.Finding{{Code: finding, Severity: "error", Target: c.name}},
		Signals: []trammel.Signal{{Kind: string(repohooks.AbilityPreflight), Code: code, Severity: "error",
			Payload: map[string]any{"ability_ref": c.ref, "reason": reason, "suggestion": suggestion}}},
	}
}

// elsewhere says where the ability can be used.
func (c *check) elsewhere(reg *registry.Registry) string {
	var list []string
	if a := reg.Abilities[c.name]; a != nil {
		list = a.Scope.Environments
	} else if op := reg.Operations[c.name]; op != nil {
		list = op.Scope.Environments
	}
	list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == c.environment })
	if len(list) == 0 {
		return "Let a person configure it for this environment."
	}
	return "Switch to " + strings.Join(list, " or ") + ", or let a person decide."
}

func environments(r *registry.Resolved) []string {
	if r.Ability != nil {
		return r.Ability.Scope.Environments
	}
	return r.Operation.Scope.Environments
}

func reference(ev *trammel.Event) map[string]any {
	if ref, ok := ev.Fields["ability_ref"].(map[string]any); ok {
		return ref
	}
	return map[string]any{"kind": repohooks.AbilityID, "value": ev.Tool.Name}
}
