package registry

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// Resolved is something that can be called, with its implementation and its hooks.
type Resolved struct {
	Kind      string // ability_id or operation_key
	ID        string
	Ability   *Ability // nil for an operation
	Operation *Operation
	Impl      *Impl // of an operation
	Input     *Schema
	Output    *Schema
	Hooks     Hooks

	registry *Registry
}

// Resolve finds the implementation of a name in an environment; "" is no particular one.
// The lists of hooks of the implementation override those of the operation, and those of
// the environment override both.
func (r *Registry) Resolve(ref, environment string) (*Resolved, error) {
	if a := r.Abilities[ref]; a != nil {
		if err := meant(ref, a.Scope, environment); err != nil {
			return nil, err
		}
		return &Resolved{Kind: KindAbility, ID: ref, Ability: a, Input: &a.InputSchema, Output: &a.OutputSchema,
			Hooks: a.Hooks, registry: r}, nil
	}
	op := r.Operations[ref]
	if op == nil {
		return nil, unknown(ref)
	}
	if err := meant(ref, op.Scope, environment); err != nil {
		return nil, err
	}
	out := &Resolved{Kind: KindOperation, ID: ref, Operation: op, Impl: op.Impl, Input: &op.InputSchema,
		Output: &op.OutputSchema, Hooks: op.Hooks, registry: r}
	var env *Environment
	if c := r.config[ref]; c != nil {
		if c.Impl != nil {
			out.Impl = c.Impl
		}
		if env = c.Environments[environment]; env != nil && env.Impl != nil {
			out.Impl = env.Impl
		}
	}
	if env != nil && env.Disabled {
		return nil, fmt.Errorf("%q is switched off in the environment %q: %w", ref, environment, ErrEnvironment)
	}
	if out.Impl == nil {
		return nil, fmt.Errorf("%q has no implementation for the environment %q: %w", ref, environment, ErrEnvironment)
	}
	out.Hooks = out.Hooks.over(out.Impl.Hooks)
	if env != nil {
		out.Hooks = out.Hooks.over(env.Hooks)
	}
	return out, nil
}

// Binding is one hook that is bound to something.
type Binding struct {
	To   string // what it is bound to
	When string // pre_create, pre_call, post_call
	Hook string
	File string // where it is declared, relative to the repository's root
	Line int
	Col  int

	list *[]string
}

// Place is the position of the binding.
func (b *Binding) Place() string { return fmt.Sprintf("%s:%d:%d: %s", b.File, b.Line, b.Col, b.To) }

// Place is where one of its lists names a hook, "" if none does.
func (at *Resolved) Place(list *[]string, hook string) string {
	for _, b := range at.registry.Bindings() {
		if b.list == list && b.Hook == hook {
			return b.Place()
		}
	}
	return ""
}

// Bindings lists all hooks that are bound to abilities, operations or implementations, or
// in environments.
func (r *Registry) Bindings() []Binding {
	var out []Binding
	add := func(d *document, to, place string, h Hooks) {
		for _, list := range [...]struct {
			when string
			ids  *[]string
		}{{"pre_create", h.PreCreate}, {"pre_call", h.PreCall}, {"post_call", h.PostCall}} {
			for i, id := range Bound(list.ids) {
				at := d.problem(fmt.Sprintf("%s.hooks.%s[%d]", place, list.when, i), "")
				out = append(out, Binding{to, list.when, id, at.File, at.Line, at.Column, list.ids})
			}
		}
	}
	impl := func(d *document, to, place string, i *Impl) {
		if i != nil {
			add(d, to+".impl", place+".impl", i.Hooks)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.Abilities)) {
		add(r.Abilities[id].document, id, "$", r.Abilities[id].Hooks)
	}
	for _, key := range slices.Sorted(maps.Keys(r.Operations)) {
		op := r.Operations[key]
		add(op.document, key, "$", op.Hooks)
		impl(op.document, key, "$", op.Impl)
	}
	for _, key := range slices.Sorted(maps.Keys(r.config)) {
		c := r.config[key]
		impl(c.document, "config of "+key, c.place, c.Impl)
		for _, name := range slices.Sorted(maps.Keys(c.Environments)) {
			where, place, env := "config of "+key+" in "+name, c.place+".environments."+name, c.Environments[name]
			add(c.document, where, place, env.Hooks)
			impl(c.document, where, place, env.Impl)
		}
	}
	return out
}

// Bound lists the ids of a list; none if it is not given.
func Bound(list *[]string) []string {
	if list == nil {
		return nil
	}
	return *list
}

func meant(ref string, s Scope, environment string) error {
	if environment == "" || len(s.Environments) == 0 || slices.Contains(s.Environments, environment) {
		return nil
	}
	return fmt.Errorf("%q is meant for %s: %w", ref, strings.Join(s.Environments, ", "), ErrEnvironment)
}

// Timeout is the time limit of a call.
func Timeout(seconds int) time.Duration {
	if seconds == 0 {
		return DefaultTimeout
	}
	return time.Duration(seconds) * time.Second
}

// Environ is the environment of a program with a profile: a few variables that every
// program needs, those that the profile passes on, and those that it sets.
func (r *Registry) Environ(profile string) []string {
	names := []string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "USERPROFILE", "TEMP", "TMP"}
	p := r.profiles[profile]
	if p != nil {
		names = append(names, p.Pass...)
	}
	var env []string
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	if p != nil {
		for name, value := range p.Set {
			env = append(env, name+"="+value)
		}
	}
	return env
}
