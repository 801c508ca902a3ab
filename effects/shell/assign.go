package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/shell/parse"
)

// assigned is the value that an assignment before a command gives.
func (d *deriver) assigned(a *syntax.Assign, st *state) model.Word {
	if a.Array != nil {
		return model.Word{Text: d.text(a.Array)}
	}
	if a.Value == nil {
		return model.Word{Known: true}
	}
	if text, ok := parse.Plain(a.Value); ok {
		return model.Word{Text: text, Known: true}
	}
	x := expander{d: d, st: st, assign: true}
	x.word(a.Value)
	w := x.field()
	w.Glob = false // a value is not matched against files
	return w
}

// assign interprets name=value.
func (d *deriver) assign(a *syntax.Assign, st *state, export bool) {
	name := a.Name.Value
	if a.Array != nil {
		d.assignArray(name, a, st)
		return
	}
	if a.Index != nil {
		d.assignElement(name, a, st)
		return
	}
	var v value
	first := true
	d.each(func() {
		w := d.assigned(a, st)
		next := value{text: w.Text, known: w.Known, network: w.Network, uses: w.Uses, set: true, exported: export}
		if a.Append {
			old := d.variable(name, st)
			next = value{text: old.text + w.Text, known: w.Known && (old.known || !old.set), network: old.network && w.Network, uses: old.uses,
				set: true, exported: export}
			next.uses.Add(w.Uses)
			if !d.spend(len(next.text)) {
				next = value{set: true}
			}
		}
		if first {
			v, first = next, false
		} else {
			v = oneOf(v, next)
		}
	})
	st.set(name, v)
	d.prompts(model.Assign{Name: name, Value: model.Word{Text: v.text, Known: v.known}}, st.by, st)
}

func (d *deriver) assignArray(name string, a *syntax.Assign, st *state) {
	v := value{array: true, set: true}
	if a.Append {
		if old, ok := st.lookup(name); ok && old.array {
			v.list, v.open = append(v.list, old.list...), old.open
		}
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil { // [key]=value
			if key, ok := e.Index.(*syntax.Word); ok {
				k := d.single(key, st)
				if k.Known {
					st.set(name+"["+k.Text+"]", valueOf(d.single(e.Value, st)))
				}
			}
		}
		if e.Value == nil {
			continue
		}
		words, more := d.fields([]*syntax.Word{e.Value}, st)
		v.list = append(v.list, words...)
		v.open = v.open || more
		if !d.spend(len(words) + 1) {
			break
		}
	}
	st.set(name, v)
}

func (d *deriver) assignElement(name string, a *syntax.Assign, st *state) {
	w := d.assigned(a, st)
	if key, ok := a.Index.(*syntax.Word); ok {
		if k := d.single(key, st); k.Known {
			st.set(name+"["+k.Text+"]", valueOf(w))
			if name == "BASH_ALIASES" || name == "BASH_CMDS" {
				st.setAlias(k.Text, w.Text)
			}
		}
	}
	v, _ := st.lookup(name)
	d.steps += len(v.list) // it is copied
	i, ok := d.number(a.Index, st)
	if !ok || i < 0 || i > len(v.list) || i > maxBraces {
		st.set(name, value{array: true, set: true, open: true, list: append(v.list[:len(v.list):len(v.list)], w)})
		return
	}
	v.list = slices.Concat(v.list[:i], []model.Word{w}, v.list[min(i+1, len(v.list)):])
	v.array, v.set = true, true
	st.set(name, v)
}

