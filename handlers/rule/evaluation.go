package rule

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/sql"
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

// forAll makes sure that the rule allows everything the call does. A rule that
// allows git does not allow other programs on the line, redirected output, or
// anything unknown. A rule that allows a path or a host allows nothing else.
func (e *evaluation) forAll(first match.Hit) (match.Hit, bool, error) {
	if e.ev.Tool == nil {
		return first, true, nil
	}
	if s := &e.config.Match; s.About() {
		if !match.Covered(*s).Holds(e.ev) {
			return first, false, nil
		}
		for _, h := range e.bindings() {
			if sure, err := e.holds(h, false); err != nil || !sure || h.Doubt != "" {
				return first, false, err
			}
		}
		return first, true, nil
	}
	if covers, err := e.coversAsked(); err != nil || !covers {
		return first, false, err
	}
	if !e.prefilter.Each && len(e.prefilter.Programs) == 0 {
		sole, err := e.forLine()
		return first, sole, err
	}
	set := effects.Of(e.ev)
	if !readable(set) {
		return first, false, nil
	}
	done := match.Carriers(e.ev)
	for _, h := range e.bindings() {
		sure, err := e.holds(h, false)
		if err != nil {
			return first, false, err
		}
		if sure && h.Run >= 0 && (e.config.When == "" || !e.words(h, false).Unknown()) {
			done[h.Run] = match.AsNamed(e.ev, h.Run, e.config.Match.Programs, e.asked()) && e.sole(h)
		}
	}
	return first, !slices.Contains(done, false), nil
}

// sole reports whether the values that the condition asks for are all that is given:
// psql -c 'drop table x' -c 'select 1' has two.
func (e *evaluation) sole(h match.Hit) bool {
	if e.config.When == "" {
		return true
	}
	when, err := e.when()
	w := e.words(h, false)
	return err == nil && !w.Several(false, when.values...) && !w.Several(true, when.parts...) &&
		!((len(when.parts) > 0 || when.onText) && e.isDisguised(h.Run))
}

// isDisguised reports whether a program is given SQL that begins as if it only read, and
// does more: SELECT 1 INTO x.
func (e *evaluation) isDisguised(run int) bool {
	return slices.ContainsFunc(effects.Of(e.ev).Codes, func(c model.Code) bool {
		return c.Run == run && c.Language == "sql" && sql.Disguised(c.Text)
	})
}

// asked are the words that the condition asks for.
func (e *evaluation) asked() []string {
	if e.config.When == "" {
		return nil
	}
	when, err := e.when()
	if err != nil {
		return nil
	}
	return when.words
}

// coversAsked makes sure that a rule whose condition is about effects allows nothing of
// which that is not known, and no files and hosts but those that it asks for.
func (e *evaluation) coversAsked() (bool, error) {
	if e.config.When == "" {
		return true, nil
	}
	when, err := e.when()
	if err != nil || !when.effects {
		return err == nil, err
	}
	for range match.Unread(effects.Of(e.ev)) {
		return false, nil
	}
	if when.lists && !readable(effects.Of(e.ev)) {
		return false, nil
	}
	return !when.asked.About() || match.Answered(when.asked).Holds(e.ev), nil
}

// forLine makes sure that a rule about a program that runs, or about a part of the command
// line, allows only one command: what begins with npm test may go on with another one.
func (e *evaluation) forLine() (bool, error) {
	if e.config.When == "" {
		return true, nil
	}
	when, err := e.when()
	if err != nil {
		return false, err
	}
	for _, name := range when.inputs {
		if text, ok := e.ev.Tool.Input[name].(string); ok && sql.Disguised(text) {
			return false, nil
		}
	}
	if !when.onLine && !when.onRuns {
		return true, nil
	}
	set := effects.Of(e.ev)
	sole := -1
	for i := range set.Runs {
		switch r := &set.Runs[i]; {
		case r.By >= 0:
		case match.GoesTo(e.ev, r):
		case sole >= 0 || !match.AsNamed(e.ev, i, []string{r.Path}, when.words) || e.isDisguised(i):
			return false, nil
		default:
			sole = i
		}
	}
	return readable(set), nil
}

// readable reports whether all is known that a command line does, and the shell itself does
// nothing: it sends no output somewhere, and no variable makes a program another one.
func readable(set *effects.Set) bool {
	for range match.Unread(set) {
		return false
	}
	return !slices.ContainsFunc(set.Files, func(f effects.File) bool { return f.Shell }) &&
		!slices.ContainsFunc(set.Nets, func(n model.Net) bool { return n.Shell }) && !slices.ContainsFunc(set.Runs, model.Run.Replaced)
}

func (e *evaluation) words(h match.Hit, loose bool) match.Words { return match.WordsOf(e.ev, h, loose) }

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
	return e.isTrue("when", e.when, h, loose)
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
	if s.loose != loose {
		s.lists = nil
	}
	s.ev, s.path, s.loose = e.ev, h.Path, loose
	if h.Path == "" {
		s.path = firstPath(e.ev)
	}
	if c.bound {
		s.words = e.words(h, loose)
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
