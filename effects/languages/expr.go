package languages

import "strings"

// expr reads one expression and returns its value.
func (w *walker) expr() thing {
	if !w.enter() {
		w.leave()
		w.i = min(w.i+1, len(w.tokens)-1)
		return thing{}
	}
	defer w.leave()
	from := w.i
	v := w.unary()
	for *w.left > 0 {
		t := w.tok()
		if t.kind == lineToken {
			if !w.continues() {
				break
			}
			continue
		}
		done, next := w.binary(t, v)
		if done {
			break
		}
		v = next
	}
	if v.src == "" {
		v.src = w.text(from, w.i)
	}
	return v
}

// continues reports whether the next line goes on with the expression, and
// moves there.
func (w *walker) continues() bool {
	next := w.peek()
	if w.language == "python" || next.kind != markToken {
		return false
	}
	switch next.text {
	case ".", "?.", "&":
	case "+", "||", "&&", "?", ":", "??":
		if w.language != "node" {
			return false
		}
	default:
		return false
	}
	for w.tokens[w.i].kind == lineToken {
		w.i++
	}
	return true
}

// binary reads an operator and what is behind it.
func (w *walker) binary(t *token, v thing) (done bool, _ thing) {
	joins := "+"
	switch w.language {
	case "perl", "php":
		joins = "."
	case "lua":
		joins = ".."
	}
	if t.kind == nameToken {
		switch t.text {
		case "if":
			if w.language != "python" || w.nest == 0 && !w.elseAhead() {
				return true, v
			}
			w.i++
			w.expr()
			if w.tok().named("else") {
				w.i++
				return false, either(v, w.expr())
			}
			return false, v
		case "or", "and", "in", "is", "not", "instanceof", "of", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "x", "xor":
			if t.text == "of" && w.language != "node" || (t.text == "eq" || t.text == "x") && w.language != "perl" {
				return true, v
			}
			w.i++
			right := w.unary()
			if t.text == "or" || t.text == "and" {
				return false, either(v, right)
			}
			return false, thing{}
		}
		return true, v
	}
	if t.kind != markToken {
		return true, v
	}
	switch t.text {
	case joins:
		w.i++
		right := w.unary()
		*w.left -= (len(v.text) + len(right.text)) / 256
		return false, concat(v, right)
	case "/":
		w.i++
		right := w.unary()
		if v.kind == objectThing && v.ref == "Path" || right.kind == objectThing && right.ref == "Path" {
			return false, pathObject(joinPath([]thing{v, right}))
		}
		return false, thing{}
	case "%":
		w.i++
		right := w.unary()
		if v.kind == textThing {
			return false, formatPercent(v, right)
		}
		return false, thing{}
	case "*":
		w.i++
		right := w.unary()
		if v.kind == textThing && len(v.text) <= 1 && right.kind == numberThing && len(right.text) < 3 {
			n := int(numberOf(right))
			return false, thing{kind: textThing, text: strings.Repeat(v.text, min(max(n, 0), 99))}
		}
		return false, thing{}
	case "||", "??", "&&":
		w.i++
		return false, either(v, w.unary())
	case "//":
		w.i++
		return false, either(v, w.unary())
	case "?":
		w.i++
		a := w.expr()
		if w.accept(":") {
			return false, either(a, w.expr())
		}
		return false, a
	case "=>":
		if w.language != "node" {
			return true, v
		}
		w.i++
		return false, w.arrow(nil)
	case "<<":
		w.i++
		w.unary()
		return false, v
	case "|":
		if w.language == "awk" {
			return true, v
		}
		fallthrough
	case "-", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "=~", "!~", ">>", "&", "^", "**", "<=>", "..", "...":
		w.i++
		w.unary()
		return false, thing{net: v.net}
	case ":=":
		w.i++
		return false, w.expr()
	}
	return true, v
}

// elseAhead reports whether an else follows on this line: a if b else c.
func (w *walker) elseAhead() bool {
	for i := w.i; i < len(w.tokens) && i < w.i+64 && w.tokens[i].kind != lineToken; i++ {
		if w.tokens[i].named("else") {
			return true
		}
		if w.tokens[i].is(":") || w.tokens[i].is(";") {
			return false
		}
	}
	return false
}

