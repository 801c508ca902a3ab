package languages

import "strings"

// nameValue reads a name and returns what it stands for.
func (w *walker) nameValue(t *token) thing {
	switch {
	case t.text == "lambda" && w.language == "python":
		w.i++
		for !w.tok().is(":") && w.tok().kind != endToken {
			w.i++
		}
		w.accept(":")
		w.expr()
		return thing{kind: objectThing, ref: "function"}
	case (t.text == "function" || t.text == "fn") && (w.language == "node" || w.language == "php"), t.text == "sub" && w.language == "perl":
		w.i++
		return w.function()
	case t.text == "class" && w.language != "python":
		w.i++
		for !w.tok().is("{") && w.tok().kind != endToken && w.tok().kind != lineToken && !w.tok().is(";") {
			w.i++
		}
		return thing{}
	}
	w.i++
	if w.language == "node" && w.tok().is("=>") {
		w.i++
		return w.arrow([]string{t.text})
	}
	if w.tok().is(":=") {
		w.i++
		v := w.expr()
		w.set(t.text, v)
		return v
	}
	return w.lookup(t.text)
}

// function reads function name(a, b) { … }.
func (w *walker) function() thing {
	name := ""
	if w.tok().is("*") {
		w.i++
	}
	if w.tok().kind == nameToken {
		name = w.tok().text
		w.i++
	}
	var params []string
	if w.tok().is("(") {
		params = w.names(")")
	}
	if w.language == "php" && w.tok().named("use") {
		w.i++
		w.names(")")
	}
	if name != "" {
		w.set(name, thing{kind: objectThing, ref: "function"})
		w.params = w.calledWith(name)
	}
	return w.callback(params, func() {
		if w.tok().is("=>") {
			w.i++
			w.expr()
		} else if w.tok().is("{") {
			w.block()
		}
	})
}

// lookup returns the value of a name.
func (w *walker) lookup(name string) thing {
	if v, ok := w.vars[name]; ok {
		return v
	}
	switch w.language {
	case "perl":
		switch name {
		case "$_", "@_":
			return w.self
		case "shift", "pop":
			if list := w.vars["@ARGV"].list; len(list) > 0 && !w.tok().is("(") && !strings.HasPrefix(w.tok().text, "@") {
				return thing{kind: listThing, list: list}.element()
			}
		case "$ENV", "%ENV":
			return named("ENV")
		}
		// $x[0] is an element of @x, $h{k} of %h
		if strings.HasPrefix(name, "$") {
			next := w.tok()
			if next.is("[") {
				return w.vars["@"+name[1:]]
			}
			if next.is("{") {
				return w.vars["%"+name[1:]]
			}
		}
	case "php":
		switch name {
		case "$_ENV", "$_SERVER":
			return named("ENV")
		}
		if !strings.HasPrefix(name, "$") {
			return named(strings.ToLower(name))
		}
	}
	if strings.HasPrefix(name, "$") && len(name) > 1 || strings.HasPrefix(name, "@") || strings.HasPrefix(name, "%") {
		return thing{}
	}
	if v, ok := w.constant(name); ok {
		return v
	}
	return named(name)
}

// constant is a name that stands for a text.
func (w *walker) constant(name string) (thing, bool) {
	switch name {
	case "__file__", "__filename", "__FILE__", "__dirname", "__DIR__":
		if w.Dir().Abs != "" && (name == "__dirname" || name == "__DIR__") {
			return known(w.Dir().Abs), true
		}
		return thing{}, true
	case "DIRECTORY_SEPARATOR", "directory_separator":
		return known("/"), true
	case "PHP_EOL", "php_eol":
		return known("\n"), true
	}
	return thing{}, false
}

