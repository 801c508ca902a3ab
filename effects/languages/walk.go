package languages

import "strings"

// walker reads a program from beginning to end and lists what its calls do. It
// is no interpreter: every branch is taken, every loop goes round once, every
// function body is read where it stands. Variables keep the last value that
// they were given, if that is simple.
type walker struct {
	Host
	language string
	src      string
	tokens   []token
	i        int
	vars     map[string]thing
	left     *int // steps that may still be taken
	depth    int
	nest     int              // brackets around the current place: the end of a line means nothing in them
	params   []thing          // what a function that comes as the next argument is called with
	self     thing            // $_ of Perl and awk
	socket   bool             // a connection was made
	piped    bool             // a stream was tied to another one
	fetched  bool             // something was fetched
	argv     thing            // the program's arguments
	calls    map[string][]int // where functions are called with texts, once somebody has asked
}

const (
	maxCode  = 1 << 18 // bytes of one program
	maxSteps = 1 << 16 // values that are worked out per program
	maxNest  = 100     // brackets within each other
)

func (w *walker) tok() *token {
	for (w.nest > 0 || w.language == "perl" || w.language == "php") && w.tokens[w.i].kind == lineToken {
		w.i++
	}
	return &w.tokens[w.i]
}

// peek returns the token behind the current one.
func (w *walker) peek() *token {
	for i := w.i + 1; i < len(w.tokens); i++ {
		if w.tokens[i].kind != lineToken {
			return &w.tokens[i]
		}
	}
	return &w.tokens[len(w.tokens)-1]
}

func (t *token) is(mark string) bool { return t.kind == markToken && t.text == mark }

func (t *token) named(name string) bool { return t.kind == nameToken && t.text == name }

func (w *walker) accept(mark string) bool {
	if w.tok().is(mark) {
		w.i++
		return true
	}
	return false
}

// program reads everything.
func (w *walker) program() {
	for w.tok().kind != endToken && *w.left > 0 {
		w.progress(w.statement)
	}
}

// progress makes sure that a step takes at least one token.
func (w *walker) progress(step func()) {
	before := w.i
	*w.left--
	step()
	if w.i <= before && w.i < len(w.tokens)-1 {
		w.i = before + 1
	}
}

// enter reports whether another level may be entered; leave has to follow.
func (w *walker) enter() bool {
	w.depth++
	*w.left--
	return w.depth < maxNest && *w.left > 0
}

func (w *walker) leave() { w.depth-- }

// block reads statements up to the closing brace.
func (w *walker) block() {
	nest := w.nest
	w.nest = 0
	if w.enter() {
		w.accept("{")
		for *w.left > 0 {
			t := w.tok()
			if t.kind == endToken || t.is("}") {
				break
			}
			w.progress(w.statement)
		}
		w.accept("}")
	}
	w.leave()
	w.nest = nest
}

func (w *walker) statement() {
	t := w.tok()
	switch {
	case t.kind == lineToken || t.is(";") || t.is(":") || t.is(",") || t.is("}") || t.is(")") || t.is("]"):
		w.i++
		return
	case t.is("{") && w.language != "python":
		if w.language == "node" && w.objectPattern() {
			return
		}
		w.block()
		return
	case t.kind == nameToken && w.keyword(t.text):
		return
	}
	if w.language == "perl" {
		w.forBehind()
	}
	w.assignment()
}

