package rule

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/sql"
	"github.com/trammel-dev/trammel/internal/expression"
)

// forAll makes sure that the rule allows everything the call does. A rule that
// allows git does not allow other programs on the line, redirected output, or
// anything unknown. A rule that allows a path or a host allows nothing else.
func (e *evaluation) forAll(first match.Hit) (match.Hit, bool, error) {
	if e.ev.Tool == nil {
		return first, true, nil
	}
	if meant, err := e.isMeant(first); err != nil || !meant {
		return first, false, e.leaves(err, "the call does more than the part that the condition is about")
	}
	if covers, err := e.coversAsked(); err != nil || !covers {
		return first, false, e.leaves(err, "something that the condition does not mention")
	}
	if s := &e.config.Match; s.About() {
		if c := match.Covered(*s); !c.Holds(e.ev) {
			return first, false, e.leaves(nil, match.Why(c, e.ev))
		}
		for _, h := range e.bindings() {
			if sure, err := e.holds(h, false); err != nil || !sure || h.Doubt != "" || !e.sole(h) {
				return first, false, e.leaves(err, h.What(e.ev)+", for which the condition is not certainly true")
			}
		}
		return first, true, nil
	}
	if !e.prefilter.Each && len(e.prefilter.Programs) == 0 {
		sole, err := e.forLine()
		if err == nil && sole {
			return first, true, nil
		}
		return first, false, e.leaves(err, "more than the one command that the condition is about")
	}
	if e.config.When != "" && len(e.config.Match.Programs) > 0 {
		if when, err := e.when(); err != nil || when.onRuns && !when.notRuns {
			return first, err == nil && e.isCommand(when, e.config.Match.Programs), err
		}
	}
	set := effects.Of(e.ev)
	if why := unreadable(set); why != "" {
		return first, false, e.leaves(nil, why)
	}
	done := match.Carriers(e.ev)
	for _, h := range e.bindings() {
		sure, err := e.holds(h, false)
		if err != nil {
			return first, false, err
		}
		if sure && h.Run >= 0 && (e.config.When == "" || !e.words(h, false).Unknown()) {
			why := match.Beyond(e.ev, h.Run, e.config.Match.Programs, e.asked())
			if done[h.Run] = why == "" && e.sole(h); why != "" {
				e.uncovered = "runs " + match.Line(&set.Runs[h.Run]) + ": " + why
			}
		}
	}
	if i := slices.Index(done, false); i >= 0 {
		return first, false, e.leaves(nil, "runs "+match.Line(&set.Runs[i]))
	}
	return first, true, nil
}

// leaves notes what part of the call an allowing rule does not cover, for explain. The first
// note counts. It returns the error.
func (e *evaluation) leaves(err error, what string) error {
	if e.uncovered == "" {
		e.uncovered = what
	}
	return err
}

// isMeant reports whether a condition about a part of a text, or about one of several places,
// describes the whole call.
func (e *evaluation) isMeant(h match.Hit) (bool, error) {
	if e.config.When == "" {
		return !e.isUnconfined(nil), nil
	}
	when, err := e.when()
	if err != nil || e.isUnconfined(when.fields) || when.lines && !match.InProject(e.ev) || !e.isWhole(when, h) {
		return false, err
	}
	for _, name := range when.fields {
		a := &e.ev.Tool.Action
		if text, ok := e.ev.Tool.Input[name].(string); ok && text != a.Command && text != a.Content && climbs(text) {
			return false, nil
		}
	}
	return e.atEachPlace(when)
}

// isUnconfined reports whether the call requests more than its command; see match.Unconfined.
func (e *evaluation) isUnconfined(asked []string) bool {
	unconfined := match.Unconfined(e.ev.Tool, asked)
	if unconfined {
		e.uncovered = "an argument that runs the command outside of the sandbox, in another shell or with other variables"
	}
	return unconfined
}