// postfix reads members, calls and indexes behind a value.
func (w *walker) postfix(v thing) thing {
	for *w.left > 0 {
		*w.left--
		t := w.tok()
		switch {
		case t.kind == lineToken:
			if next := w.peek(); (next.is(".") || next.is("?.")) && w.language != "python" && w.continues() {
				continue
			}
			return v
		case t.is("?.") || t.is("->") || t.is("::") || t.is(".") && w.language != "perl" && w.language != "php" || t.is("&") &&
			w.language == "ruby" && w.peek().is("."):
			if t.is("&") {
				w.i++
			}
			w.i++
			name := w.tok()
			if name.kind != nameToken {
				if name.is("[") || name.is("{") || name.is("(") {
					continue
				}
				return v
			}
			w.i++
			v = w.member(v, name.text)
		case t.is("(") && w.callable():
			v = w.bracketCall(v)
		case t.is("[") && (w.language != "ruby" || w.i > 0 && w.tokens[w.i-1].end == t.pos):
			v = w.index(v, "]")
		case t.is("{") && w.language == "perl" && w.i > 0 && (w.tokens[w.i-1].end == t.pos || w.tokens[w.i-1].is("->")) &&
			w.tokens[w.i-1].kind != markToken || t.is("{") && w.language == "perl" && w.i > 0 && (w.tokens[w.i-1].is("->") ||
			w.tokens[w.i-1].is("}") && w.tokens[w.i-1].end == t.pos && v.ref == "ENV"):
			v = w.index(v, "}")
		case (t.is("{") || t.named("do")) && w.language == "ruby" && w.blockHere(v, t):
			w.rubyBlock(v)
		case t.kind == textToken && w.language == "node" && w.i > 0 && t.pos == w.tokens[w.i-1].end && w.src[t.pos] == '`':
			w.i++
			text := w.stringOf(t)
			if v.ref == "$" || strings.HasSuffix(v.ref, ".$") || strings.HasSuffix(v.ref, "$#sync") {
				w.shell(text)
			}
			v = thing{}
		case v.kind == nameThing && w.commandCall(v, t):
			v = w.invoke(v, w.bareArgs())
		case w.language == "perl" && v.kind == nameThing && (v.ref == "unlink" || v.ref == "rmdir"):
			v = w.invoke(v, callArgs{}) // of $_
		default:
			return v
		}
	}
	return v
}

func (w *walker) callable() bool {
	if w.language == "python" || w.language == "node" || w.language == "php" || w.language == "lua" {
		return true
	}
	return w.i > 0 && (w.tokens[w.i-1].kind == nameToken || w.tokens[w.i-1].is("->") || w.tokens[w.i-1].is(")"))
}

// bracketCall reads the arguments in brackets and makes the call.
func (w *walker) bracketCall(v thing) thing {
	params := w.params
	w.params = w.callbackParams(v)
	w.i++
	args := w.argsUntil(")")
	w.params = params
	return w.invoke(v, args)
}

// argsUntil reads arguments up to a closing bracket.
func (w *walker) argsUntil(end string) callArgs {
	w.nest++
	defer func() { w.nest-- }()
	var out callArgs
	if w.language == "python" {
		w.comprehension()
	}
	for *w.left > 0 {
		t := w.tok()
		if t.kind == endToken {
			break
		}
		if t.is(end) {
			w.i++
			break
		}
		if t.is(",") || t.is("=>") || t.is(";") {
			w.i++
			continue
		}
		w.arg(&out)
		w.comprehensionTail()
	}
	return out
}

// bareArgs reads the arguments of a call without brackets.
func (w *walker) bareArgs() callArgs {
	var out callArgs
	for *w.left > 0 {
		t := w.tok()
		if t.kind == endToken || t.kind == lineToken || t.is(";") || t.is(")") || t.is("}") || t.is("]") {
			break
		}
		if t.is(",") || t.is("=>") {
			w.i++
			for w.tokens[w.i].kind == lineToken {
				w.i++
			}
			continue
		}
		if t.kind == nameToken && (t.text == "if" || t.text == "unless" || t.text == "for" || t.text == "foreach" || t.text == "while" ||
			t.text == "until" || t.text == "or" || t.text == "and" || t.text == "do" || t.text == "end" || t.text == "then" || t.text == "else") {
			break
		}
		w.arg(&out)
	}
	return out
}

// arg reads one argument.
func (w *walker) arg(out *callArgs) {
	before := w.i
	t, next := w.tok(), w.peek()
	name := ""
	switch {
	case t.kind == nameToken && next.is("=") && (w.language == "python" || w.language == "r"),
		(t.kind == nameToken || t.kind == textToken) && next.is(":") && (w.language == "ruby" || w.language == "php"),
		t.kind == textToken && next.is("=>") && w.language == "ruby":
		name = t.text
		w.i++
		w.tok()
		w.i++
	case t.kind == nameToken && next.is("=") && w.language != "node":
		// an assignment as an argument: open(my $f = …)
		w.i += 2
	}
	v := w.expr()
	if w.assignAhead() {
		w.i++
		v = w.expr()
	}
	if name != "" {
		out.named = append(out.named, field{name, v})
	} else if v.spread && v.kind == listThing {
		out.list = append(out.list, v.list...)
	} else if len(out.list) < 4*maxList {
		out.list = append(out.list, v)
	}
	if w.i == before {
		w.i++
	}
}

