package languages

import (
	"iter"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/languages/within"
)

// Words that begin statements in many languages and only control how often or
// when the next part runs; and those that a bracket may follow.
const (
	flowWords = " if elif elsif else while until unless try except finally catch switch case when begin rescue ensure end then do assert " +
		"global nonlocal pass break continue next last default loop match BEGIN END module namespace "
	bracketWords = " for foreach if while catch switch elsif unless until function del "
)

// keyword reads a statement that begins with a word of the language. It
// reports false if that was no such word.
func (w *walker) keyword(word string) bool {
	next := w.peek()
	if next.Is("=") || next.Is(".") && has(w.lang.members, ".") || next.Is("(") && !has(bracketWords, word) {
		return false
	}
	what := within.Setting(w.lang.keywords, word)
	if what == "" && has(flowWords, word) && (word != "do" || next.Kind != lex.Text) {
		what = "skip"
	}
	if what == "" || what == "take-apart" && !next.Is("{") {
		return false
	}
	w.i++
	switch what {
	case "import":
		w.lang.imports(w)
	case "loop":
		w.lang.loop(w)
	case "with":
		w.withStatement()
	case "define":
		w.definition()
	case "function":
		w.function()
	case "value":
		w.expr()
	case "take-apart":
		w.objectPattern()
	case "use":
		for w.tok().Kind != lex.End && !w.tok().Is(";") {
			w.i++
		}
	case "package":
		w.take()
	}
	return true
}

// withStatement reads with a as b, c as d.
func (w *walker) withStatement() {
	for w.left > 0 {
		v := w.expr()
		if w.tok().Named("as") {
			w.i++
			w.set(w.take(), v)
		}
		if !w.accept(",") {
			return
		}
	}
}

// definition reads the head of a function or class; the body is read like any
// other code.
func (w *walker) definition() {
	defined := ""
	for w.tok().Kind == lex.Name {
		defined = w.take()
		w.set(defined, object("function"))
		if !w.accept(".") && !w.accept("::") && !w.accept("<") {
			break
		}
	}
	if w.tok().Is("(") {
		given := w.calledWith(defined)
		for i, name := range w.names(")") {
			if rest, ok := strings.CutPrefix(name, "*"); ok {
				w.set(rest, restOf(given, i))
			} else if i < len(given) && given[i].kind != unknownValue {
				w.set(name, given[i])
			} else if w.row(name+".run") == "" { // session, of nox: a tool gives it
				w.set(name, parameter(name))
			}
		}
	}
}

// loopIn reads x, y in z and binds the variables.
func (w *walker) loopIn() {
	var names []string
	for w.left > 0 {
		t := w.tok()
		if t.Named("in") || t.Named("of") {
			w.i++
			break
		}
		if t.Kind == lex.Name {
			if !has(" const let var ", t.Text) {
				names = append(names, t.Text)
			}
		} else if t.Kind != lex.Mark || t.Is(":") || t.Is(";") || t.Is("{") {
			return
		}
		w.i++
		w.left--
	}
	over := w.expr()
	if len(names) > 0 {
		w.bind(names, over.element())
	}
}

// comprehension binds the variables of [… for x in y] before the rest is read.
func (w *walker) comprehension() {
	if !w.lang.indented {
		return
	}
	start := w.i
	for i, depth := range w.ahead(maxAhead) {
		if w.tokens[i].Named("for") && depth == 0 && i > start {
			w.i = i + 1
			w.loopIn()
			w.i = start
			return
		}
	}
}

// ahead yields the tokens from here on that are not brackets, up to the end of the
// surrounding brackets, with the depth of each.
func (w *walker) ahead(most int) iter.Seq2[int, int] {
	return func(yield func(i, depth int) bool) {
		depth, end := 0, min(len(w.tokens), w.i+most)
		for i := w.i; i < end; i++ {
			switch t := &w.tokens[i]; {
			case t.Opens():
				depth++
			case t.Closes():
				if depth--; depth < 0 {
					return
				}
			case !yield(i, depth):
				return
			}
		}
	}
}

// comprehensionTail skips for x in y if z: it was read already.
func (w *walker) comprehensionTail() {
	for w.lang.indented {
		switch t := w.tok(); {
		case t.Named("for"):
			w.i++
			w.loopIn()
		case t.Named("if") || t.Named("async"):
			w.i++
			w.expr()
		default:
			return
		}
	}
}

// objectPattern reads {a, b: c} = value. It reports false, and stays, if it is
// something else.
func (w *walker) objectPattern() bool {
	var from, to []string
	i := w.i + 1
	for ; i+2 < len(w.tokens) && !w.tokens[i].Is("}"); i++ {
		t := &w.tokens[i]
		switch {
		case t.Kind == lex.Name:
			from, to = append(from, t.Text), append(to, t.Text)
			if w.tokens[i-1].Is("...") {
				from[len(from)-1] = ""
			}
			if w.tokens[i+1].Is(":") && w.tokens[i+2].Kind == lex.Name {
				to[len(to)-1] = w.tokens[i+2].Text
				i += 2
			}
		case t.Kind == lex.Line || t.Is(",") || t.Is("...") || t.Is("="):
		case w.tokens[i-1].Is("="): // the default if there is no such member
		default:
			return false
		}
	}
	if i+1 >= len(w.tokens) || !w.tokens[i].Is("}") || !w.tokens[i+1].Is("=") {
		return false
	}
	w.i = i + 2
	v := w.expr()
	for i := range from {
		if w.set(to[i], v); from[i] != "" { // of the rest it has all
			w.set(to[i], w.member(v, from[i]))
		}
	}
	return true
}