// unary reads a value with the operators in front and behind.
func (w *walker) unary() thing {
	spread := false
	for *w.left > 0 {
		t := w.tok()
		if t.kind == markToken {
			switch t.text {
			case "!", "~", "-", "+", "++", "--", "\\", "@", "&":
				w.i++
				*w.left--
				continue
			case "*", "**", "...", "..":
				w.i++
				*w.left--
				spread = true
				continue
			}
		}
		if t.kind == nameToken && prefixWord(w.language, t.text) && !w.peek().is(".") && !w.peek().is("=") {
			w.i++
			*w.left--
			continue
		}
		break
	}
	if !w.enter() {
		w.leave()
		w.i = min(w.i+1, len(w.tokens)-1)
		return thing{}
	}
	defer w.leave()
	from := w.i
	v := w.postfix(w.primary())
	if v.src == "" || v.kind == unknownThing {
		v.src = w.text(from, w.i)
	}
	v.spread = spread
	return v
}

// prefixWord reports whether a word only stands in front of a value.
func prefixWord(language, word string) bool {
	switch word {
	case "await", "return", "throw", "typeof", "void", "yield", "new", "not", "raise", "async":
		return language == "node" || language == "python" || word == "return" || word == "not" || word == "new"
	case "my", "our", "local", "defined", "ref", "scalar", "do", "print", "die", "warn", "say", "keys", "values", "sort", "reverse",
		"wantarray":
		return language == "perl"
	case "echo", "clone", "static":
		return language == "php"
	case "puts", "p", "pp", "then", "begin", "defined?":
		return language == "ruby"
	case "const", "let", "var", "export":
		return language == "node"
	}
	return false
}

// primary reads a value without what is behind it.
func (w *walker) primary() thing {
	t := w.tok()
	switch t.kind {
	case textToken:
		w.i++
		v := w.stringOf(t)
		if w.tok().kind != textToken || w.language != "python" && w.language != "ruby" {
			return v
		}
		all := []thing{v} // strings next to each other are one
		for w.tok().kind == textToken {
			all = append(all, w.stringOf(w.tok()))
			w.i++
		}
		return concatAll(all)
	case commandToken:
		w.i++
		command := w.stringOf(t)
		w.shell(command)
		return thing{src: command.text}
	case globToken:
		w.i++
		if strings.ContainsAny(t.text, "*?[/.{~") {
			return thing{kind: textThing, text: t.text, glob: true}
		}
		return thing{}
	case numberToken:
		w.i++
		return thing{kind: numberThing, text: t.text}
	case nameToken:
		return w.nameValue(t)
	case markToken:
		switch t.text {
		case "(":
			return w.bracket(")")
		case "[":
			v := w.bracket("]")
			if v.kind != listThing {
				v = thing{kind: listThing, list: []thing{v}, net: v.net}
			}
			return v
		case "{":
			return w.object()
		case ")", "]", "}", ";", ",", ":", "=", "=>":
			return thing{}
		case "<":
			if w.language == "node" { // a type
				w.i++
				return thing{}
			}
		}
		w.i++
	}
	return thing{}
}

// stringOf is the value of a string, with the code in it.
func (w *walker) stringOf(t *token) thing {
	if t.parts == nil {
		if strings.Contains(t.text, Hole) {
			return thing{kind: partThing, text: t.text, src: strings.ReplaceAll(t.text, Hole, "…")}
		}
		return known(t.text)
	}
	v := known("")
	for _, p := range t.parts {
		piece := known(p.text)
		if p.code {
			piece = w.inner(p.text)
		}
		if piece.kind == listThing && w.language == "perl" {
			piece = joinText(piece, " ")
		}
		*w.left -= (len(v.text) + len(piece.text)) / 256
		v = concat(v, piece)
	}
	return v
}

// inner works out code within a string.
func (w *walker) inner(src string) thing {
	if w.depth >= maxNest || src == "\x00" {
		return thing{}
	}
	in := *w
	in.src, in.tokens, in.i, in.nest = src, tokenize(w.language, src), 0, 1
	in.depth++
	v := in.expr()
	w.socket = w.socket || in.socket
	return v
}

// bracket reads what is in brackets: one value, or a list. A comprehension is
// read from behind, where its variable gets its value.
func (w *walker) bracket(end string) thing {
	w.i++
	w.nest++
	defer func() { w.nest-- }()
	if w.language == "python" {
		w.comprehension()
	}
	if w.language == "node" && end == ")" && w.arrowAhead() {
		w.i--
		w.nest--
		params := w.names(")")
		w.nest++
		if w.tok().is(":") { // a type
			for !w.tok().is("=>") && w.tok().kind != endToken {
				w.i++
			}
		}
		w.accept("=>")
		return w.arrow(params)
	}
	var list []thing
	commas := 0
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
			commas++
			w.i++
			continue
		}
		before := w.i
		v := w.expr()
		if w.i == before {
			w.i++
			continue
		}
		if v.spread && v.kind == listThing {
			list = append(list, v.list...)
		} else if len(list) < maxList {
			list = append(list, v)
		}
		w.comprehensionTail()
		if w.tok().kind == markToken && isAssign(w.tok().text) {
			name := v.src
			w.i++
			v = w.expr()
			w.set(name, v)
		}
	}
	if len(list) == 1 && commas == 0 && end == ")" {
		return list[0]
	}
	return thing{kind: listThing, list: list}
}

