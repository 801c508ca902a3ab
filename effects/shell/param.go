package shell

import (
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/world"
	"mvdan.cc/sh/v3/syntax"
)

func itoa(n int) string { return strconv.Itoa(n) }

// variable returns what is known about $name.
func (d *deriver) variable(name string, st *state) value {
	name = st.target(name)
	if v, ok := st.lookup(name); ok {
		return d.choose(name, v)
	}
	switch name {
	case "PWD":
		p := d.place(st)
		return value{text: p.Abs, known: p.Known(), glob: p.Glob, set: true}
	case "OLDPWD":
		return value{text: st.oldDir.Abs, known: st.oldDir.Known(), set: st.oldDir.Known()}
	case "HOME":
		return value{text: d.world.Home(), known: d.world.Home() != "" && !st.remote, set: true}
	case "USER", "LOGNAME":
		if d.world.User() != "" && !st.remote {
			return value{text: d.world.User(), known: true, set: true}
		}
	case "IFS":
		return value{text: " \t\n", known: true, set: true}
	case "0":
		return value{text: st.name, known: st.name != "", set: true}
	case "#":
		return value{text: itoa(len(st.args)), known: !st.more, set: true}
	case "_":
		return value{text: st.prior.Text, known: st.prior.Known, glob: st.prior.Glob, network: st.prior.Network, uses: st.prior.Uses, set: true}
	case "$", "!", "?", "-", "RANDOM", "SECONDS", "PPID", "UID", "EUID", "LINENO":
		return value{set: true}
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 {
		if n <= len(st.args) {
			w := &st.args[n-1]
			return value{text: w.Text, known: w.Known, glob: w.Glob, network: w.Network, uses: w.Uses, set: true}
		}
		return value{known: !st.more}
	}
	if st.remote {
		return value{}
	}
	d.set.ReadsEnv(name)
	text, ok := d.world.LookupEnv(name)
	if ok = ok && !(model.SecretVariable(name) && !strings.HasPrefix(text, "/")); !ok { // keep secrets as names
		text, ok = world.RunnerFile(name)
	}
	return value{text: text, known: ok, set: ok, exported: ok}
}

// param appends a parameter expansion.
func (x *expander) param(p *syntax.ParamExp) {
	d, st := x.d, x.st
	written := d.text(p)
	if p.Param == nil || p.Flags != nil || len(p.Modifiers) > 0 || p.Names != 0 || p.Width || p.IsSet {
		if p.NestedParam != nil {
			x.part(p.NestedParam)
		}
		x.value(value{}, written, false)
		return
	}
	name := p.Param.Value
	if p.Excl { // ${!x}
		v := d.variable(name, st)
		if own, _ := st.own(name); own.ref != "" {
			x.value(value{text: own.ref, known: true, set: true}, written, false)
			return
		}
		if !v.known || !syntax.ValidName(v.text) {
			x.value(value{}, written, false)
			return
		}
		name, written = v.text, strings.Replace(written, "!"+name, v.text, 1)
	}
	if to := st.target(name); to != name {
		name, written = to, strings.Replace(written, name, to, 1)
	}
	if items, more, ok := x.items(name, p); ok {
		x.elements(p, items, more, written)
		return
	}
	v := d.variable(name, st)
	if v.array {
		v = element(v, 0)
	}
	if p.Index != nil {
		v = x.indexed(name, p.Index)
	}
	if v.known && v.glob && !p.Length && p.Slice == nil && p.Repl == nil && p.Exp == nil {
		x.value(v, written, true)
		x.glob = true
		return
	}
	if !v.known && v.text != "" && p.Exp == nil && p.Repl == nil && p.Slice == nil { // partly known
		written = v.text
	}
	out := x.transform(p, name, v)
	out.uses.Add(v.uses)
	trims := !v.known && p.Exp != nil && strings.ContainsAny(p.Exp.Op.String(), "#%")
	out.set = v.set || p.Index != nil || out.set && !trims // a part of a value splits like the value
	x.value(out, written, false)
}

// items returns the elements of "$@" or an array, if all are asked for.
func (x *expander) items(name string, p *syntax.ParamExp) (items []model.Word, more, ok bool) {
	if name == "@" || name == "*" {
		return x.st.args, x.st.more, true
	}
	if w, isWord := p.Index.(*syntax.Word); !isWord || w.Lit() != "@" && w.Lit() != "*" {
		return nil, false, false
	}
	v, set := x.st.lookup(name)
	if !v.array {
		if v = x.d.variable(name, x.st); v.known {
			return []model.Word{{Text: v.text, Known: true}}, false, true
		}
		return nil, set || v.set, true
	}
	x.uses.Add(v.uses)
	return v.list, v.open, true
}

func (x *expander) elements(p *syntax.ParamExp, items []model.Word, more bool, written string) {
	star := p.Param.Value == "*"
	if w, ok := p.Index.(*syntax.Word); ok {
		star = w.Lit() == "*"
	}
	if p.Length {
		x.value(value{text: itoa(len(items)), known: !more}, written, true)
		return
	}
	if s := p.Slice; s != nil {
		from, ok := x.d.number(s.Offset, x.st)
		n, ok2 := len(items), true
		if s.Length != nil {
			n, ok2 = x.d.number(s.Length, x.st)
		}
		switch {
		case p.Index == nil && from > 0:
			from-- // "$@" begins at 1
		case from < 0 && !more:
			from += len(items)
		}
		if !ok || !ok2 || from < 0 || n < 0 {
			items, more = nil, true
		} else {
			from = min(from, len(items))
			items = items[from:min(from+n, len(items))]
		}
	}
	if p.Exp != nil || p.Repl != nil {
		changed := make([]model.Word, len(items))
		for i := range items {
			v := x.transform(p, p.Param.Value, value{text: items[i].Text, known: items[i].Known, set: true})
			changed[i] = model.Word{Text: v.text, Known: v.known, Glob: items[i].Glob}
			if !v.known {
				changed[i].Text = written
			}
		}
		items = changed
	}
	x.list(items, more, written, star)
}

func element(v value, i int) value {
	switch {
	case i >= 0 && i < len(v.list):
		w := &v.list[i]
		return value{text: w.Text, known: w.Known, glob: w.Glob, network: w.Network, uses: w.Uses, set: true}
	case i < 0 && -i <= len(v.list) && !v.open:
		return element(v, len(v.list)+i)
	}
	return value{known: !v.open}
}

// indexed is ${name[index]}.
func (x *expander) indexed(name string, index syntax.ArithmExpr) value {
	v, _ := x.st.lookup(name)
	x.uses.Add(v.uses)
	if w, ok := index.(*syntax.Word); ok {
		key := x.d.single(w, x.st)
		if v, ok := x.st.lookup(name + "[" + key.Text + "]"); ok && key.Known {
			return x.d.choose(name+"["+key.Text+"]", v)
		}
	}
	i, ok := x.d.number(index, x.st)
	switch {
	case !ok:
		return value{set: true}
	case v.array:
		return element(v, i)
	case i == 0:
		return x.d.variable(name, x.st)
	}
	return value{}
}

// transform applies the operators after a parameter's name.
func (x *expander) transform(p *syntax.ParamExp, name string, v value) value {
	switch {
	case p.Length:
		return value{text: itoa(len([]rune(v.text))), known: v.known, set: true}
	case p.Slice != nil:
		return x.slice(p.Slice, v)
	case p.Repl != nil:
		return x.replace(p.Repl, v)
	case p.Exp != nil:
		return x.expansion(p.Exp, name, v)
	}
	return v
}

func (x *expander) slice(s *syntax.Slice, v value) value {
	from, ok := x.d.number(s.Offset, x.st)
	runes := []rune(v.text)
	n, ok2 := len(runes), true
	if s.Length != nil {
		n, ok2 = x.d.number(s.Length, x.st)
	}
	if !ok || !ok2 || !v.known {
		return value{set: true}
	}
	if from < 0 {
		from += len(runes)
	}
	if from < 0 || from > len(runes) {
		return value{known: true, set: true}
	}
	if n < 0 {
		n = max(len(runes)+n-from, 0)
	}
	return value{text: string(runes[from:min(from+n, len(runes))]), known: true, set: true}
}

func (x *expander) replace(r *syntax.Replace, v value) value {
	orig, with := x.d.single(r.Orig, x.st), model.Word{Known: true}
	if r.With != nil {
		with = x.d.single(r.With, x.st)
	}
	if !v.known || !orig.Known || !with.Known || orig.Text == "" || len(v.text) > 64<<10 {
		return value{set: true}
	}
	text := v.text
	switch {
	case orig.Glob && len(text) > compute.MaxPattern/4, // each place is compared with the pattern
		r.All && strings.Count(text, orig.Text)*len(with.Text) > compute.MaxText:
		return value{set: true}
	case orig.Glob || orig.Text[0] == '#' || orig.Text[0] == '%':
		text = compute.Replace(text, orig.Text, with.Text, r.All)
	case r.All:
		text = strings.ReplaceAll(text, orig.Text, with.Text)
	default:
		text = strings.Replace(text, orig.Text, with.Text, 1)
	}
	return value{text: text, known: true, set: true}
}

func (x *expander) expansion(e *syntax.Expansion, name string, v value) value {
	empty := !v.set || v.known && v.text == ""
	switch e.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if empty && (v.known || !v.set) {
			x.d.single(e.Word, x.st)
			return value{known: true}
		}
		return x.valueOf(e.Word)
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		null := e.Op == syntax.DefaultUnsetOrNull || e.Op == syntax.AssignUnsetOrNull
		if v.set && (!empty || !null) {
			x.d.single(e.Word, x.st)
			return v
		}
		w := x.valueOf(e.Word)
		if e.Op == syntax.AssignUnset || e.Op == syntax.AssignUnsetOrNull {
			x.st.set(name, w)
		}
		return w
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v
	}
	arg := model.Word{Known: true}
	if e.Word != nil {
		arg = x.d.single(e.Word, x.st)
	}
	if !v.known || !arg.Known || len(v.text) > 64<<10 || len(v.text) > compute.MaxPattern && strings.ContainsAny(arg.Text, "*?[\\") {
		return value{set: true}
	}
	out := value{known: true, set: true}
	switch e.Op {
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		if arg.Text != "" { // only letters that match it
			return value{set: true}
		}
	}
	switch e.Op {
	case syntax.RemSmallPrefix:
		out.text = v.text[compute.Prefix(v.text, arg.Text, false):]
	case syntax.RemLargePrefix:
		out.text = v.text[compute.Prefix(v.text, arg.Text, true):]
	case syntax.RemSmallSuffix:
		out.text = v.text[:compute.Suffix(v.text, arg.Text, false)]
	case syntax.RemLargeSuffix:
		out.text = v.text[:compute.Suffix(v.text, arg.Text, true)]
	case syntax.UpperAll:
		out.text = strings.ToUpper(v.text)
	case syntax.LowerAll:
		out.text = strings.ToLower(v.text)
	case syntax.UpperFirst:
		out.text = compute.First(v.text, strings.ToUpper)
	case syntax.LowerFirst:
		out.text = compute.First(v.text, strings.ToLower)
	case syntax.OtherParamOps:
		switch arg.Text {
		case "U":
			out.text = strings.ToUpper(v.text)
		case "L":
			out.text = strings.ToLower(v.text)
		case "u":
			out.text = compute.First(v.text, strings.ToUpper)
		case "E":
			out.text = compute.Unescape(v.text)
		case "P":
			x.d.prompt(v.text, x.st.by, x.st)
			return value{set: true}
		default:
			return value{set: true}
		}
	default:
		return value{set: true}
	}
	return out
}

func (x *expander) valueOf(w *syntax.Word) value {
	if w == nil {
		return value{known: true, set: true}
	}
	inner := expander{d: x.d, st: x.st}
	inner.word(w)
	f := inner.field()
	return value{text: f.Text, known: f.Known, glob: f.Glob, network: f.Network, uses: f.Uses, set: true}
}
