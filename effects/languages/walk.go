package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// walker reads a program from beginning to end and lists what its calls do. It is
// not an interpreter: it takes every branch, runs every loop once, and reads every
// function body where it is defined. Variables have the last value assigned to
// them, if that is simple.
type walker struct {
	Host
	lang *Language
	*budget
	src      string
	tokens   []lex.Token
	i        int
	vars     map[string]value
	depth    int
	nest     int               // brackets around the current place: the end of a line means nothing in them
	bareNest int               // one more than nest where the arguments of a call without brackets are read: f x or g
	params   []value           // what a function that comes as the next argument is called with
	self     value             // $_ of Perl
	socket   bool              // a connection was made
	piped    bool              // a stream was tied to another one
	fetched  bool              // something was fetched
	endless  bool              // it writes in a loop without end
	out      strings.Builder   // what it prints
	shown    []value           // what stands behind print and the like in this statement
	rows     map[string]string // rows of the call table that have been looked up
	calls    map[string][]int  // where functions are called, computed on demand
}

// budget is what may still be spent on a program.
type budget struct {
	left  int     // steps
	cut   bool    // something was left out
	loose []value // functions that are values, and so may be called anywhere
	ran   string  // lines of shell, each behind a zero
}

// walk lists what a program does.
func walk(h Host, l *Language, text string) {
	w := walker{Host: h, lang: l, budget: &budget{left: maxSteps}, src: text, tokens: lex.Tokenize(l.Syntax, text), vars: map[string]value{},
		rows: map[string]string{}}
	forks, writes := loops(w.tokens)
	w.endless = writes
	w.given(text)
	w.program()
	if w.out.Len() > 0 {
		h.Printed(w.out.String())
	}
	w.callLoose()
	if forks {
		h.Bomb(text[:min(len(text), 200)])
	}
	if w.cut || w.left <= 0 || lex.CutOff(w.tokens, text) {
		h.Doubt("size", l.name)
	}
}

// File lists what happens to a file.
func (w *walker) File(f model.File) {
	f.Endless = w.endless && f.Op == model.Write
	w.Host.File(f)
}

// given sets the program's arguments: the words after the code, or after the - that
// replaces it.
func (w *walker) given(text string) {
	args, more := w.Args()
	at, loops := -1, false
	for i, arg := range args {
		if at < 0 && (arg.Text == text || arg.Text == "-") {
			if at = i + 1; arg.Text == "-" && w.lang == &node { // which has the script in front of them, too
				at = i
			}
		}
		loops = loops || w.lang.loopsOver && at < 0 && strings.HasPrefix(arg.Text, "-") &&
			strings.ContainsAny(arg.Text[:min(len(arg.Text), 5)], "np")
	}
	if loops { // perl -ne goes through its input
		w.self = w.lines(args[max(at, 0):])
		w.vars["$_"] = w.self
	} else if w.lang.loopsOver && strings.Contains(text, "<>") {
		w.vars["<>"] = w.lines(args[max(at, 0):])
	}
	if at < 0 || more {
		return
	}
	v := value{kind: listValue}
	if !has(" ARGV @ARGV ", w.lang.arguments) { // others have the program's name in front
		v.add(value{})
	}
	for i, arg := range args[at:] {
		switch {
		case arg.Known && arg.Text == "--" && i == 0:
		case arg.Known:
			v.add(value{kind: textValue, text: arg.Text, glob: arg.Glob})
		default:
			v.add(value{src: arg.Text})
		}
	}
	w.vars[w.lang.arguments] = v
}

// lines are the lines of files, or else what those of the standard input name.
func (w *walker) lines(files []model.Word) value {
	v := value{kind: listValue, src: "$_"}
	for _, file := range files {
		if file.Known && !strings.HasPrefix(file.Text, "-") {
			v.add(value{kind: contentValue, text: file.Text, src: "$_"})
		}
	}
	if len(v.list) > 0 {
		return v.element()
	}
	for _, line := range w.Listed(word("-")) {
		if v.more = v.more || !line.Known; line.Known {
			v.add(value{kind: textValue, text: line.Text, glob: line.Glob})
		}
	}
	if len(v.list) == 0 {
		return value{kind: contentValue, text: "/dev/stdin", src: "$_"}
	}
	return v.element()
}

func (w *walker) tok() *lex.Token {
	for (w.nest > 0 || w.lang.freeLines) && w.tokens[w.i].Kind == lex.Line {
		w.i++
	}
	return &w.tokens[w.i]
}

// peek returns the token after the current one.
func (w *walker) peek() *lex.Token {
	for i := w.i + 1; i < len(w.tokens); i++ {
		if w.tokens[i].Kind != lex.Line {
			return &w.tokens[i]
		}
	}
	return &w.tokens[len(w.tokens)-1]
}

// last is the token before the current one.
func (w *walker) last() *lex.Token { return &w.tokens[max(w.i-1, 0)] }

func (w *walker) accept(mark string) bool {
	if w.tok().Is(mark) {
		w.i++
		return true
	}
	return false
}

