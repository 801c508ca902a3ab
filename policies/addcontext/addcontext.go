// Package addcontext is the policy add_context: texts for the model with
// placeholders for parts of the event (DA-50). Templates are too expensive for
// the hot program, so only the full one links it.
package addcontext

import (
	"context"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/template"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("add_context", trammel.Contextual, "gives the model a text with placeholders for values of the event",
		Options{}, build, trammel.SessionStart, trammel.UserPromptSubmit)
}

// Options are the policy's options.
type Options struct {
	Templates []string `json:"templates,omitempty" jsonschema:"Go templates over the event, joined by line breaks."`
	Repeat    bool     `json:"repeat,omitempty" jsonschema:"Say it each time, and not only when it has changed."`
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	h := &handler{Options: o, state: spec.State}
	if len(h.Templates) == 0 {
		return nil, &option.Error{Key: "templates", Message: "there is nothing to say", Expected: "a template or a list of them"}
	}
	for i, text := range h.Templates {
		t, err := template.New(text)
		if err != nil {
			return nil, &option.Error{Key: fmt.Sprintf("templates[%d]", i), Message: err.Error()}
		}
		h.templates = append(h.templates, t)
	}
	return h, nil
}

type handler struct {
	Options
	templates []*template.Template
	state     trammel.State
}

// Waits returns true: what the session was told is on disk.
func (h *handler) Waits() bool { return true }

// Handle adds the text, unless the session has it already. A template that names
// something the event does not have is a failure.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if !ev.Kind.Can().Any(trammel.Inject) {
		return trammel.Answer{}, nil
	}
	var lines []string
	for _, t := range h.templates {
		line, err := t.Write(ev, template.Values{})
		if err != nil {
			return trammel.Answer{}, err
		}
		lines = append(lines, line)
	}
	text := strings.Join(lines, "\n")
	if strings.TrimSpace(text) == "" {
		return trammel.Answer{}, nil
	}
	return state.Tell(ctx, h.state, ev, text, h.Repeat, "add_context", h.Templates...), nil
}
