package rule

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/expression"
)

// isCommand reports whether a call is exactly one command that a condition names with runs. What
// the command itself starts belongs to it (npm test), other commands do not (sh -c "npm test;
// curl x"). names are those of the match, if it has any.
func (e *evaluation) isCommand(when *condition, names []string) bool {
	set := effects.Of(e.ev)
	if e.uncovered = unreadable(set); e.uncovered != "" {
		return false
	}
	carries := match.Carriers(e.ev)
	covers := func(run int, name string, words ...string) bool {
		e.uncovered = ""
		if why := e.beside(set, run, carries); why != "" {
			e.uncovered = "runs " + why
		} else if match.IsAnother(&set.Runs[run], words) {
			e.uncovered = "runs " + match.Line(&set.Runs[run]) + ": a different sub-command from the one in the condition"
		} else if why := match.Beyond(e.ev, run, []string{name}, when.words); why != "" || e.isDisguised(run) {
			e.uncovered = "runs " + match.Line(&set.Runs[run]) + ": " + cmp.Or(why, "its SQL does more than its beginning suggests")
		}
		return e.uncovered == ""
	}
	for _, asked := range when.ran {
		for h := range allRuns(e.ev, asked, false) {
			if h.Run >= 0 && h.Doubt == "" && (len(names) == 0 || runsOne(e, h.Run, names)) && covers(h.Run, asked[0], asked[1:]...) {
				return true
			}
		}
	}
	e.uncovered = cmp.Or(e.uncovered, "something other than the command in the condition")
	return slices.ContainsFunc(when.begins(), func(text string) bool {
		for i := range set.Runs {
			if strings.HasPrefix(match.Line(&set.Runs[i]), text) && covers(i, set.Runs[i].Program) {
				return true
			}
		}
		return false
	})
}

// begins lists the commands that a condition looks for anywhere in the command line: command
// contains "npm test".
func (c *condition) begins() (out []string) {
	for i := range c.some {
		p := &c.some[i]
		if p.line && p.op == expression.Contains && !c.nots && p.text != "" && isLetter(p.text[0]) && strings.Contains(p.text, " ") {
			out = append(out, p.text)
		}
	}
	return out
}

// runsOne reports whether a run is one of the programs of the match, or is started by one.
func runsOne(e *evaluation, run int, names []string) bool {
	spec := match.Spec{Programs: names}
	set := effects.Of(e.ev)
	for h := range spec.Hits(e.ev) {
		for i := run; i >= 0 && h.Doubt == ""; i = set.Runs[i].By {
			if i == h.Run {
				return true
			}
		}
	}
	return false
}

// beside finds a run that does not belong to the command, "" if there is none: the command did
// not start it, and it does more than start the command.
func (e *evaluation) beside(set *effects.Set, command int, carries []bool) string {
	var above []int
	for i := set.Runs[command].By; i >= 0; i = set.Runs[i].By {
		above = append(above, i)
	}
	for i := range set.Runs {
		within := i
		for within >= 0 && within != command {
			within = set.Runs[within].By
		}
		r := &set.Runs[i]
		if within == command || match.GoesTo(e.ev, r) || carries[i] && (slices.Contains(above, i) || r.From >= 0) {
			continue
		}
		return match.Line(r)
	}
	return ""
}
