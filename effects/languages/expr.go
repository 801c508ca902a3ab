package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// expr reads one expression and returns its value.
func (w *walker) expr() value {
	defer w.leave()
	if !w.enter() {
		w.i = min(w.i+1, len(w.tokens)-1)
		return value{}
	}
	from := w.i
	v := w.unary()
	for w.left > 0 {
		t := w.tok()
		if t.Kind == lex.Line {
			if !w.goesOn() {
				break
			}
			continue
		}
		next, more := w.binary(t, v)
		if !more {
			break
		}
		v = next
	}
	if v.src == "" {
		v.src = w.text(from, w.i)
	}
	return v
}

// goesOn reports whether the next line goes on with the expression, and moves
// there.
func (w *walker) goesOn() bool {
	if next := w.peek(); next.Kind != lex.Mark || !has(w.lang.continues, next.Text) {
		return false
	}
	for w.tokens[w.i].Kind == lex.Line {
		w.i++
	}
	return true
}

// binary reads an operator and its right operand, false if there is none.
func (w *walker) binary(t *lex.Token, v value) (value, bool) {
	switch {
	case t.Kind == lex.Name:
		return w.wordOperator(t.Text, v)
	case t.Kind != lex.Mark:
		return v, false
	case t.Text == w.lang.joins:
		w.i++
		right := w.unary()
		w.left -= (len(v.text) + len(right.text)) / 256
		if v.isPath() && right.kind == textValue {
			return pathOf(joinPath([]value{v, right})), true
		}
		return concat(v, right), true
	}
	switch t.Text {
	case "/":
		w.i++
		right := w.unary()
		if v.isPath() || right.isPath() {
			return pathOf(joinPath([]value{v, right})), true
		}
		return value{}, true
	case "%":
		w.i++
		right := w.unary()
		if v.kind != textValue {
			return value{}, true
		}
		if right.kind == listValue {
			return sprintf(v, right.list), true
		}
		return sprintf(v, []value{right}), true
	case "*":
		w.i++
		right := w.unary()
		if v.kind == textValue && len(v.text) <= 1 && right.kind == numberValue && len(right.text) < 3 {
			return known(strings.Repeat(v.text, max(int(numberOf(right)), 0))), true
		}
		return value{}, true
	case "||", "??", "&&", "//":
		w.i++
		if t.Text == "&&" {
			v.environ = "" // it is not set
		}
		return either(v, w.unary()), true
	case "?":
		w.i++
		a := w.expr()
		if w.accept(":") {
			return either(a, w.expr()), true
		}
		return a, true
	case "=>":
		if !w.lang.Arrows {
			return v, false
		}
		w.i++
		return w.arrow(nil), true
	case "<<":
		w.i++
		if right := w.unary(); v.kind == textValue {
			return concat(v, right), true
		}
		return v, true
	case "|", "-", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "=~", "!~", ">>", "&", "^", "**", "<=>", "..", "...", "+", ".":
		w.i++
		w.unary()
		return value{net: v.net}, true
	case ":=":
		w.i++
		return w.expr(), true
	}
	return v, false
}

// wordOperator reads an operator that is a word.
func (w *walker) wordOperator(word string, v value) (value, bool) {
	switch {
	case word == "if" && w.lang.indented && (w.nest > 0 || w.elseAhead()):
		w.i++
		w.expr()
		if w.tok().Named("else") {
			w.i++
			return either(v, w.expr()), true
		}
		return v, true
	case !has(w.lang.operators, word), (word == "or" || word == "and") && w.bareNest == w.nest+1:
		return v, false
	}
	w.i++
	right := w.unary()
	if word == "or" || word == "and" {
		if word == "and" {
			v.environ = "" // it is not set
		}
		return either(v, right), true
	}
	return value{}, true
}

// elseAhead reports whether an else follows on this line: a if b else c.
func (w *walker) elseAhead() bool {
	for i := w.i; i < len(w.tokens) && i < w.i+maxAhead && w.tokens[i].Kind != lex.Line; i++ {
		if w.tokens[i].Named("else") {
			return true
		}
		if w.tokens[i].Is(":") || w.tokens[i].Is(";") {
			return false
		}
	}
	return false
}

