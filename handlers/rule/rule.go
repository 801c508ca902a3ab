// Package rule is the handler that declarations spell out: deny, ask, allow,
// add context or rewrite when a condition holds. Conditions are expressions
// over a typed vocabulary (see Vocabulary); what can be decided without the
// expression engine is, so that most events never compile one.
package rule

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/shell"
)

// New builds the handler of a hook of kind "rule". It does not compile
// anything; that waits for the first event that needs it.
func New(spec trammel.Spec) (trammel.Handler, error) {
	c, err := Read(spec.Config)
	if err != nil {
		return nil, err
	}
	d, err := parseDeed(c.Do)
	if err != nil {
		return nil, err
	}
	r := &rule{hook: spec.Hook, config: c, deed: d}
	r.prepared = sync.OnceValue(r.prepare)
	r.when = sync.OnceValues(func() (*expression, error) { return compileAt("when", r.config.When, reflect.Bool) })
	r.effect = sync.OnceValues(func() (*effect, error) { return compileEffect(&r.config) })
	return r, nil
}

type rule struct {
	hook     string
	config   Config
	deed     deed
	prepared func() error
	when     func() (*expression, error)
	effect   func() (*effect, error)
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
	if len(r.config.Programs) > 0 {
		s += " " + strings.Join(r.config.Programs, " or ")
	}
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
	t := trial{rule: r, ev: ev}
	c, holds, err := t.find()
	if err != nil {
		return trammel.Answer{}, err
	}
	if !holds {
		return trammel.Answer{}, nil
	}
	return t.answer(c)
}

// trial is one evaluation of a rule.
type trial struct {
	*rule
	ev   *trammel.Event
	line *shell.Line
	env  *environment
}

// find looks for the first command that the condition holds for; nil stands
// for no command in particular. A condition that is not about commands is
// asked once.
func (t *trial) find() (*shell.Command, bool, error) {
	p := t.config.Prefilter()
	for c := range p.Bindings(t.ev) {
		if holds, err := t.holds(c); holds || err != nil {
			return c, holds, err
		}
	}
	return nil, false, nil
}

// holds evaluates the condition for one command: first what needs no
// expression engine, and the rest only if that leaves it open.
func (t *trial) holds(c *shell.Command) (bool, error) {
	settled := t.config.Whole
	for i := range t.config.Needs {
		switch t.config.Needs[i].Holds(t.ev, c) {
		case match.No:
			return false, nil
		case match.Unclear:
			settled = false
		}
	}
	if settled {
		return true, nil
	}
	when, err := t.when()
	if err != nil {
		return false, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	v, err := t.run(when, c)
	if err != nil {
		return false, trammel.Fail(trammel.CodeError, "when: %w", err)
	}
	holds, ok := v.(bool)
	if !ok { // the last term was an argument that is not a boolean
		return false, trammel.Fail(trammel.CodeError, "when: the result is %T, expected true or false", v)
	}
	return holds, nil
}

// run evaluates an expression with program and args bound to c, and provides
// no more of the environment than it names.
func (t *trial) run(e *expression, c *shell.Command) (any, error) {
	if t.env == nil {
		t.env = environmentOf(t.ev)
	}
	if e.bound {
		t.env.bind(t.orFirst(c))
	}
	if e.commands && t.env.Commands == nil {
		t.env.fillCommands(t.shellLine())
	}
	return e.run(t.env)
}

// orFirst is what a text is about whose condition was not about a command in
// particular: the first one, or an empty one.
func (t *trial) orFirst(c *shell.Command) *shell.Command {
	switch line := t.shellLine(); {
	case c != nil:
		return c
	case len(line.Commands) > 0:
		return &line.Commands[0]
	}
	return new(shell.Command)
}

func (t *trial) shellLine() *shell.Line {
	if t.line == nil {
		t.line = shell.Of(t.ev)
	}
	return t.line
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

func parseDeed(s string) (deed, error) {
	switch d := deed(s); d {
	case deny, ask, allow, addContext, rewrite:
		return d, nil
	}
	return "", fmt.Errorf("do is %q, expected deny, ask, allow, context or rewrite", s)
}
