package config

import (
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
)

// judged is a rule that objects, with its condition.
type judged struct {
	*declared
	when, after string
	allows      bool // what is unknown
}

// same reports whether a rule objects to exactly the same calls.
func (o *judged) same(d *declared, r *rule.Config) bool {
	return d.decl.Allow == nil && o.when == r.When && o.after == r.After && slices.Equal(o.hook.On, d.hook.On) &&
		reflect.DeepEqual(o.hook.Match, d.hook.Match)
}

// shadowed looks for rules about calls that an earlier rule denies, or asks about as this one does.
func (l *linter) shadowed(d *declared, r *rule.Config, tools map[string]trammel.ActionKind) {
	if d.decl.Deny == nil && d.decl.Ask == nil && d.decl.Allow == nil {
		return
	}
	for _, o := range l.rules {
		later := slices.ContainsFunc(d.hook.On, func(k trammel.Kind) bool { return !slices.Contains(o.hook.On, k) })
		word, says := "denies", o.decl.Deny != nil
		if d.decl.Ask != nil && o.decl.Ask != nil {
			word, says = "asks about", true
		}
		overlaps := o.same(d, r) && (r.When != "" || o.decl.Deny == nil)
		if says && !later && o.after == "" && !o.allows && !overlaps && condition.Demands(r.When, o.when) &&
			condition.Outdoes(&o.hook.Match, &d.hook.Match, tools) {
			l.add(d, mark{}, "shadowed", "", "hook %q (%s) already %s everything that it matches", o.hook.ID, o.hook.Source, word)
			return
		}
	}
}

// facts looks for facts of hooks that do not exist.
func (l *linter) facts(d *declared, at mark, when string) {
	for _, id := range condition.FactsOf(when) {
		var ids []string
		for _, other := range l.decls {
			ids = append(ids, other.hook.ID)
		}
		if !slices.Contains(ids, id) {
			l.add(d, at, "never-matches", "", "no hook %q computes facts%s", id, didYouMean(id, ids))
		}
	}
}

// overlap looks for rules that object to exactly the same calls.
func (l *linter) overlap(d *declared, r *rule.Config) {
	if d.decl.Deny == nil && d.decl.Ask == nil || d.hook.Trial {
		return
	}
	shadowed := len(l.found) > 0 && l.found[len(l.found)-1].Code == "shadowed" && l.found[len(l.found)-1].Hook == d.hook.ID
	if i := slices.IndexFunc(l.rules, func(o judged) bool { return o.same(d, r) }); i >= 0 && !shadowed {
		l.add(d, mark{}, "overlap", "keep one of the two", "hook %q (%s) objects to the same calls", l.rules[i].hook.ID, l.rules[i].hook.Source)
	}
	l.rules = append(l.rules, judged{d, r.When, r.After, r.Unknown == "allow"})
}

// longTrial is how long a file with a hook on trial may stay unchanged.
const longTrial = 30 * 24 * time.Hour

// stale looks for hooks that are still on trial, in a file that has not been
// changed for a long time.
func (l *linter) stale(d *declared) {
	if !d.hook.Trial || !d.has(&d.decl.Trial) {
		return
	}
	if info, err := os.Stat(d.file.Path); err == nil && time.Since(info.ModTime()) > longTrial {
		l.add(d, d.at(&d.decl.Trial), "trial-stale", "read trammel report trial, then remove trial, or the hook",
			"it is on trial, but the file has not changed for %d days", int(time.Since(info.ModTime())/(24*time.Hour)))
	}
}
