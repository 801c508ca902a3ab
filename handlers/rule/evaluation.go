package rule

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
)

// evaluation is one evaluation of a rule.
type evaluation struct {
	*rule
	ev        *trammel.Event
	prefilter match.Prefilter
	scope     scope
	// varies is true once a term was evaluated whose value may depend on
	// something unknown.
	varies bool
	hits   []match.Hit // see bindings
	// uncovered is what an allowing rule, whose condition holds, leaves uncovered.
	uncovered string
}

// bindings are the effects for which the condition is evaluated, certain ones
// first. Most conditions are about no effect in particular, and are evaluated
// once.
func (e *evaluation) bindings() []match.Hit {
	switch {
	case e.hits != nil:
	case e.prefilter.Empty() && !e.prefilter.Each:
		e.hits = unbound[:]
	default:
		e.hits = slices.Collect(e.prefilter.Bindings(e.ev))
	}
	return e.hits
}

var unbound = [...]match.Hit{{Run: -1}}

// find looks for the first effect that the rule matches. If it certainly
// matches none, and doubt counts, it looks for one that it may match; then the
// hit says what is unknown.
func (e *evaluation) find() (match.Hit, bool, error) {
	unsure := false
	for _, h := range e.bindings() {
		if unsure = h.Doubt != ""; unsure {
			break
		}
		if holds, err := e.holds(h, false); err != nil {
			return h, false, err
		} else if holds {
			if e.verb == allow {
				return e.forAll(h)
			}
			return h, true, nil
		}
	}
	if !e.prefilter.Doubt || !unsure && !e.varies {
		return match.Hit{}, false, nil
	}
	for _, h := range e.bindings() {
		if holds, err := e.holds(h, true); err != nil || holds {
			if h.Doubt == "" {
				h.Doubt = e.doubt(h)
			}
			return h, holds, err
		}
	}
	return match.Hit{}, false, nil
}

// doubt says what is unknown about an effect that the rule may match.
func (e *evaluation) doubt(h match.Hit) string {
	set := effects.Of(e.ev)
	if h.Run >= 0 {
		return "the arguments of " + match.Line(&set.Runs[h.Run])
	}
	for i := range set.Doubts {
		return set.Doubts[i].Code + " " + set.Doubts[i].What
	}
	return "what the call does"
}

func (e *evaluation) words(h match.Hit, loose bool) match.Words {
	w := match.WordsOf(e.ev, h, loose)
	w.Wide = e.verb != allow
	return w
}

// holds evaluates the conditions for one effect, the one on the past last. With
// loose, an unknown value counts as any possible value.
func (e *evaluation) holds(h match.Hit, loose bool) (bool, error) {
	holds, err := e.fits(h, loose)
	if !holds || err != nil || e.config.After == "" {
		return holds, err
	}
	e.varies = true
	return e.isTrue("after", e.after, h, loose)
}

// fits evaluates the condition for one effect: first the terms that need no
// expression engine, and the rest only if those do not decide.
func (e *evaluation) fits(h match.Hit, loose bool) (bool, error) {
	w := e.words(h, loose)
	switch e.prefilter.Possible(e.ev, w) {
	case match.No:
		e.varies = e.varies || e.prefilter.Each
		return false, nil
	case match.Yes:
		if e.config.Whole {
			return true, nil
		}
	}
	when, err := e.when()
	if err != nil {
		return false, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	e.varies = e.varies || when.bound || when.effects || when.onPath || when.past
	if loose && e.open(when, h, w) {
		return true, nil
	}
	if holds, err := e.isTrue("when", e.when, h, loose); holds || err != nil || e.verb == allow || len(when.values) == 0 {
		return holds, err
	}
	defer func() { e.scope.turn = 0 }()
	for n := w.Turns(when.values...); n > 1; n-- { // -i prod -i staging: both are meant
		e.scope.turn = n - 1
		if holds, err := e.isTrue("when", e.when, h, loose); holds || err != nil {
			return holds, err
		}
	}
	return false, nil
}

// isTrue evaluates the condition at a place of the declaration.
func (e *evaluation) isTrue(where string, load func() (*condition, error), h match.Hit, loose bool) (bool, error) {
	c, err := load()
	if err != nil {
		return false, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	v, err := e.run(c, h, loose)
	if err != nil {
		return false, trammel.Fail(trammel.CodeError, "%s: %w", where, err)
	}
	holds, ok := v.(bool)
	if !ok { // the last term was an argument that is not a boolean
		return false, trammel.Fail(trammel.CodeError, "%s: the result is %T, expected true or false", where, v)
	}
	return holds, nil
}

// open reports whether the expression compares something unknown as text: an
// argument, the name of a program.
func (e *evaluation) open(when *condition, h match.Hit, w match.Words) bool {
	unknown := w.Loose && (w.Run == nil || w.Run.Program == "")
	switch {
	case when.onProgram && unknown, when.onArgs && (unknown || w.Loose && w.Unknown()), when.onPath && h.Doubt != "":
		return true
	case when.lists && e.ev.Tool != nil:
		for range match.Unread(effects.Of(e.ev)) {
			return true
		}
	}
	return false
}

// run evaluates an expression with program, args and path bound to an effect.
func (e *evaluation) run(c *condition, h match.Hit, loose bool) (any, error) {
	e.bind(c, h, loose)
	return c.node.Run(&e.scope)
}

// bind sets program, args and path of an expression to those of an effect.
func (e *evaluation) bind(c *condition, h match.Hit, loose bool) {
	s := &e.scope
	if s.loose != loose || s.of != c {
		s.lists = nil
	}
	s.of = c
	s.ev, s.path, s.loose = e.ev, h.Path, loose
	if h.Path == "" {
		s.path = firstPath(e.ev)
	}
	if c.bound {
		s.words = e.words(h, loose)
		s.words.Turn = s.turn
		if s.words.Run == nil && !h.Blind {
			s.words.Run = e.orFirst(h)
		}
	}
}

// orFirst returns the program for a text whose condition is not about a
// particular program: the first one, or none.
func (e *evaluation) orFirst(h match.Hit) *effects.Run {
	if e.ev.Tool == nil {
		return new(effects.Run)
	}
	switch set := effects.Of(e.ev); {
	case h.Run >= 0:
		return &set.Runs[h.Run]
	case len(set.Runs) > 0 && e.prefilter.Empty() && !h.Blind:
		return &set.Runs[0]
	}
	return new(effects.Run)
}

func firstPath(ev *trammel.Event) string {
	if ev.Tool == nil || len(ev.Tool.Action.Paths) == 0 {
		return ""
	}
	return ev.Tool.Action.Paths[0]
}
