package rule

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
)

// Target implements trammel.Finder: the effect that the rule matches, and what
// else in the call makes its condition true.
func (r *rule) Target(ev *trammel.Event) (trammel.Target, bool) {
	e := evaluation{rule: r, ev: ev, prefilter: r.config.Prefilter()}
	hit, holds, err := e.find()
	if err != nil || !holds {
		return trammel.Target{}, false
	}
	out := trammel.Target{Doubt: hit.Doubt}
	var said []string
	note := func(t trammel.Target) {
		if t.What != "" && !slices.Contains(said, t.What) && len(said) < 4 {
			said = append(said, t.What)
		}
		out.Path, out.Command = cmp.Or(out.Path, t.Path), cmp.Or(out.Command, t.Command)
	}
	note(e.targetOf(hit))
	for _, item := range e.because(hit) {
		switch item := item.(type) {
		case match.Hit:
			note(e.targetOf(item))
		case effect:
			note(item.target())
		}
	}
	for _, text := range e.remembered() {
		note(trammel.Target{What: text})
	}
	out.What = strings.Join(said, " and ")
	return out, out.What != ""
}

// because lists what made the condition true for a hit.
func (e *evaluation) because(h match.Hit) []any {
	when, err := e.when()
	if e.config.When == "" || err != nil {
		return nil
	}
	e.bind(when, h, h.Doubt != "")
	v, items, err := when.node.Because(&e.scope)
	if v != true || err != nil {
		return nil
	}
	return items
}

// targetOf converts a hit to the engine's type.
func (e *evaluation) targetOf(h match.Hit) trammel.Target {
	t := trammel.Target{Path: h.Path, What: h.What(e.ev)}
	if h.Run >= 0 && h.Path == "" && h.Host == "" {
		t.Command = match.Line(e.orFirst(h))
	}
	return t
}

// effect is an item of a list of effects.
type effect interface{ target() trammel.Target }

func (r *ran) target() trammel.Target {
	line := match.Line(r.words.Run)
	return trammel.Target{Command: line, What: "runs " + line}
}

func (t *touched) target() trammel.Target {
	return trammel.Target{Path: t.Path, What: match.Verb(t.Op) + " " + t.Path + by(t.Program)}
}

func (n *net) target() trammel.Target {
	return trammel.Target{What: "talks to " + cmp.Or(n.Host, "an unknown host") + by(n.Program)}
}

func by(program string) string {
	if program == "" {
		return ""
	}
	return " (by " + program + ")"
}