// isWhole reports whether no text says more than the part that the condition looks at.
func (e *evaluation) isWhole(when *condition, h match.Hit) bool {
	e.bind(when, h, false)
	held, whole := false, false
	for i := range when.some {
		p := &when.some[i]
		if p.of == nil {
			continue
		}
		v, err := p.of.Run(&e.scope)
		text, ok := v.(string)
		switch {
		case err != nil || !ok:
		case p.line && (p.namesOther(text) || p.end(text) >= 0 && e.talksBeyond(p)):
			return false
		case p.line:
			if (p.op == expression.StartsWith || p.op == expression.Pattern) && p.end(text) >= 0 {
				held, whole = true, whole || !p.splits(text)
			}
		case p.misleads(text), e.isLinkedOut(p, text), p.end(text) >= 0 && p.arg && (e.isOneOf(text) || e.hasOther(p)):
			return false
		}
	}
	return whole || !held
}

// isLinkedOut reports whether a path is in the folder of the condition, but a link there leads
// out of it.
func (e *evaluation) isLinkedOut(p *excerpt, text string) bool {
	end := strings.LastIndexByte(text[:max(0, p.fixed(text))], '/') + 1
	if end == 0 {
		return false
	}
	at := effects.At(e.ev)
	folder, place := effects.Resolve(at, text[:end]), effects.Resolve(at, text)
	return folder.Real != "" && place.Real != "" && !paths.Within(place.Real, folder.Real)
}

// talksBeyond reports whether the part of a command line names an address, and the call also
// contacts another host.
func (e *evaluation) talksBeyond(p *excerpt) bool {
	return strings.Contains(p.text, "://") && p.op != expression.Pattern && slices.ContainsFunc(effects.Of(e.ev).Nets, func(n model.Net) bool {
		return !strings.Contains(strings.ToLower(p.text), n.Host)
	})
}

// isOneOf reports whether a text is one of several files that the call touches.
func (e *evaluation) isOneOf(text string) bool {
	places := e.places()
	return len(places) > 1 && slices.Contains(places, effects.Resolve(effects.At(e.ev), text).Abs)
}

// hasOther reports whether the condition is about an address, and another argument is an
// address that it does not cover, such as cc in an e-mail.
func (e *evaluation) hasOther(p *excerpt) bool {
	if !strings.Contains(p.text, "@") {
		return false
	}
	for _, v := range e.ev.Tool.Input {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, v := range list {
			if text, ok := v.(string); ok && strings.Contains(text, "@") && !strings.ContainsAny(text, " \n") && p.end(text) < 0 {
				return true
			}
		}
	}
	return false
}

