// Package rule is the handler of rules in declarations: deny, ask, allow, add
// context or rewrite if a condition is true. Conditions are expressions over a
// typed vocabulary (see Vocabulary), which config/condition compiles; most
// events are decided without evaluating one.
package rule

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/trammel-dev/trammel"
)

// New builds the handler of a hook of kind "rule". Expressions are read when
// the first event needs them.
func New(spec trammel.Spec) (trammel.Handler, error) {
	c, err := Read(spec.Config)
	if err != nil {
		return nil, err
	}
	if err := CheckVerb(c.Do); err != nil {
		return nil, err
	}
	if !c.Prepared {
		return nil, errors.New("the rule is not compiled; config/condition must compile it")
	}
	r := &rule{hook: spec.Hook, config: c, verb: verb(c.Do)}
	r.when = sync.OnceValues(func() (*condition, error) { return r.config.load("when", r.config.When) })
	r.after = sync.OnceValues(func() (*condition, error) { return r.config.load("after", r.config.After) })
	r.outcome = sync.OnceValues(func() (*outcome, error) { return loadOutcome(&r.config) })
	return r, nil
}

type rule struct {
	hook    string
	config  Config
	verb    verb
	when    func() (*condition, error)
	after   func() (*condition, error)
	outcome func() (*outcome, error)
}

// Explain says what the rule does, in its author's words.
func (r *rule) Explain() string {
	s := r.config.Do
	if r.config.After != "" {
		s += " after " + r.config.After
	}
	if r.config.When != "" {
		s += " when " + r.config.When
	}
	return s
}

// Handle answers the event. A condition that cannot be evaluated is a failure
// of the hook, so that a guard blocks.
func (r *rule) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	e := evaluation{rule: r, ev: ev, prefilter: r.config.Prefilter()}
	hit, holds, err := e.find()
	if err != nil {
		return trammel.Answer{}, err
	}
	if !holds {
		if e.uncovered != "" && ev.Rehearsal {
			return trammel.Answer{Diagnostics: []string{"not allowed, because the rule does not cover: " + e.uncovered}}, nil
		}
		return trammel.Answer{}, nil
	}
	return e.answer(hit)
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

// CheckVerb checks that do is a valid verb.
func CheckVerb(do string) error {
	switch verb(do) {
	case deny, ask, allow, addContext, rewrite:
		return nil
	}
	return fmt.Errorf("do is %q, expected deny, ask, allow, context or rewrite", do)
}
