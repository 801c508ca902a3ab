package option

import (
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
)

// None is for policies that take no options.
type None struct{}

// Policy declares a built-in policy: its name, what it may do, what it does in
// one line, its default options, how its handlers are
// built from them, and the events it is for. One that may do no more than
// rewrite does rewrite. The spec that it is built from has a state.
func Policy[O any](name string, may trammel.Authority, summary string, defaults O,
	build func(o O, spec trammel.Spec) (trammel.Handler, error), on ...trammel.Kind) trammel.Policy {
	p := trammel.Policy{Name: name, Summary: summary, On: on, May: may, Rewrites: may == trammel.Rewrite, Options: defaults}
	if p.Options == any(None{}) {
		p.Options = nil
	}
	p.New = func(spec trammel.Spec) (trammel.Handler, error) {
		o := defaults
		if err := Read(spec.Config, &o); err != nil {
			if p.Options == nil {
				err = fmt.Errorf("takes no options, found %.80s", spec.Config)
			}
			return nil, err
		}
		spec.State = state.Of(spec)
		return build(o, spec)
	}
	return p
}

// Guard declares a policy that judges tool calls before they run.
func Guard[O any](name, summary string, defaults O, build func(o O, spec trammel.Spec) (trammel.Handler, error)) trammel.Policy {
	return Policy(name, trammel.Guard, summary, defaults, build, trammel.PreToolUse, trammel.ToolGuard)
}

// Between is the error of a number that is not in a range.
func Between(key string, n, from, to int) error {
	if n < from || n > to {
		return &Error{Key: key, Message: fmt.Sprintf("found %d", n), Expected: fmt.Sprintf("a number from %d to %d", from, to)}
	}
	return nil
}

// AtLeast is the error of a number that is too small.
func AtLeast(key string, n, least int) error {
	if n < least {
		return &Error{Key: key, Message: fmt.Sprintf("found %d", n), Expected: fmt.Sprintf("a number from %d", least)}
	}
	return nil
}