// unary reads a value with its prefix and postfix operators.
func (w *walker) unary() value {
	spread, negated, shown := false, false, false
	for w.left > 0 {
		t := w.tok()
		negated = negated || t.Is("!") || t.Kind == lex.Name && has(" not typeof void defined ref scalar defined? ", t.Text)
		switch {
		case t.Kind == lex.Mark && has(" ! ~ - + ++ -- \\ @ & ", t.Text):
			if t.Text == "&" && w.lang.Hashes && w.peek().Is("{") { // &{"name"}(x)
				w.doubtCode("&{…}")
			}
		case t.Kind == lex.Mark && has(" * ** ... .. ", t.Text):
			spread = true
		case t.Kind == lex.Name && has(w.lang.prefixes, t.Text) && w.prefixHere():
			shown = shown || has(" print say puts p pp echo warn die ", t.Text)
		default:
			v := w.operand(spread)
			if shown && !negated && !has(" ? == != && < > eq ne ", w.tok().Text) {
				w.show(v)
				w.shown = append(w.shown, v)
			}
			if negated {
				v = value{src: v.src, net: v.net}
			}
			return v
		}
		w.i++
		w.left--
	}
	return value{}
}

// prefixHere reports whether the word here stands in front of a value.
func (w *walker) prefixHere() bool {
	next := w.peek()
	return next.Kind != lex.End && !next.Is(".") && !next.Is("=") && !next.Is(",") && !next.Closes()
}

// operand reads a value with its members, calls and indexes.
func (w *walker) operand(spread bool) value {
	defer w.leave()
	if !w.enter() {
		w.i = min(w.i+1, len(w.tokens)-1)
		return value{}
	}
	from := w.i
	v := w.postfix(w.primary())
	if w.risky(v) {
		w.handOn(v)
	}
	if v.src == "" || v.kind == unknownValue {
		v.src = w.text(from, w.i)
	}
	v.spread = spread
	return v
}

// primary reads a value without its postfix operators.
func (w *walker) primary() value {
	t := w.tok()
	switch t.Kind {
	case lex.Text:
		w.i++
		all := []value{w.stringOf(t)}
		for w.lang.adjacent && w.tok().Kind == lex.Text {
			all = append(all, w.stringOf(w.tok()))
			w.i++
		}
		return concatAll(all)
	case lex.Command:
		w.i++
		command := w.stringOf(t)
		w.shell(command)
		return value{src: command.text, net: recipes.Fetches(command.text)}
	case lex.Glob:
		w.i++
		if strings.ContainsAny(t.Text, "*?[/.{~") {
			return pattern(t.Text)
		}
		w.self = w.vars["<"+t.Text+">"] // a line of a handle
		w.vars["$_"] = w.self
		return w.self
	case lex.Number:
		w.i++
		return value{kind: numberValue, text: t.Text}
	case lex.Name:
		return w.readName(t)
	case lex.Mark:
		switch t.Text {
		case "(":
			return w.bracket(")")
		case "[":
			v := w.bracket("]")
			if v.kind != listValue {
				v = value{kind: listValue, list: []value{v}, net: v.net}
			}
			return v
		case "{":
			return w.object()
		case ")", "]", "}", ";", ",", ":", "=", "=>":
			return value{}
		}
		w.i++
	}
	return value{}
}

// stringOf is the value of a string, with the code in it.
func (w *walker) stringOf(t *lex.Token) value {
	if t.Parts == nil {
		if strings.Contains(t.Text, Hole) {
			return value{kind: partValue, text: t.Text, src: strings.ReplaceAll(t.Text, Hole, "…")}
		}
		return known(t.Text)
	}
	v := known("")
	for _, p := range t.Parts {
		piece := known(p.Text)
		if p.Code {
			piece = w.inner(p.Text)
		}
		if piece.kind == listValue && w.lang.flattens {
			piece = implode(piece, " ")
		}
		w.left -= (len(v.text) + len(piece.text)) / 256
		v = concat(v, piece)
	}
	return v
}