// commandCall reports whether a call without brackets begins here: system
// "ls" in Ruby and Perl.
func (w *walker) commandCall(v thing, t *token) bool {
	if w.language == "lua" {
		return t.kind == textToken
	}
	if w.language != "ruby" && w.language != "perl" && !(w.language == "php" && (v.ref == "include" || v.ref == "require" ||
		v.ref == "include_once" || v.ref == "require_once")) {
		return false
	}
	if w.i == 0 || w.tokens[w.i-1].kind != nameToken {
		return false
	}
	switch t.kind {
	case textToken, numberToken, commandToken, globToken:
		return true
	case nameToken:
		switch t.text {
		case "if", "unless", "while", "until", "for", "foreach", "and", "or", "eq", "ne", "x", "do", "then", "end", "in", "lt", "gt", "cmp", "is":
			return false
		}
		return w.language != "ruby" || v.ref != "" && v.ref[0] >= 'a' && v.ref[0] <= 'z' || strings.Contains(v.ref, ".")
	case markToken:
		return (t.text == "[" || t.text == "*" || t.text == "\\" || t.text == "-" && w.language == "perl") && t.pos > w.tokens[w.i-1].end &&
			w.i+1 < len(w.tokens) && w.tokens[w.i+1].pos == t.end
	}
	return false
}

// index reads x[key]: a key that is known is as good as a member.
func (w *walker) index(v thing, end string) thing {
	bare := ""
	if t := w.peek(); t.kind == nameToken && end == "}" && w.i+2 < len(w.tokens) && w.tokens[w.i+2].is("}") {
		bare = t.text
	}
	w.i++
	w.nest++
	key := thing{}
	sliced, back := false, false
	for *w.left > 0 {
		t := w.tok()
		if t.kind == endToken {
			break
		}
		if t.is(end) {
			w.i++
			break
		}
		if t.is(":") || t.is("::") || t.is(",") {
			sliced, back = true, back || t.is("::")
			w.i++
			continue
		}
		before := w.i
		key = w.expr()
		if w.i == before {
			w.i++
		}
	}
	w.nest--
	if bare != "" {
		key = known(bare)
	}
	switch {
	case sliced:
		if v.kind == textThing && key.src == "1" && back && !v.glob { // [::-1]
			return known(reversed(v.text))
		}
		if v.kind == listThing && key.src == "1" && !back && len(v.list) > 0 { // [1:]
			return thing{kind: listThing, list: v.list[1:]}
		}
		if v.kind == listThing { // any part of it
			return v
		}
		return thing{net: v.net}
	case v.kind == nameThing && v.ref == "Dir" && w.language == "ruby":
		key.glob = true
		return key
	case v.kind == nameThing && key.kind == textThing:
		return w.member(v, key.text)
	case v.kind == nameThing && dynamicAccess(v.ref):
		w.doubtCode(v.ref + "[" + key.src + "]")
		return thing{}
	case v.kind == listThing && key.kind == numberThing:
		if n := int(numberOf(key)); n >= 0 && n < len(v.list) {
			return v.list[n]
		}
	case key.kind == textThing && len(v.fields) > 0:
		for _, f := range v.fields {
			if f.name == key.text {
				return f.value
			}
		}
	case v.kind == anyThing || v.kind == listThing:
		return v.element()
	case v.kind == objectThing && key.kind == textThing:
		return w.member(v, key.text)
	}
	return thing{net: v.net}
}

// dynamicAccess reports whether taking an unknown member of it may be anything.
func dynamicAccess(ref string) bool {
	switch ref {
	case "os", "subprocess", "shutil", "fs", "child_process", "globalThis", "global", "window", "__builtins__", "builtins", "globals()",
		"locals()", "self":
		return true
	}
	return false
}

// blockHere reports whether a brace or do begins a block of Ruby.
func (w *walker) blockHere(v thing, t *token) bool {
	if w.i == 0 {
		return false
	}
	last := &w.tokens[w.i-1]
	return last.is(")") || last.kind == nameToken && (v.kind != nameThing || t.text == "do" || strings.Contains(v.ref, "#") ||
		strings.Contains(v.ref, "."))
}