// arrowAhead reports whether the bracket that was opened holds the parameters
// of an arrow function.
func (w *walker) arrowAhead() bool {
	depth := 1
	for i := w.i; i < len(w.tokens) && i < w.i+80; i++ {
		switch t := &w.tokens[i]; {
		case t.is("(") || t.is("[") || t.is("{"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			if depth--; depth == 0 {
				return i+1 < len(w.tokens) && w.tokens[i+1].is("=>")
			}
		}
	}
	return false
}

// arrow reads the body of an arrow function.
func (w *walker) arrow(params []string) thing {
	return w.callback(params, func() {
		if w.tok().is("{") {
			w.block()
			return
		}
		w.expr()
	})
}

// comprehension binds the variables of [… for x in y] before the rest is read.
func (w *walker) comprehension() {
	depth, start := 0, w.i
	for i := w.i; i < len(w.tokens) && i < start+400; i++ {
		switch t := &w.tokens[i]; {
		case t.is("(") || t.is("[") || t.is("{"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			if depth--; depth < 0 {
				return
			}
		case t.named("for") && depth == 0 && i > start:
			w.i = i + 1
			w.forIn()
			w.i = start
			return
		}
	}
}

// comprehensionTail skips for x in y if z: it was read already.
func (w *walker) comprehensionTail() {
	if w.language != "python" {
		return
	}
	for w.tok().named("for") || w.tok().named("if") || w.tok().named("async") {
		isFor := w.tok().named("for")
		w.i++
		if isFor {
			w.forIn()
		} else {
			w.expr()
		}
	}
}

// forIn reads x, y in z and binds the variables.
func (w *walker) forIn() {
	var names []string
	for *w.left > 0 {
		t := w.tok()
		if t.named("in") || t.named("of") {
			w.i++
			break
		}
		if t.kind == nameToken {
			if t.text != "const" && t.text != "let" && t.text != "var" {
				names = append(names, t.text)
			}
		} else if t.kind != markToken || t.is(":") || t.is(";") || t.is("{") {
			return
		}
		w.i++
		*w.left--
	}
	over := w.expr()
	if len(names) == 0 || len(names) > 16 {
		return
	}
	w.bind(names, over.element())
}

// object reads { … }: a dictionary, an object, a set, a block.
func (w *walker) object() thing {
	if w.language == "perl" || w.language == "ruby" || w.language == "php" {
		if w.language != "ruby" && !w.peek().is("}") && w.peek().kind != textToken && w.peek().kind != nameToken {
			w.block()
			return thing{}
		}
	}
	w.i++
	w.nest++
	defer func() { w.nest-- }()
	if w.language == "python" {
		w.comprehension()
	}
	out := thing{kind: unknownThing}
	for *w.left > 0 {
		t := w.tok()
		if t.kind == endToken {
			break
		}
		if t.is("}") {
			w.i++
			break
		}
		if t.is(",") || t.is(";") {
			w.i++
			continue
		}
		name := t.text
		before := w.i
		next := w.peek()
		if (t.kind == nameToken || t.kind == textToken) && (next.is(":") || next.is("=>")) {
			w.i++
			w.tok()
			w.i++
			v := w.expr()
			out.net = out.net || v.net
			if len(out.fields) < 64 {
				out.fields = append(out.fields, field{name, v})
			}
		} else if t.kind == nameToken && next.is("(") && w.language == "node" { // a method
			w.i++
			w.bracket(")")
			if w.tok().is("{") {
				w.block()
			}
		} else {
			v := w.expr()
			out.net = out.net || v.net
			out.fields = append(out.fields, v.fields...)
			if t.kind == nameToken && len(out.fields) < 64 {
				out.fields = append(out.fields, field{name, v})
			}
			w.comprehensionTail()
			if w.tok().is(":") || w.tok().is("=>") {
				w.i++
				w.expr()
				w.comprehensionTail()
			}
		}
		if w.i == before {
			w.i++
		}
	}
	return out
}