// forBehind gives $_ its value where the loop is behind the statement: unlink
// $_ for @files.
func (w *walker) forBehind() {
	depth := 0
	for i := w.i; i < len(w.tokens) && i < w.i+60; i++ {
		switch t := &w.tokens[i]; {
		case t.is("(") || t.is("[") || t.is("{"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			if depth--; depth < 0 {
				return
			}
		case t.is(";"):
			return
		case (t.named("for") || t.named("foreach")) && depth == 0 && i > w.i:
			start := w.i
			w.i = i + 1
			w.self = w.listExpr().element()
			w.i = start
			return
		}
	}
}

// assignment reads an expression, or the assignment of one.
func (w *walker) assignment() {
	targets, ok := w.targets()
	if !ok {
		w.expr()
		for w.accept(",") {
			w.expr()
		}
		if w.assignAhead() { // to something that is no variable
			w.i++
			w.expr()
		}
		return
	}
	op := w.tok().text
	w.i++
	var value thing
	if w.language == "node" || w.language == "php" { // a comma begins another one
		value = w.expr()
	} else {
		value = w.listExpr()
	}
	if op != "=" && len(targets) == 1 {
		old := w.vars[targets[0]]
		switch op {
		case "+=", ".=", "<<":
			value = concat(old, value)
		case "||=", "//=", "??=":
			if old.kind != unknownThing {
				value = either(old, value)
			}
		default:
			value = thing{net: value.net}
		}
	}
	w.bind(targets, value)
	// a = b = c
	if w.tok().kind == markToken && w.tok().text == "=" {
		w.i++
		w.bind(targets, w.listExpr())
	}
}

func isAssign(op string) bool {
	switch op {
	case "=", "+=", ".=", "-=", "*=", "/=", "||=", "//=", "??=", "**=":
		return true
	}
	return false
}

// listExpr reads an expression or several with commas between.
func (w *walker) listExpr() thing {
	v := w.expr()
	if !w.tok().is(",") || w.nest > 0 {
		return v
	}
	out := thing{kind: listThing, list: []thing{v}, src: v.src}
	for w.accept(",") && *w.left > 0 {
		if t := w.tok(); t.kind == lineToken || t.kind == endToken || t.is(";") {
			break
		}
		if v := w.expr(); len(out.list) < maxList {
			out.list = append(out.list, v)
		}
	}
	return out
}

// targets recognizes x =, x, y =, x: T =, (x, y) = and my $x = without moving
// on if it is something else. It stops at the operator.
func (w *walker) targets() ([]string, bool) {
	var names []string
	parens := 0
	for i := w.i; i < len(w.tokens) && i < w.i+40; i++ {
		t := &w.tokens[i]
		switch {
		case t.kind == nameToken && (t.text == "my" || t.text == "our" || t.text == "local" || t.text == "const" || t.text == "let" ||
			t.text == "var" || t.text == "export" || t.text == "global" || t.text == "static"):
		case t.kind == nameToken && (i == w.i || w.tokens[i-1].kind == markToken || w.tokens[i-1].kind == nameToken && len(names) == 0):
			names = append(names, t.text)
		case t.is(",") || t.is("*") && len(names) == 0:
		case t.is("(") && (len(names) == 0) || t.is("[") && len(names) == 0 && w.language == "node":
			parens++
		case (t.is(")") || t.is("]")) && parens > 0:
			parens--
		case t.is(":") && (w.language == "python" || w.language == "node") && len(names) == 1 && parens == 0:
			// an annotation: skip to the = on this line
			for j := i + 1; j < len(w.tokens) && j < i+20 && w.tokens[j].kind != lineToken && !w.tokens[j].is(";"); j++ {
				if w.tokens[j].is("=") {
					w.i = j
					return names, true
				}
			}
			return nil, false
		case t.kind == markToken && isAssign(t.text) && len(names) > 0 && parens == 0, t.is("<<") && w.language == "ruby" && len(names) == 1:
			w.i = i
			return names, true
		default:
			return nil, false
		}
	}
	return nil, false
}

// bind gives variables their values.
func (w *walker) bind(names []string, value thing) {
	if len(names) == 1 {
		w.set(names[0], value)
		return
	}
	for i, name := range names {
		switch {
		case value.kind == listThing && i < len(value.list):
			w.set(name, value.list[i])
		default:
			w.set(name, value.element())
		}
	}
}

func (w *walker) set(name string, value thing) {
	if len(w.vars) < 4096 {
		value.spread = false
		w.vars[name] = value
	}
}

// callback reads a function with its parameters bound to what it is called with.
func (w *walker) callback(params []string, body func()) thing {
	given := w.params
	w.params = nil
	for i, name := range params {
		if member, ok := strings.CutPrefix(name, "{"); ok { // a member of the first one
			if len(given) > 0 {
				w.set(member, w.member(given[0], member))
			}
		} else if i < len(given) {
			w.set(name, given[i])
		} else {
			w.set(name, thing{src: name})
		}
	}
	body()
	w.params = given
	return thing{kind: objectThing, ref: "function"}
}

// names reads the parameters in brackets, from the opening one on. Those in
// braces, which are members of a parameter, come with a brace in front.
func (w *walker) names(end string) []string {
	var out []string
	depth := 0
	for ; w.i < len(w.tokens)-1; w.i++ {
		t := &w.tokens[w.i]
		switch {
		case t.is(end) && depth <= 1 && (depth == 1 || end == "|"):
			w.i++
			return out
		case t.is("(") || t.is("[") || t.is("{"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			depth--
		case t.kind == nameToken && len(out) < 32 && (w.i == 0 || !w.tokens[w.i-1].is("=") && !w.tokens[w.i-1].is(".")):
			name := t.text
			if depth > 1 && w.language == "node" {
				name = "{" + name
			}
			out = append(out, name)
		}
	}
	return out
}

// text is the source between two tokens.
func (w *walker) text(from, to int) string {
	if from >= to || to > len(w.tokens) {
		return ""
	}
	return strings.TrimSpace(w.src[w.tokens[from].pos:w.tokens[to-1].end])
}
