// Package maxiterations is the policy max_iterations: it limits the calls of the
// model within one run (DA-50).
package maxiterations

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("max_iterations", trammel.Guard, "denies further model calls once a run has made a set number of them",
		options{}, build, trammel.BeforeLLMCall)
}

type options struct {
	Max int `json:"max,omitempty" jsonschema:"How many calls of the model a run may make; it must be set."`
}

func build(o options, _ trammel.Spec) (trammel.Handler, error) {
	if o.Max <= 0 {
		return nil, &option.Error{Key: "max", Message: fmt.Sprintf("found %d", o.Max),
			Expected: "how many calls of the model a run may make, at least 1"}
	}
	return o, nil
}

// Explain says what it limits.
func (o options) Explain() string {
	return fmt.Sprintf("at most %d calls of the model in a run", o.Max)
}

// Handle uses the host's own count, so nothing has to be stored.
func (o options) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Model == nil || ev.Model.Iteration <= o.Max {
		return trammel.Answer{}, nil
	}
	return trammel.Answer{
		Decision: trammel.Deny,
		Reason: fmt.Sprintf("This run has called the model %d times, and %d is the limit. Say what is done and what is left; a new prompt "+
			"starts a new run.", ev.Model.Iteration-1, o.Max),
		Findings: []trammel.Finding{{Code: "max_iterations", Severity: "warning", Target: ev.Session.Model}},
	}, nil
}