// inner works out code within a string.
func (w *walker) inner(src string) value {
	if src == "\x00" {
		return value{}
	}
	defer w.leave()
	if !w.enter() {
		return value{}
	}
	in := *w
	in.src, in.tokens, in.i, in.nest = src, lex.Tokenize(w.lang.Syntax, src), 0, 1
	v := in.expr()
	w.socket = w.socket || in.socket
	return v
}

// bracket reads a value or a list in brackets. A comprehension is read from its
// end, where its variable gets its value.
func (w *walker) bracket(end string) value {
	w.i++
	defer w.inside()()
	w.comprehension()
	if w.lang.Arrows && end == ")" && w.arrowAhead() {
		w.i--
		params := w.names(")")
		w.accept("=>")
		return w.arrow(params)
	}
	out := value{kind: listValue}
	commas := 0
	for w.until(end) {
		if t := w.tok(); t.Is(",") || t.Is("=>") || t.Is(";") {
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
		if v.spread && v.kind == listValue {
			out.add(v.list...)
			out.more = out.more || v.more
		} else {
			out.add(v)
		}
		w.comprehensionTail()
		if w.assignAhead() {
			w.i++
			w.set(v.src, w.expr())
		}
	}
	if len(out.list) == 1 && commas == 0 && end == ")" {
		return out.list[0]
	}
	return out
}

// arrowAhead reports whether the bracket that was opened holds the parameters
// of an arrow function.
func (w *walker) arrowAhead() bool {
	depth := 1
	for i := w.i; i+1 < len(w.tokens) && i < w.i+maxAhead; i++ {
		switch t := &w.tokens[i]; {
		case t.Opens():
			depth++
		case t.Closes():
			if depth--; depth == 0 {
				return w.tokens[i+1].Is("=>")
			}
		}
	}
	return false
}

// arrow reads the body of an arrow function.
func (w *walker) arrow(params []string) value {
	return w.callback(params, func() {
		if w.tok().Is("{") {
			w.block()
			return
		}
		w.expr()
	})
}

// object reads { … }: a dictionary, an object, a set, a block.
func (w *walker) object() value {
	if w.lang.freeLines && !w.peek().Is("}") && !w.pairAhead() {
		w.block()
		return value{}
	}
	w.i++
	defer w.inside()()
	w.comprehension()
	var out value
	for w.until("}") {
		t, before := w.tok(), w.i
		if w.accept(",") || w.accept(";") {
			continue
		}
		next := w.peek()
		switch {
		case (t.Kind == lex.Name || t.Kind == lex.Text) && (next.Is(":") || next.Is("=>") || next.Is("=") && !w.lang.Arrows):
			w.i++
			w.tok()
			w.i++
			v := w.expr()
			out.net = out.net || v.net
			w.addField(&out, t.Text, v)
		case t.Kind == lex.Name && next.Is("(") && w.lang.Arrows: // a method
			w.i++
			w.bracket(")")
			if w.tok().Is("{") {
				w.block()
			}
		default:
			v := w.expr()
			out.net = out.net || v.net
			for _, f := range v.fields {
				w.addField(&out, f.name, f.value)
			}
			if t.Kind == lex.Name && w.lang.Arrows {
				w.addField(&out, t.Text, v)
			} else if v.kind != unknownValue {
				out.add(v)
			}
			w.comprehensionTail()
			if w.accept(":") || w.accept("=>") {
				w.expr()
				w.comprehensionTail()
			}
		}
		if w.i == before {
			w.i++
		}
	}
	if len(out.list) > 0 && len(out.fields) == 0 {
		out.kind = listValue
	}
	return out
}

// pairAhead reports whether a name or a string and then a comma follow.
func (w *walker) pairAhead() bool {
	next := w.peek()
	for i := w.i + 1; i+1 < len(w.tokens); i++ {
		if &w.tokens[i] == next {
			behind := &w.tokens[i+1]
			return (next.Kind == lex.Name || next.Kind == lex.Text) && (behind.Is(",") || behind.Is("=>"))
		}
	}
	return false
}

func (w *walker) addField(v *value, name string, of value) {
	if len(v.fields) >= maxFields {
		w.cut = true
		return
	}
	v.fields = append(v.fields, field{name, of})
}