// places lists the files that the call touches, "" for an unknown one. The target of a link
// is listed, too.
func (e *evaluation) places() (out []string) {
	at := effects.At(e.ev)
	project := effects.Resolve(at, at.Project)
	add := func(p effects.Path) {
		name := p.Abs
		if p.Real != "" && strings.TrimPrefix(p.Real, project.Real) != strings.TrimPrefix(p.Abs, project.Abs) {
			name = p.Real
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, t := range effects.Touches(e.ev) {
		add(t.Path)
	}
	for _, name := range e.ev.Tool.Action.Paths {
		add(effects.Resolve(at, name))
	}
	return out
}

// atEachPlace makes sure that a condition on paths holds for each path alone.
func (e *evaluation) atEachPlace(when *condition) (bool, error) {
	if !when.onPath && !when.onPaths || e.config.Match.About() || e.prefilter.Each {
		return true, nil
	}
	dir := effects.Resolve(effects.At(e.ev), ".").Abs
	for _, name := range e.places() {
		if given := firstPath(e.ev); name != "" && given != "" && !path.IsAbs(filepath.ToSlash(given)) {
			if rel, err := filepath.Rel(dir, name); err == nil {
				name = filepath.ToSlash(rel)
			}
		}
		e.scope.only = name
		holds, err := e.holds(match.Hit{Run: -1, Path: name}, false)
		e.scope.only = ""
		if err != nil || !holds || name == "" {
			return false, err
		}
	}
	return true, nil
}

// isListed reports whether a condition on lists of effects covers everything the call does.
// It does not cover kinds of effects whose list it does not use, nor a second program if it
// is true for any one program. Empty lists do not matter.
func (e *evaluation) isListed(when *condition) bool {
	set := effects.Of(e.ev)
	if !when.onRunsList && !when.onFilesList && !when.onNetsList {
		return true
	}
	done := match.Carriers(e.ev)
	others := 0
	for i := range set.Runs {
		r := &set.Runs[i]
		switch {
		case done[i] || r.Data:
		case when.onRunsList:
			others++
			if !match.AsNamed(e.ev, i, []string{r.Program}, when.words) || when.anyRun && others > 1 {
				return false
			}
		case e.prefilter.Each || len(e.prefilter.Programs) > 0: // the match asks for it
		case !slices.ContainsFunc(set.Files, func(f effects.File) bool { return f.Run == i }) &&
			!slices.ContainsFunc(set.Nets, func(n model.Net) bool { return n.Run == i }):
			return false
		}
	}
	if when.onRunsList {
		return len(set.Runs) > 0
	}
	return len(set.Codes) == 0 && (when.onFilesList || len(set.Files) == 0) && (when.onNetsList || len(set.Nets) == 0) &&
		len(set.Files)+len(set.Nets) > 0
}

// sole reports whether the options in the condition have no other values:
// psql -c 'drop table x' -c 'select 1' has two.
func (e *evaluation) sole(h match.Hit) bool {
	if e.config.When == "" {
		return true
	}
	when, err := e.when()
	w := e.words(h, false)
	return err == nil && (!when.onText || e.isWhole(when, h)) && !w.Undone(when.words...) &&
		!w.Several(false, when.values...) && !w.Several(true, when.parts...) &&
		!((len(when.parts) > 0 || when.onText) && e.isDisguised(h.Run))
}

// isDisguised reports whether a program gets SQL that looks as if it only reads, but does
// more: SELECT 1 INTO x.
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

// coversAsked makes sure that a rule whose condition is about effects allows nothing unknown,
// and only the files and hosts in its condition.
func (e *evaluation) coversAsked() (bool, error) {
	if e.config.When == "" {
		return true, nil
	}
	when, err := e.when()
	if err != nil || !when.effects {
		return err == nil, err
	}
	for what := range match.Unread(effects.Of(e.ev)) {
		e.uncovered = "something unknown: " + what
		return false, nil
	}
	if when.lists && (!readable(effects.Of(e.ev)) || !e.isListed(when)) {
		return false, nil
	}
	if !when.asked.About() {
		return true, nil
	}
	c := match.Answered(when.asked)
	if c.Holds(e.ev) {
		return true, nil
	}
	e.uncovered = match.Why(c, e.ev)
	return false, nil
}

// forLine makes sure that a rule about a program, or about a part of the command line, allows
// only one command: a line that begins with npm test may continue with another command.
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
	if when.onRuns && !when.notRuns || len(when.begins()) > 0 {
		return e.isCommand(when, nil), nil
	}
	set := effects.Of(e.ev)
	sole := -1
	for i := range set.Runs {
		switch r := &set.Runs[i]; {
		case r.By >= 0:
		case match.GoesTo(e.ev, r):
		case sole >= 0 || e.isDisguised(i):
			e.uncovered = "runs " + match.Line(r)
			return false, nil
		default:
			if why := match.Beyond(e.ev, i, []string{r.Path}, when.words); why != "" {
				e.uncovered = "runs " + match.Line(r) + ": " + why
				return false, nil
			}
			sole = i
		}
	}
	e.uncovered = unreadable(set)
	return e.uncovered == "", nil
}

// readable reports whether everything that a command line does is known, and the shell itself
// does nothing: it redirects no output, and no variable replaces a program.
func readable(set *effects.Set) bool { return unreadable(set) == "" }

// unreadable says why not.
func unreadable(set *effects.Set) string {
	for what := range match.Unread(set) {
		return "something unknown: " + what
	}
	for i := range set.Files {
		if f := &set.Files[i]; f.Shell {
			return match.Verb(f.Op.String()) + " " + cmp.Or(f.Path.Abs, f.Path.Text) + " (the shell itself)"
		}
	}
	for i := range set.Nets {
		if set.Nets[i].Shell {
			return "talks to " + cmp.Or(set.Nets[i].Host, "an unknown host") + " (the shell itself)"
		}
	}
	for i := range set.Runs {
		if set.Runs[i].Replaced() {
			return "runs " + match.Line(&set.Runs[i]) + " with a variable that replaces the program"
		}
	}
	return ""
}
