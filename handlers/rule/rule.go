// Package rule is the handler that declarations spell out: deny, ask, allow,
// add context or rewrite when a condition holds. Conditions are expressions
// over a typed vocabulary (see Vocabulary); what can be decided without the
// expression engine is, so that most events never compile one.
package rule

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/trammel-dev/trammel"
)

// New builds the handler of a hook of kind "rule". It does not compile
// anything; that waits for the first event that needs it.
func New(spec trammel.Spec) (trammel.Handler, error) {
	c, err := Read(spec.Config)
	if err != nil {
		return nil, err
	}
	v, err := parseVerb(c.Do)
	if err != nil {
		return nil, err
	}
	r := &rule{hook: spec.Hook, config: c, verb: v}
	r.prepared = sync.OnceValue(r.prepare)
	r.when = sync.OnceValues(func() (*expression, error) { return compileAt("when", r.config.When, reflect.Bool) })
	r.outcome = sync.OnceValues(func() (*outcome, error) { return compileOutcome(&r.config) })
	return r, nil
}

type rule struct {
	hook     string
	config   Config
	verb     verb
	prepared func() error
	when     func() (*expression, error)
	outcome  func() (*outcome, error)
}

func (r *rule) prepare() error {
	if r.config.Prepared {
		return nil
	}
	return r.config.derive()
}

// Explain says what the rule does, in its author's words.
func (r *rule) Explain() string {
	s := r.config.Do
	if r.config.When != "" {
		s += " when " + r.config.When
	}
	return s
}

// Handle answers the event. A condition that cannot be evaluated is a failure
// of the hook, so that a guard blocks.
func (r *rule) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if err := r.prepared(); err != nil {
		return trammel.Answer{}, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	e := evaluation{rule: r, ev: ev, prefilter: r.config.Prefilter()}
	hit, holds, err := e.find()
	if err != nil {
		return trammel.Answer{}, err
	}
	if !holds {
		return trammel.Answer{}, nil
	}
	return e.answer(hit)
}

// compileAt compiles the expression that stands at a place of the declaration.
func compileAt(where, source string, want reflect.Kind) (*expression, error) {
	e, err := compile(source, want)
	return e, at(where, err)
}

// at puts the place of the expression into an error.
func at(where string, err error) error {
	if e, ok := err.(*Error); ok {
		e.Where = where
	}
	return err
}

// verb is what a rule does.
type verb string

const (
	deny       verb = "deny"
	ask        verb = "ask"
	allow      verb = "allow"
	addContext verb = "context"
	rewrite    verb = "rewrite"
)

func parseVerb(s string) (verb, error) {
	switch v := verb(s); v {
	case deny, ask, allow, addContext, rewrite:
		return v, nil
	}
	return "", fmt.Errorf("do is %q, expected deny, ask, allow, context or rewrite", s)
}
