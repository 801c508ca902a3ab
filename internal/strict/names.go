package strict

import (
	"cmp"

	"github.com/trammel-dev/trammel"
)

// Names knows the events of one system by name: Kind in any spelling, Exact
// only as the system itself writes them.
type Names struct {
	Kind  func(name string) (trammel.Kind, bool)
	Exact func(name string) (trammel.Kind, bool)
}

// Guess settles the kind from all names that the event goes by. Where they
// disagree the kind that fails closed counts, so that doubt does not open a door.
func (n Names) Guess(ev *trammel.Event, said ...string) {
	for _, name := range said {
		if kind, ok := n.Kind(name); ok && (ev.Kind == trammel.Other || kind.FailsClosed() && !ev.Kind.FailsClosed()) {
			ev.Kind = kind
		}
		ev.Name = cmp.Or(ev.Name, name)
	}
}

// Agree refuses a payload whose event is not the one that the wiring called
// for, or only looks like one that the system knows.
func (n Names) Agree(called, said string) error {
	kind, ok := n.Exact(said)
	if other, like := n.Kind(said); like && !ok {
		return trammel.Fail(trammel.CodeInput, "found the event %q, which could be taken for %v", said, other)
	}
	if called == "" {
		return nil
	}
	if calledKind, known := n.Kind(called); calledKind != kind || !known && called != said {
		return trammel.Fail(trammel.CodeInput, "called for event %q, but the payload says %q", called, said)
	}
	return nil
}

// Call refuses what could make a tool read other arguments than we do: names
// in input that differ only in case, and, where a call is about to happen,
// characters at which some programs end a text.
func Call(obj map[string]any, input any, kind trammel.Kind) error {
	if input, ok := input.(map[string]any); ok {
		if err := FoldedTwins(input); err != nil {
			return err
		}
	}
	if kind.FailsClosed() {
		return NUL(obj)
	}
	return nil
}
