package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/languages/within"
)

// readName reads a name and returns its value.
func (w *walker) readName(t *lex.Token) value {
	w.i++
	switch {
	case t.Text == "lambda" && w.lang.indented:
		for ; !w.tok().Is(":") && w.tok().Kind != lex.End; w.i++ {
			if t := w.tok(); t.Kind == lex.Name && !w.last().Is("=") {
				w.set(t.Text, parameter(t.Text))
			}
		}
		w.accept(":")
		w.expr()
		return object("function")
	case has(w.lang.functions, t.Text):
		return w.function()
	case t.Text == "class" && !w.lang.indented:
		for !w.tok().Is("{") && w.tok().Kind != lex.End && w.tok().Kind != lex.Line && !w.tok().Is(";") {
			w.i++
		}
		return value{}
	case w.lang.Arrows && w.accept("=>"):
		return w.arrow([]string{t.Text})
	case w.accept(":="):
		v := w.expr()
		w.set(t.Text, v)
		return v
	}
	return w.valueOf(t.Text)
}

// function reads function name(a, b) { … }.
func (w *walker) function() value {
	w.accept("*")
	name := ""
	if w.tok().Kind == lex.Name {
		name = w.take()
	}
	var params []string
	if w.tok().Is("(") {
		params = w.names(")")
	}
	if w.tok().Named("use") {
		w.i++
		w.names(")")
	}
	outer := w.params
	defer func() { w.params = outer }()
	if name != "" {
		w.set(name, object("function"))
		w.params = w.calledWith(name)
	}
	if w.lang.flattens { // its arguments are one list
		w.set("@_", value{kind: listValue, list: w.params, more: len(w.params) == 0})
		defer delete(w.vars, "@_")
	}
	return w.callback(params, func() {
		switch {
		case w.accept("=>"):
			w.expr()
		case w.tok().Is("{"):
			w.block()
		}
	})
}

// valueOf returns the value of a name.
func (w *walker) valueOf(name string) value {
	if v, ok := w.vars[name]; ok {
		if v.kind == listValue {
			v.held = name
		}
		return v
	}
	if w.lang.lookup != nil {
		if v, ok := w.lang.lookup(w, name); ok {
			return v
		}
	}
	if strings.HasPrefix(name, "$") && len(name) > 1 || strings.HasPrefix(name, "@") || strings.HasPrefix(name, "%") {
		return value{src: name}
	}
	if v, ok := w.constant(name); ok {
		return v
	}
	return named(name)
}

// postfix reads members, calls and indexes after a value.
func (w *walker) postfix(v value) value {
	for w.left > 0 {
		w.left--
		t := w.tok()
		touches := w.i > 0 && w.last().End == t.Pos
		switch {
		case t.Kind == lex.Line:
			if next := w.peek(); next.Kind == lex.Mark && has(w.lang.members, next.Text) && w.goesOn() {
				continue
			}
			return v
		case t.Kind == lex.Mark && has(w.lang.members, t.Text):
			w.i++
			name := w.tok()
			if name.Opens() {
				continue
			}
			if name.Kind != lex.Name {
				return v
			}
			w.i++
			v = w.member(w.settled(v), name.Text)
		case t.Is("(") && (w.lang.callsAny || w.i > 0 && (w.last().Kind == lex.Name || w.last().Is("->") || w.last().Is(")"))):
			v = w.bracketCall(v)
		case t.Is("[") && (!w.lang.blocksBehind && !w.lang.Hashes || touches || w.last().Is("->")):
			v = w.index(v, "]")
		case t.Is("{") && w.lang.Hashes && !has(" system exec ", v.ref) && (w.last().Is("->") ||
			touches && (w.last().Kind != lex.Mark || w.last().Is("}") && v.ref == "ENV")):
			v = w.index(v, "}")
		case (t.Is("{") || t.Named("do")) && w.lang.blocksBehind && w.blockHere(v, t):
			w.blockBehind(v)
		case t.Kind == lex.Text && w.lang.Arrows && touches && w.src[t.Pos] == '`': // a tagged template
			w.i++
			text := w.stringOf(t)
			if strings.HasPrefix(v.ref, "$") || strings.HasSuffix(v.ref, ".$") {
				w.shell(text)
			}
			v = value{}
		case v.kind == nameValue && w.bareCall(v, t):
			v = w.invoke(v, w.bareArgs())
		case v.kind == nameValue && has(w.lang.implicit, v.ref) && !t.Is("{"):
			v = w.invoke(v, arguments{list: []value{w.self}})
		default:
			return w.settled(v)
		}
	}
	return v
}