// take returns the text of the current token and moves on, never past the end.
func (w *walker) take() string {
	t := w.tok()
	if t.Kind != lex.End {
		w.i++
	}
	return t.Text
}

// until reports whether there is something to read in front of a closing mark,
// which is taken.
func (w *walker) until(end string) bool {
	if w.left--; w.left <= 0 || w.tok().Kind == lex.End {
		return false
	}
	return !w.accept(end)
}

// program reads everything.
func (w *walker) program() {
	for w.tok().Kind != lex.End && w.left > 0 {
		w.progress(w.statement)
	}
}

// progress makes sure that a step takes at least one token.
func (w *walker) progress(step func()) {
	before := w.i
	w.left--
	step()
	if w.i <= before && w.i < len(w.tokens)-1 {
		w.i = before + 1
	}
}

// enter reports whether another level may be entered; leave has to follow.
func (w *walker) enter() bool {
	w.depth++
	w.left--
	w.cut = w.cut || w.depth >= maxNest
	return w.depth < maxNest && w.left > 0
}

func (w *walker) leave() { w.depth-- }

// inside reads with the ends of lines meaning nothing; the result undoes that.
func (w *walker) inside() func() {
	w.nest++
	return func() { w.nest-- }
}

// block reads statements up to the closing brace.
func (w *walker) block() {
	nest := w.nest
	w.nest = 0
	if w.enter() {
		for w.accept("{"); w.until("}"); {
			w.progress(w.statement)
		}
	}
	w.leave()
	w.nest = nest
}

func (w *walker) statement() {
	t := w.tok()
	switch {
	case t.Kind == lex.Line || t.Closes() || t.Is(";") || t.Is(":") || t.Is(","):
		w.i++
		return
	case t.Is("{") && !w.lang.indented:
		if !w.lang.Arrows || !w.objectPattern() {
			w.block()
		}
		return
	case t.Kind == lex.Name && w.keyword(t.Text):
		return
	case t.Is("@") && w.lang.indented: // a decorator is called with what follows
		w.i++
		if v := w.expr(); w.risky(v) {
			w.doubtCode(v.ref)
		}
		return
	}
	self := w.self
	if w.lang.loopsBehind {
		w.loopBehind()
	}
	w.assignment()
	w.self = self
}

// loopBehind sets $_ if the loop follows the statement: unlink $_ for @files.
func (w *walker) loopBehind() {
	start := w.i
	for i, depth := range w.ahead(maxAhead / 4) {
		switch t := &w.tokens[i]; {
		case t.Is(";"):
			return
		case (t.Named("for") || t.Named("foreach")) && depth == 0 && i > start:
			w.i = i + 1
			w.self = w.listExpr().element()
			w.i = start
			return
		case t.Named("while") && depth == 0 && i > start && w.tokens[i+1].Kind == lex.Glob:
			w.self = w.vars["<"+w.tokens[i+1].Text+">"]
			return
		}
	}
}

// assignment reads an expression, or the assignment of one.
func (w *walker) assignment() {
	targets, ok := w.targets()
	if !ok {
		first := w.tok()
		list := []value{w.expr()}
		for w.accept(",") {
			list = append(list, w.expr())
		}
		if !has(w.lang.prefixes, first.Text) || !w.printed(first.Text, list) {
			w.printed("print", w.shown)
		}
		w.shown = nil
		if w.assignAhead() { // to something that is no variable
			w.i++
			v := w.expr()
			if w.risky(v) {
				w.doubtCode(v.ref)
			}
			if old := w.vars[first.Text]; first.Kind == lex.Name && old.kind == listValue { // cmd[1:1] = ["--force"]
				w.set(first.Text, concat(old, asList(v)))
			}
		}
		return
	}
	at := w.tok().Pos + 1
	op := w.take()
	v := w.assigned()
	if op != "=" && op != "<-" && len(targets) == 1 {
		old := w.vars[targets[0]]
		switch op {
		case "+=", ".=", "<<":
			v = concat(old, v)
		case "||=", "//=", "??=":
			if old.kind != unknownValue {
				v = either(old, v)
			}
		default:
			v = value{net: v.net}
		}
	}
	old := w.vars[targets[0]]
	v.at = at
	if len(targets) == 1 && old.at > 0 && (v.plain() || v.kind == anyValue || v.kind == listValue) &&
		(old.plain() || old.kind == anyValue || old.kind == listValue || old.kind == unknownValue) &&
		(recipes.Branches(w.src, old.at-1, at-1) || has(" if unless while until ", w.tok().Text) && !w.lang.indented) {
		v = either(old, v)
		v.at = old.at
	}
	w.bind(targets, v)
	for w.left > 0 && w.accept("=") { // a = b = c
		targets = append(targets, v.src)
		v = w.assigned()
		for _, name := range targets {
			w.set(name, v)
		}
	}
}

// assigned reads what is assigned.
func (w *walker) assigned() value {
	if w.lang.commaEnds {
		return w.expr()
	}
	return w.listExpr()
}