// declare interprets export, declare, local and the like.
func (d *deriver) declare(c *syntax.DeclClause, st *state) {
	by, export, functions, env := c.Variant.Value, c.Variant.Value == "export", false, []model.Assign(nil)
	odd, refers := false, c.Variant.Value == "nameref"
	run := model.Run{Program: c.Variant.Value, Path: c.Variant.Value}
	for _, a := range c.Args {
		if !d.step() {
			return
		}
		if a.Name == nil {
			words, more := d.fields([]*syntax.Word{a.Value}, st)
			run.Args, run.More = append(run.Args, words...), run.More || more
			for i := range words {
				t := words[i].Text
				export = export || strings.HasPrefix(t, "-") && strings.IndexByte(t, 'x') > 0
				functions = functions || strings.HasPrefix(t, "-") && strings.IndexByte(t, 'f') > 0
				odd = odd || strings.HasPrefix(t, "-") && strings.ContainsAny(t, "ilu")
				refers = refers || strings.HasPrefix(t, "-") && strings.Contains(t, "n") && by != "export"
				if strings.HasPrefix(t, "-") && strings.Contains(t, "g") {
					by = "" // global, not local to the function
				}
				d.localize(by, t, st)
				d.assignText(&words[i], st)
			}
			continue
		}
		name := a.Name.Value
		d.localize(by, name, st)
		if a.Naked {
			run.Args = append(run.Args, model.Word{Text: name, Known: true})
			if odd || refers {
				st.put(name, value{set: true, odd: true})
			}
			if f := st.function(name); functions && export && f != nil {
				f.exported = true
			}
			if v := d.variable(name, st); export {
				v.exported = true
				st.set(name, v)
				env = append(env, model.Assign{Name: name, Value: model.Word{Text: v.text, Known: v.known}})
			}
			continue
		}
		if refers {
			w := d.refer(name, a, st)
			run.Args = append(run.Args, model.Word{Text: name + "=" + w.Text, Known: w.Known})
			continue
		}
		d.assign(a, st, export)
		changed := value{set: true, odd: true}
		if v, _ := st.lookup(name); !v.known {
			changed.text, changed.uses = v.text, v.uses
		}
		w := model.Word{Text: d.text(a)}
		if v, ok := st.lookup(name); ok && v.known && !v.open && len(v.or) == 0 && !v.array {
			w = model.Word{Text: name + "=" + v.text, Known: true}
		}
		run.Args = append(run.Args, w)
		if odd {
			st.set(name, changed)
		}
	}
	n := d.add(run, st.by, st)
	d.subscripts(n, st)
	env = append(env, model.Assignments(run.Args)...)
	d.helpers(n, env, st)
	if export {
		for _, e := range env {
			programs.Variable(&call{d: d, run: n, st: st, dir: d.here(st)}, e)
		}
		d.startup(n, env, st)
	}
	if d.set.Dumps(n) || len(run.Args) > 0 && run.Args[0].Text == "-p" { // it lists the variables
		st.out.write(stream{run: n}, st)
	}
}

// refer interprets declare -n name=other.
func (d *deriver) refer(name string, a *syntax.Assign, st *state) model.Word {
	w := d.assigned(a, st)
	switch {
	case w.Known && w.Text == name: // the one outside of the function
	case w.Known && syntax.ValidName(w.Text):
		st.put(name, value{set: true, ref: w.Text})
	default:
		st.put(name, value{set: true, odd: true, text: w.Text, uses: w.Uses})
	}
	return w
}

// assignText interprets a word that is an assignment after expansion.
func (d *deriver) assignText(w *model.Word, st *state) bool {
	name, text, ok := strings.Cut(w.Text, "=")
	if !ok || !syntax.ValidName(name) {
		return false
	}
	st.set(name, value{text: text, known: w.Known, set: true})
	return true
}

// localize saves a variable's value outside of the function that declares it.
func (d *deriver) localize(by, name string, st *state) {
	n := len(d.frames) - 1
	name, _, _ = strings.Cut(name, "=")
	if by != "declare" && by != "local" && by != "typeset" || n < 0 || !strings.HasSuffix(d.frames[n].name, "()") || !syntax.ValidName(name) {
		return
	}
	outer := func(st *state) { delete(st.vars, name) }
	if v, ok := st.own(name); ok {
		outer = func(st *state) { st.put(name, v) }
	}
	d.frames[n].outer = append(d.frames[n].outer, outer)
}