// settled is what a method without brackets and arguments gives, where there
// are such calls.
func (w *walker) settled(v value) value {
	bare := w.lang.blocksBehind && v.recv != nil || w.lang.Hashes && strings.HasSuffix(v.ref, ".new")
	if bare && v.kind == nameValue && w.row(v.ref) != "" {
		return w.invoke(v, arguments{})
	}
	return v
}

// bracketCall reads the arguments in brackets and makes the call.
func (w *walker) bracketCall(v value) value {
	params := w.params
	w.params = w.callbackParams(v)
	w.i++
	if w.tok().Is("...") && w.peek().Is(")") && has(w.lang.members, "->") { // the function itself: system(...)
		w.i += 2
		w.params = params
		return v
	}
	args := w.argsUntil(")")
	w.params = params
	return w.invoke(v, args)
}

// argsUntil reads arguments up to a closing bracket.
func (w *walker) argsUntil(end string) arguments {
	defer w.inside()()
	var out arguments
	w.comprehension()
	for w.until(end) {
		if w.accept(",") || w.accept("=>") || w.accept(";") {
			continue
		}
		w.arg(&out)
		w.comprehensionTail()
	}
	return out
}

// bareArgs reads the arguments of a call without brackets.
func (w *walker) bareArgs() (out arguments) {
	outer := w.bareNest
	w.bareNest = w.nest + 1
	defer func() { w.bareNest = outer }()
	for w.left > 0 {
		t := w.tok()
		switch {
		case t.Kind == lex.End || t.Kind == lex.Line || t.Is(";") || t.Closes(),
			t.Kind == lex.Name && has(" if unless for foreach while until or and do end then else rescue ", t.Text):
			return out
		case t.Is("{") && w.lang.Hashes && !out.more && len(out.list) == 0: // system { 'rm' } 'a'
			w.i++
			program := w.expr()
			w.accept("}")
			defer func() {
				if len(out.list) > 0 && out.list[0].kind == listValue && len(out.list[0].list) > 0 {
					out.list[0].list[0] = program
				} else if len(out.list) > 0 {
					out.list[0] = program
				}
			}()
		case t.Is(",") || t.Is("=>"):
			for w.i++; w.tokens[w.i].Kind == lex.Line; {
				w.i++
			}
		default:
			w.arg(&out)
		}
	}
	return out
}

// arg reads one argument.
func (w *walker) arg(out *arguments) {
	before := w.i
	t, next := w.tok(), w.peek()
	name := ""
	switch {
	case next.Kind == lex.Mark && has(w.lang.named, next.Text) &&
		(t.Kind == lex.Name && next.Text != "=>" || t.Kind == lex.Text && next.Text != "="):
		name = t.Text
		w.i++
		w.tok()
		w.i++
	case t.Kind == lex.Name && next.Is("=") && !w.lang.Arrows: // an assignment as an argument: open(my $f = …)
		w.i += 2
	}
	v := w.expr()
	if w.assignAhead() {
		w.i++
		v = w.expr()
	}
	switch {
	case name != "":
		out.named = append(out.named, field{name, v})
	case v.spread && v.kind == listValue:
		out.add(v.list...)
		out.more = out.more || v.more
	default:
		out.add(v)
	}
	w.cut = w.cut || len(out.list) == maxArgs
	if w.i == before {
		w.i++
	}
}

