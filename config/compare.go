package config

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

// Change is a hook or a setting that is different in two configurations.
type Change struct {
	Bundle string `json:"bundle,omitempty"` // its name, without a version
	Hook   string `json:"hook"`             // the id, or "settings"
	What   string `json:"what"`             // added, removed or changed
	Effect Effect `json:"effect"`           // as far as it is known
	Why    string `json:"why"`
	ID     string `json:"-"` // of the hook, as records name it
}

// Effect says whether a change lets more or less through.
type Effect string

// The effects of a change.
const (
	Neutral  Effect = "neutral" // only texts
	Tightens Effect = "tightens"
	Unclear  Effect = "unknown"
	Loosens  Effect = "loosens"
)

// effect returns the effect, and the reason in words.
func (c *Change) effect() string {
	switch c.Effect {
	case Unclear:
		return "may loosen or tighten (" + c.Why + ")"
	case Neutral:
		return "neither loosens nor tightens (" + c.Why + ")"
	}
	return string(c.Effect) + " (" + c.Why + ")"
}

// Compare says which hooks are different after a change, and whether it
// tightens or loosens (TEAM-17). Whatever is not obvious is unknown.
func Compare(before, after *layers.Set, reg Registry) ([]Change, error) {
	var sides [2]map[place]*declared
	var settings [2]plan.Settings
	var signers [2]map[place][]string
	for i, set := range []*layers.Set{before, after} {
		c, err := compile(set, reg)
		if err != nil {
			return nil, err
		}
		settings[i], signers[i] = c.out.Settings, c.signers
		sides[i] = map[place]*declared{}
		for _, d := range c.decls {
			if d.entry.Declared != "" && (d.entry.Kept() || d.replaced == nil) {
				sides[i][place{layer: d.file.Layer, dir: d.file.Dir, id: d.entry.Declared, bundle: d.bundleName()}] = d
			}
		}
	}
	old, now := sides[0], sides[1]
	var out []Change
	for key, n := range now {
		if old[key] == nil {
			out = append(out, n.appears("added", Tightens, Loosens))
		} else if c, differs := old[key].become(n); differs {
			out = append(out, c)
		}
	}
	for key, o := range old {
		if now[key] == nil {
			out = append(out, o.appears("removed", Loosens, Tightens))
		}
	}
	out = append(out, keyChanges(signers[0], signers[1])...)
	slices.SortFunc(out, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Bundle, b.Bundle), cmp.Compare(a.Hook, b.Hook), cmp.Compare(a.ID, b.ID), cmp.Compare(a.What, b.What))
	})
	if names := settings[0].Differences(&settings[1]); len(names) > 0 { // only a person can judge what they mean
		out = append(out, Change{Hook: "settings", What: "changed", Effect: Unclear, Why: strings.Join(names, ", ")})
	}
	return out, nil
}

// keyChanges lists the bundles whose keys have changed: the owner of a key decides what the rules say.
func keyChanges(before, after map[place][]string) (out []Change) {
	for at, now := range after {
		old, known := before[at]
		if !known || slices.Equal(old, now) {
			continue
		}
		effect := Unclear
		if unsigned := slices.Contains(now, ""); unsigned && !slices.Contains(old, "") {
			effect = Loosens
		} else if !unsigned && slices.Contains(old, "") {
			effect = Tightens
		}
		out = append(out, Change{Bundle: at.bundle, Hook: "key", What: "changed", Effect: effect,
			Why: "who signs it: " + bundles.KeyNames(old) + " is now " + bundles.KeyNames(now)})
	}
	return out
}

func (d *declared) bundleName() string {
	name, _, _ := strings.Cut(d.bundle, "@")
	return name
}

// appears returns the change for a hook that only one side has.
func (d *declared) appears(what string, guards, grants Effect) Change {
	c := Change{Bundle: d.bundleName(), Hook: d.entry.Declared, What: what, Effect: Unclear, Why: "it may " + d.hook.May.String(),
		ID: d.hook.ID}
	switch {
	case !d.active():
		c.Effect, c.Why = Neutral, "it is not in force"
	case d.hook.May == trammel.Grant:
		c.Effect = grants
	case d.hook.May == trammel.Guard && d.form.key != "allow":
		c.Effect = guards
	}
	return c
}

// active reports whether the hook's answers have an effect.
func (d *declared) active() bool { return d.entry.Kept() && !d.hook.Trial }

// votes are the reasons why a change tightens or loosens.
type votes struct {
	effect Effect
	why    []string
}

var weight = []Effect{Neutral, Tightens, Unclear, Loosens}

// add records a vote. The most serious one wins: a change that loosens anything loosens.
func (v *votes) add(e Effect, why string) {
	if slices.Index(weight, e) > slices.Index(weight, v.effect) {
		v.effect = e
	}
	if !slices.Contains(v.why, why) {
		v.why = append(v.why, why)
	}
}

// more adds a vote for a property that only one side has.
func (v *votes) more(before, after bool, fewer, more Effect, why string) {
	switch {
	case before && !after:
		v.add(fewer, why)
	case after && !before:
		v.add(more, why)
	}
}

