// Package additions are the policies that tell the model where it is: the
// date, the machine, the project, its repository and its instructions. They go
// by the names that docker-agent gives them (DA-50).
//
// Where a host has turns of its own (turn_start), what is said there lasts for
// one turn, so it is said at each. Elsewhere what was said stays in the
// conversation: then it is said when a session begins, which it also does after
// the conversation was compacted or cleared, and with a later prompt only if it
// has changed.
package additions

import (
	"context"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
)

// addition makes the text of an event. "" is nothing to say.
type addition func(ctx context.Context, ev *trammel.Event) (string, error)

// changing are the events of what can change within a session, starting of
// what cannot.
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
	once  bool // it is said when a session begins, and that is all
}

// Waits reports true: disks, and git, take their time.
func (h *handler) Waits() bool { return true }

// Handle says it, unless it has been said.
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

// hasTurns reports whether a host tells when a turn begins.
func hasTurns(host string) bool {
	h := standard.Host(host)
	return h != nil && h.Wires(trammel.TurnStart)
}