// bareCall reports whether a call without brackets begins here: system "ls".
func (w *walker) bareCall(v value, t *lex.Token) bool {
	switch list := w.lang.bareCalls; {
	case list == "\"":
		return t.Kind == lex.Text || t.Is("{")
	case list != "*" && !has(list, v.ref), w.i == 0, w.last().Kind != lex.Name:
		return false
	}
	switch t.Kind {
	case lex.Text, lex.Number, lex.Command, lex.Glob:
		return true
	case lex.Name:
		if has(" if unless while until for foreach do then end ", t.Text) || has(w.lang.operators, t.Text) {
			return false
		}
		return !w.lang.blocksBehind || v.ref != "" && v.ref[0] >= 'a' && v.ref[0] <= 'z' || strings.Contains(v.ref, ".")
	case lex.Mark:
		if w.lang.Hashes && t.Text == "{" {
			return has(" system exec ", v.ref)
		}
		if t.Text == "[" && (w.lang.Hashes || w.src[t.Pos] == '%') { // exec qw(ls -l)
			return t.Pos > w.last().End
		}
		return (has(" [ * \\ ", t.Text) || t.Text == "-" && w.lang.Hashes) && t.Pos > w.last().End &&
			w.i+1 < len(w.tokens) && w.tokens[w.i+1].Pos == t.End
	}
	return false
}

// index reads x[key]: a key that is known is as good as a member.
func (w *walker) index(v value, end string) value {
	var key value
	w.i++
	leave := w.inside()
	if t := w.tok(); t.Kind == lex.Name && within.NameByte(t.Text[0]) && end == "}" && w.peek().Is("}") { // $h{key}
		key = known(w.take())
	}
	sliced, back := false, false
	for w.until(end) {
		if t := w.tok(); t.Is(":") || t.Is("::") || t.Is(",") {
			sliced, back = true, back || t.Is("::")
			w.i++
			continue
		}
		before := w.i
		if key = w.expr(); sliced && !back { // [:1] is no [1:]
			key.src = ""
		}
		if w.i == before {
			w.i++
		}
	}
	leave()
	if sliced {
		return slice(v, key, back)
	}
	switch {
	case v.kind == nameValue && w.row(v.ref+".[]") != "":
		return w.invoke(named(v.ref+".[]"), arguments{list: []value{key}})
	case key.kind == textValue && (v.kind == nameValue || v.kind == objectValue):
		return w.member(v, key.text)
	case v.kind == nameValue && w.lang.reflects(v.ref):
		w.doubtCode(v.ref + "[" + key.src + "]")
		return value{}
	case v.kind == listValue && key.kind == numberValue:
		if n := int(numberOf(key)) - w.lang.base; n >= 0 && n < len(v.list) {
			return v.list[n]
		}
	case key.kind == textValue && len(v.fields) > 0:
		f, _ := v.field(key.text)
		return f
	case v.kind == anyValue || v.kind == listValue || v.glob:
		return v.element()
	}
	return value{net: v.net}
}

// slice is x[a:b].
func slice(v, key value, back bool) value {
	switch {
	case v.kind == textValue && key.src == "1" && back && !v.glob: // [::-1]
		return reversed(v)
	case v.kind == listValue && key.src == "1" && !back && len(v.list) > 0: // [1:]
		out := v
		out.list = v.list[1:]
		return out
	case v.kind == listValue || v.glob: // any part of it
		return v
	}
	return value{net: v.net}
}

// blockHere reports whether a brace or do begins a block behind a call.
func (w *walker) blockHere(v value, t *lex.Token) bool {
	return w.i > 0 && (w.last().Is(")") || w.last().Kind == lex.Name && (v.kind != nameValue || t.Text == "do" ||
		strings.ContainsAny(v.ref, "#.")))
}

// blockBehind reads { |x| … } or do |x| … end with x bound to an element of v.
func (w *walker) blockBehind(v value) {
	if v.kind == nameValue {
		v = w.invoke(v, arguments{})
	}
	end := func(t *lex.Token) bool { return t.Named("end") }
	if w.take() == "{" {
		end = func(t *lex.Token) bool { return t.Is("}") }
	}
	if w.accept("|") {
		w.bind(w.names("|"), v.element())
	}
	nest := w.nest
	w.nest = 0
	for w.left > 0 && w.tok().Kind != lex.End && !end(w.tok()) {
		w.progress(w.statement)
	}
	w.take()
	w.nest = nest
}
