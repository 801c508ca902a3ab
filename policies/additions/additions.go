// Package additions has the policies that tell the model where it is: the
// date, the machine, the project, its repository and its instructions. They
// have the same names as in docker-agent (DA-50).
//
// If a host has turn_start events, context lasts for one turn, so it is added at
// each. Otherwise context stays in the conversation: then it is added when a
// session begins, which includes compacting or clearing the conversation, and
// with a later prompt only if it has changed.
package additions

import (
	"context"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
)

// addition makes the text for an event; "" if there is nothing to say.
type addition func(ctx context.Context, ev *trammel.Event) (string, error)

// changing lists the events for context that can change within a session, starting
// those for context that cannot.
var (
	changing = []trammel.Kind{trammel.TurnStart, trammel.SessionStart, trammel.UserPromptSubmit}
	starting = []trammel.Kind{trammel.SessionStart}
)

// policy declares an addition that is made from options.
func policy[O any](name, summary string, on []trammel.Kind, defaults O, build func(o O) (addition, error)) trammel.Policy {
	return option.Policy(name, trammel.Contextual, summary, defaults, func(o O, spec trammel.Spec) (trammel.Handler, error) {
		add, err := build(o)
		return &handler{name: name, add: add, once: len(on) == 1, state: spec.State}, err
	}, on...)
}

// plain declares an addition that takes no options.
func plain(name, summary string, on []trammel.Kind, add addition) trammel.Policy {
	return policy(name, summary, on, option.None{}, func(option.None) (addition, error) { return add, nil })
}

type handler struct {
	name  string
	add   addition
	state trammel.State
	once  bool // add it only when a session begins
}

// Waits returns true: disks and git take time.
func (h *handler) Waits() bool { return true }

// Handle adds the text, unless the model has it already.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if !ev.Kind.Can().Any(trammel.Inject) || !h.once && ev.Kind != trammel.TurnStart && hasTurns(ev.Host) {
		return trammel.Answer{}, nil
	}
	text, err := h.add(ctx, ev)
	if err != nil || text == "" {
		return trammel.Answer{}, err
	}
	return state.Tell(ctx, h.state, ev, text, h.once, h.name, ev.Session.Dir), nil
}

// hasTurns reports whether a host has an event for the start of a turn.
func hasTurns(host string) bool {
	h := standard.Host(host)
	return h != nil && h.Wires(trammel.TurnStart)
}
