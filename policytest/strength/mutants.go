package strength

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

// Kind is what was changed in a rule.
type Kind string

// The kinds of changes.
const (
	DropHook      Kind = "drop-hook"
	DropCondition Kind = "drop-condition" // a part of when, or all of it
	Negate        Kind = "negate"         // an operand of when
	DropAfter     Kind = "drop-after"
	DropKey       Kind = "drop-key"   // of match
	DropValue     Kind = "drop-value" // of a list in match
	Widen         Kind = "widen"      // a glob in match
	DenyToAsk     Kind = "deny-to-ask"
)

// mutant is a hook that was changed in one place.
type mutant struct {
	kind   Kind
	line   int
	change string     // in words
	hook   *plan.Hook // nil if it is left out
	// wanted is a call by which the change would show. It fires if the hook is to
	// say something about it, and then the changed hook does not.
	wanted string
	fires  bool
	value  *config.Value // that the call has to do with, if it is one
}

// mutants are the changes of a hook that tests could notice.
func (h *hook) mutants() ([]mutant, error) {
	if h.plan.Trial || h.plan.May <= trammel.Observe {
		return nil, nil // whatever it says, nothing comes of it
	}
	out := []mutant{{kind: DropHook, line: h.text.Source.Line, change: "the hook is gone",
		wanted: "a call that the hook should answer", fires: true}}
	r, isRule := full.RuleOf(&h.plan)
	var err error
	add := func(m mutant, changed plan.Hook, r rule.Config) {
		if isRule && err == nil {
			changed, err = full.WithRule(changed, r)
		}
		m.hook = &changed
		out = append(out, m)
	}
	if r.Do == "deny" {
		asks := r
		asks.Do = "ask"
		add(mutant{kind: DenyToAsk, line: h.text.Source.Line, change: "it asks, and does not deny", wanted: "a call that is denied",
			fires: true}, h.plan, asks)
	}
	for _, m := range h.matchMutants() {
		changed, rule := h.plan, r
		changed.Match = m.match
		rule.Match = m.match.Spec()
		add(m.mutant, changed, rule)
	}
	if r.After != "" {
		always := r
		always.After = ""
		add(mutant{kind: DropAfter, line: h.text.Source.Line, change: "after is gone",
			wanted: "the same call in a session that has not done before what after names"}, h.plan, always)
	}
	if r.When == "" || err != nil {
		return out, err
	}
	conditions, err := condition.Mutants(r.When)
	if err != nil {
		return nil, err
	}
	for _, c := range conditions {
		m := mutant{kind: DropCondition, line: h.text.WhenLine(c.Line, c.Column), change: "left out: " + c.Text}
		switch {
		case c.Negated:
			m.kind, m.change, m.fires = Negate, "negated: "+c.Text, true
			m.wanted = "a call where only this makes the difference: " + c.Text
		case c.Stricter:
			m.fires, m.wanted = true, "a call for which this holds, and nothing else of the condition would do: "+c.Text
		default:
			m.wanted = "a call that meets everything except: " + c.Text
		}
		changed := r
		changed.When = c.Source
		add(m, h.plan, changed)
	}
	return out, err
}

type matchMutant struct {
	mutant
	match plan.Match
}

// matchMutants are the changes of the match.
func (h *hook) matchMutants() []matchMutant {
	var out []matchMutant
	add := func(m mutant, match plan.Match) { out = append(out, matchMutant{m, match}) }
	values := h.text.Match
	for i := range values {
		v := &values[i]
		others := slices.Delete(slices.Clone(values), i, i+1)
		others = slices.DeleteFunc(others, func(o config.Value) bool { return o.Key != v.Key })
		if i == 0 || values[i-1].Key != v.Key {
			add(mutant{kind: DropKey, line: v.Line, change: "match." + v.Key + " is gone",
				wanted: "a call that differs only in its " + v.Key}, filtered(h.plan.Match, v.Key, func(string) bool { return false }))
		}
		if len(others) > 0 {
			m := mutant{kind: DropValue, line: v.Line, change: "match." + v.Key + " without " + v.Text, fires: !excludes(*v), value: v,
				wanted: "a call that matches because of match." + v.Key + ": " + v.Text}
			if !m.fires {
				m.wanted = "a call that does not match because of match." + v.Key + ": " + v.Text
			}
			add(m, filtered(h.plan.Match, v.Key, func(value string) bool { return !slices.Contains(v.Means, value) || meant(others, value) }))
		}
		if wider, ok := widened(*v); ok && (len(others) > 0 || wider != "*") {
			match := filtered(h.plan.Match, v.Key, func(value string) bool { return !slices.Contains(v.Means, value) || meant(others, value) })
			list := listOf(&match, v.Key)
			*list = append([]string{wider}, *list...)
			if match.Like != nil {
				match.Like = append([]trammel.ActionKind{trammel.OtherAction}, match.Like...)
			}
			add(mutant{kind: Widen, line: v.Line, change: "match." + v.Key + ": " + v.Text + " is " + wider,
				wanted: "a call that matches " + wider + " and not " + v.Text}, match)
		}
	}
	return out
}

func meant(values []config.Value, name string) bool {
	return slices.ContainsFunc(values, func(v config.Value) bool { return slices.Contains(v.Means, name) })
}
