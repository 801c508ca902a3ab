// Package standard decides which kinds of handlers both programs link: one
// line each.
package standard

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/handlers/builtin"
	"github.com/trammel-dev/trammel/handlers/command"
	"github.com/trammel-dev/trammel/handlers/rule"
	policies "github.com/trammel-dev/trammel/policies/standard"
)

// Registry returns a registry of the standard handlers and policies. dialect
// finds the dialect of a hook program.
func Registry(dialect func(name string) (trammel.HookDialect, bool)) *trammel.Registry {
	r := trammel.NewRegistry()
	must(r.AddKind("rule", rule.New))
	must(r.AddKind("command", command.New(dialect)))
	must(r.AddKind("builtin", builtin.New(r)))
	must(r.ListPolicies(policies.All[:]...))
	return r
}

// must panics: a duplicate name is a mistake in this file.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
