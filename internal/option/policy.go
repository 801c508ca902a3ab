package option

import (
	"fmt"

	"github.com/trammel-dev/trammel"
)

// None is for policies that take no options.
type None struct{}

// Policy declares a built-in policy: its name, what it may do, what it does in
// one line, its options as they are where nothing is set, how its handlers are
// built from them, and the events it is for. One that may do no more than
// rewrite does rewrite.
func Policy[O any](name string, may trammel.Authority, summary string, defaults O,
	build func(o O, spec trammel.Spec) (trammel.Handler, error), on ...trammel.Kind) trammel.Policy {
	p := trammel.Policy{Name: name, Summary: summary, On: on, May: may, Rewrites: may == trammel.Rewrite, Options: defaults}
	if p.Options == any(None{}) {
		p.Options = nil
	}
	p.New = func(spec trammel.Spec) (trammel.Handler, error) {
		if p.Options == nil && spec.Config != nil {
			return nil, fmt.Errorf("takes no options, found %.80s", spec.Config)
		}
		o := defaults
		if err := Read(spec.Config, &o); err != nil {
			return nil, err
		}
		return build(o, spec)
	}
	return p
}