func isAssign(op string) bool { return has(" = += .= -= *= /= ||= //= ??= **= <- ", op) }

func (w *walker) assignAhead() bool { return w.tok().Kind == lex.Mark && isAssign(w.tok().Text) }

// listExpr reads an expression or several with commas between.
func (w *walker) listExpr() value {
	v := w.expr()
	if !w.tok().Is(",") || w.nest > 0 {
		return v
	}
	out := value{kind: listValue, list: []value{v}, src: v.src}
	for w.accept(",") && w.left > 0 {
		if t := w.tok(); t.Kind == lex.Line || t.Kind == lex.End || t.Is(";") {
			break
		}
		out.add(w.expr())
	}
	return out
}

// targets recognizes x =, x, y =, x: T =, (x, y) = and my $x = without moving
// on if it is something else. It stops at the operator.
func (w *walker) targets() ([]string, bool) {
	var names []string
	parens, i := 0, w.i
	for ; i < len(w.tokens) && i < w.i+maxAhead; i++ {
		t := &w.tokens[i]
		switch {
		case t.Kind == lex.Name && has(" my our local const let var export global static ", t.Text):
		case t.Kind == lex.Name && (i == w.i || w.tokens[i-1].Kind == lex.Mark || w.tokens[i-1].Kind == lex.Name && len(names) == 0):
			names = append(names, t.Text)
		case t.Is(",") || t.Is("*") && len(names) == 0:
		case len(names) == 0 && (t.Is("(") || t.Is("[") && w.lang.Arrows):
			parens++
		case (t.Is(")") || t.Is("]")) && parens > 0:
			if parens--; t.Is("]") && len(names) == 1 {
				names = append(names, "_") // [x] = y is its first element
			}
		case t.Is(":") && w.lang.annotates && len(names) == 1 && parens == 0:
			// an annotation: skip to the = on this line
			for j := i + 1; j < len(w.tokens) && j < i+maxAhead && w.tokens[j].Kind != lex.Line && !w.tokens[j].Is(";"); j++ {
				if w.tokens[j].Is("=") {
					w.i = j
					return names, true
				}
			}
			return nil, false
		case t.Kind == lex.Mark && isAssign(t.Text) && len(names) > 0 && parens == 0, t.Is("<<") && w.lang.blocksBehind && len(names) == 1:
			w.i = i
			return names, true
		default:
			return nil, false
		}
	}
	w.cut = w.cut || i == w.i+maxAhead
	return nil, false
}

// bind gives variables their values.
func (w *walker) bind(names []string, v value) {
	if len(names) == 1 {
		w.set(names[0], v)
		return
	}
	for i, name := range names {
		if v.kind == listValue && i < len(v.list) {
			w.set(name, v.list[i])
		} else {
			w.set(name, v.element())
		}
	}
}

func (w *walker) set(name string, v value) {
	if _, old := w.vars[name]; !old && len(w.vars) >= maxNames {
		w.cut = true
		return
	}
	v.spread, v.held = false, ""
	if v.kind == textValue && strings.HasPrefix(name, "@") && w.lang.flattens { // my @a = ("x")
		v = listOf([]value{v})
	}
	w.vars[name] = v
}

// callback reads a function with its parameters bound to what it is called with.
func (w *walker) callback(params []string, body func()) value {
	given := w.params
	w.params = nil
	for i, name := range params {
		if member, ok := strings.CutPrefix(name, "{"); ok { // a member of the first one
			if len(given) > 0 {
				w.set(member, w.member(given[0], member))
			}
		} else if rest, ok := strings.CutPrefix(name, "*"); ok {
			w.set(rest, restOf(given, i))
		} else if i < len(given) {
			w.set(name, given[i])
		} else {
			w.set(name, parameter(name))
		}
	}
	body()
	w.params = given
	return object("function")
}

// restOf is what a parameter gets that takes all arguments from its place on.
func restOf(given []value, i int) value {
	v := value{kind: listValue, more: i >= len(given)}
	v.add(given[min(i, len(given)):]...)
	return v
}

// names reads the parameters in brackets, from the opening one on. Those in
// braces, which are members of a parameter, come with a brace in front, and those that
// take the rest with a star.
func (w *walker) names(end string) []string {
	var out []string
	depth := 0
	for ; w.i < len(w.tokens)-1; w.i++ {
		t := &w.tokens[w.i]
		switch {
		case t.Is(end) && depth <= 1 && (depth == 1 || end == "|"):
			w.i++
			return out
		case t.Opens():
			depth++
		case t.Closes():
			depth--
		case t.Kind == lex.Name && !w.last().Is("=") && !w.last().Is("."):
			name := t.Text
			if depth > 1 && w.lang.Arrows {
				name = "{" + name
			} else if w.last().Is("*") || w.last().Is("...") {
				name = "*" + name
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
	return strings.TrimSpace(w.src[w.tokens[from].Pos:w.tokens[to-1].End])
}