// become compares a hook with what it is after the change.
func (d *declared) become(n *declared) (Change, bool) {
	v := votes{effect: Neutral}
	wider, narrower := Tightens, Loosens
	if d.hook.May == trammel.Grant || n.hook.May == trammel.Grant {
		wider, narrower = Loosens, Tightens
	}
	v.more(d.active(), n.active(), narrower, wider, "whether it is in force")
	if d.hook.May != n.hook.May {
		e := Unclear
		if n.hook.May == trammel.Grant || n.hook.May < trammel.Guard && d.hook.May == trammel.Guard {
			e = Loosens
		}
		v.add(e, "what it may do")
	}
	if d.form.key != n.form.key {
		e, plain := map[string]Effect{"deny ask": Loosens, "ask deny": Tightens, "deny approve": Loosens,
			"approve deny": Tightens}[d.form.key+" "+n.form.key]
		if !plain {
			e = Unclear
		}
		v.add(e, "what it says: "+d.form.key+" is now "+n.form.key)
	}
	if !slices.Equal(d.hook.On, n.hook.On) {
		v.scope(condition.Includes(d.hook.On, n.hook.On), condition.Includes(n.hook.On, d.hook.On), wider, narrower, "its events")
	}
	if !reflect.DeepEqual(d.hook.Match, n.hook.Match) {
		a, b := d.hook.Match, n.hook.Match
		a.Doubt, b.Doubt = false, false
		v.scope(condition.Covers(&b, &a), condition.Covers(&a, &b), wider, narrower, "what it matches")
		v.more(d.hook.Match.Doubt, n.hook.Match.Doubt, narrower, wider, "what happens when the effect is unknown")
	}
	v.config(d, n, wider, narrower)
	if before, after := exceptionsOf(d), exceptionsOf(n); !slices.Equal(before, after) {
		lacks := func(list []string) func(string) bool { return func(x string) bool { return !slices.Contains(list, x) } }
		v.scope(!slices.ContainsFunc(before, lacks(after)), !slices.ContainsFunc(after, lacks(before)), narrower, wider, "its exceptions")
	}
	blocks := func(d *declared) bool {
		return d.hook.OnError == trammel.BlockOnError || d.hook.OnError == trammel.DefaultOnError
	}
	v.more(blocks(d), blocks(n), Loosens, Tightens, "what a failure means")
	v.more(d.decl.Overridable, n.decl.Overridable, Tightens, Loosens, "whether extending files may replace it")
	v.more(d.hook.Yields, n.hook.Yields, Tightens, Loosens, "whether a person may let a call pass")
	if d.profile != n.profile {
		v.more(d.profile < n.profile, d.profile > n.profile, narrower, wider, "the profile that it needs")
	}
	if d.hook.Timeout != n.hook.Timeout || d.hook.Priority != n.hook.Priority || d.hook.Dialect != n.hook.Dialect {
		v.add(Unclear, "how it runs")
	}
	c := Change{Bundle: n.bundleName(), Hook: n.entry.Declared, What: "changed", Effect: v.effect, Why: strings.Join(v.why, "; "),
		ID: n.hook.ID}
	return c, len(v.why) > 0
}

// exceptionsOf returns the exceptions from a hook in a comparable form, in any order.
func exceptionsOf(d *declared) (out []string) {
	for _, x := range d.hook.Except {
		x.Source = trammel.Source{}
		out = append(out, fmt.Sprintf("%+v", x))
	}
	slices.Sort(out)
	return out
}

// scope adds a vote for two lists, if one includes the other.
func (v *votes) scope(holdsOld, heldByOld bool, wider, narrower Effect, why string) {
	switch v.more(holdsOld, heldByOld, wider, narrower, why); {
	case holdsOld && heldByOld: // the same in another order
		v.add(Neutral, why)
	case !holdsOld && !heldByOld:
		v.add(Unclear, why)
	}
}

// config compares the settings of the handlers.
func (v *votes) config(d, n *declared, wider, narrower Effect) {
	if bytes.Equal(d.ready, n.ready) {
		return
	}
	a, errA := rule.Read(d.ready)
	b, errB := rule.Read(n.ready)
	if d.form.kind != "rule" || n.form.kind != "rule" || errA != nil || errB != nil {
		v.add(Unclear, "its options")
		return
	}
	if a.Reason != b.Reason {
		v.add(Neutral, "its reason")
	}
	if a.When != b.When {
		v.scope(b.When == "", a.When == "", wider, narrower, "its condition")
	}
	if a.After != b.After {
		v.scope(b.After == "", a.After == "", wider, narrower, "what must have happened before")
	}
	if a.Unknown != b.Unknown {
		v.add(Unclear, "what happens when the effect is unknown")
	}
	if a.Text != b.Text || a.Output != b.Output || !maps.Equal(a.Input, b.Input) {
		v.add(Unclear, "what it adds or rewrites")
	}
}