// rubyBlock reads { |x| … } or do |x| … end with x bound to an element of v.
func (w *walker) rubyBlock(v thing) {
	if v.kind == nameThing {
		v = w.invoke(v, callArgs{})
	}
	braces := w.tok().is("{")
	w.i++
	if w.tok().is("|") {
		w.i++
		names := w.names("|")
		w.bind(names, v.element())
	}
	nest := w.nest
	w.nest = 0
	for *w.left > 0 {
		t := w.tok()
		if t.kind == endToken || braces && t.is("}") || !braces && t.named("end") {
			break
		}
		w.progress(w.statement)
	}
	if w.tok().kind != endToken {
		w.i++
	}
	w.nest = nest
}

// keyword reads a statement that begins with a word of the language. It
// reports false if that was no such word.
func (w *walker) keyword(word string) bool {
	next := w.peek()
	if next.is("=") || next.is(".") && w.language != "perl" || next.is("(") && word != "for" && word != "foreach" && word != "if" &&
		word != "while" && word != "catch" && word != "switch" && word != "elsif" && word != "unless" && word != "until" &&
		word != "function" && word != "del" {
		return false
	}
	switch word {
	case "import", "from":
		switch w.language {
		case "python":
			w.pythonImport()
			return true
		case "node":
			if next.is("(") {
				return false
			}
			w.nodeImport()
			return true
		}
		return false
	case "for", "foreach":
		w.i++
		w.forLoop()
	case "with":
		if w.language != "python" {
			return false
		}
		w.i++
		w.withStatement()
	case "local":
		if w.language != "lua" {
			return false
		}
		w.i++
	case "def", "class":
		w.i++
		w.definition()
	case "function", "sub":
		if w.language != "node" && w.language != "php" && w.language != "perl" {
			return false
		}
		w.i++
		w.function()
	case "if", "elif", "elsif", "else", "while", "until", "unless", "try", "except", "finally", "catch", "switch", "case", "when", "begin",
		"rescue", "ensure", "end", "then", "do", "assert", "global", "nonlocal", "pass", "break", "continue", "next", "last", "default", "loop",
		"match", "BEGIN", "END", "module", "namespace":
		w.i++
	case "del":
		if w.language != "python" {
			return false
		}
		w.i++
		w.expr()
	case "const", "let", "var":
		if w.language != "node" || !next.is("{") {
			return false
		}
		w.i++
		w.objectPattern()
	case "use":
		if w.language != "perl" && w.language != "php" {
			return false
		}
		for w.tok().kind != endToken && !w.tok().is(";") {
			w.i++
		}
	case "package":
		w.i += 2
	default:
		return false
	}
	return true
}

// forLoop reads the head of a loop and binds its variable.
func (w *walker) forLoop() {
	switch w.language {
	case "python", "ruby":
		w.forIn()
	case "node":
		w.accept("(")
		for i := w.i; i < len(w.tokens) && i < w.i+24 && !w.tokens[i].is(";") && !w.tokens[i].is("{"); i++ {
			if w.tokens[i].named("of") || w.tokens[i].named("in") {
				w.forIn()
				return
			}
		}
	case "perl":
		name := "$_"
		for w.tok().kind == nameToken && (w.tok().text == "my" || w.tok().text == "our") {
			w.i++
		}
		if w.tok().kind == nameToken && strings.HasPrefix(w.tok().text, "$") {
			name = w.tok().text
			w.i++
		}
		if w.tok().is("(") {
			over := w.bracket(")")
			w.set(name, over.element())
			if name == "$_" {
				w.self = over.element()
			}
		}
	case "php":
		w.accept("(")
		over := w.expr()
		if w.tok().named("as") {
			w.i++
			name := w.tok().text
			w.i++
			if w.accept("=>") {
				name = w.tok().text
				w.i++
			}
			w.set(name, over.element())
		}
	}
}

// definition skips the head of a function or class; the body is read like any
// other code.
func (w *walker) definition() {
	defined := ""
	for w.tok().kind == nameToken && w.tok().kind != endToken {
		defined = w.tok().text
		w.set(w.tok().text, thing{kind: objectThing, ref: "function"})
		w.i++
		if w.tok().is(".") || w.tok().is("::") || w.tok().is("<") {
			w.i++
			continue
		}
		break
	}
	if w.tok().is("(") {
		given := w.calledWith(defined)
		for i, name := range w.names(")") {
			w.set(name, thing{src: name})
			if i < len(given) && given[i].kind != unknownThing {
				w.set(name, given[i])
			}
		}
	}
}
