package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/shell/parse"
	"mvdan.cc/sh/v3/syntax"
)

// fields expands words as a shell does before it runs a command: braces, tildes,
// parameters, substitutions, splitting. Patterns are not expanded. more is true
// if there may be further words that are unknown.
func (d *deriver) fields(words []*syntax.Word, st *state) (out []model.Word, more bool) {
	out = make([]model.Word, 0, len(words))
	for _, w := range words {
		if !d.step() {
			return out, true
		}
		if text, ok := parse.Plain(w); ok {
			out = append(out, model.Word{Text: text, Known: true, Glob: strings.ContainsAny(text, "*?[") && text != "["})
			continue
		}
		words, pattern := d.braces(w)
		for _, w := range words {
			x := expander{d: d, st: st, out: out, split: true}
			x.word(w)
			x.glob = x.glob || pattern
			x.finish()
			out, more = x.out, more || x.more
		}
	}
	return out, more
}

// single expands a word that is not split: a value, a redirection's target.
func (d *deriver) single(w *syntax.Word, st *state) model.Word {
	if w == nil {
		return model.Word{Known: true}
	}
	if text, ok := parse.Plain(w); ok {
		return model.Word{Text: text, Known: true, Glob: strings.ContainsAny(text, "*?[")}
	}
	x := expander{d: d, st: st}
	x.word(w)
	return x.field()
}

// document expands the body of a here-document.
func (d *deriver) document(r *syntax.Redirect, st *state) model.Word {
	if r.Hdoc == nil {
		return model.Word{Known: true}
	}
	x := expander{d: d, st: st, quoted: true}
	bare := true
	for _, part := range r.Word.Parts {
		if lit, ok := part.(*syntax.Lit); !ok || strings.IndexByte(lit.Value, '\\') >= 0 {
			bare = false
		}
	}
	for _, part := range r.Hdoc.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			if bare {
				x.escaped(lit.Value, "$`\\\n")
			} else {
				x.add(lit.Value)
			}
			continue
		}
		x.part(part)
	}
	w := x.field()
	if r.Op == syntax.DashHdoc {
		lines := strings.Split(w.Text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		w.Text = strings.Join(lines, "\n")
	}
	return w
}

// expander builds the words that one word of the source becomes.
type expander struct {
	d  *deriver
	st *state

	out  []model.Word
	more bool

	split  bool // parameters are split into words, "$@" becomes several
	quoted bool // in double quotes
	assign bool // in an assignment: ~ counts after a colon, too

	buf     []byte
	started bool // there is a word even if buf is empty
	unknown bool
	glob    bool
	network bool
	own     bool // something in the word is not from a host
	some    bool
	names   bool
	splits  bool
	uses    model.Span
}

// field is the word as far as it is built.
func (x *expander) field() model.Word {
	return model.Word{Text: string(x.buf), Known: !x.unknown, Glob: x.glob, Network: x.network && !x.own, Some: x.some, Names: x.names,
		Splits: x.splits, Uses: x.uses}
}

// finish ends a word.
func (x *expander) finish() {
	if x.started || len(x.buf) > 0 {
		x.out = append(x.out, x.field())
	}
	x.some, x.splits = false, false
	x.buf, x.started, x.unknown, x.glob, x.network, x.own, x.names, x.uses = x.buf[:0:0], false, false, false, false, false, false,
		model.Span{}
}

func (x *expander) word(w *syntax.Word) {
	for i, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if i == 0 && ok && strings.HasPrefix(lit.Value, "~") && !x.quoted {
			rest := x.home(lit.Value, len(w.Parts) > 1)
			x.literal(rest)
			continue
		}
		if i == 0 && ok && !x.quoted {
			if name, value, is := strings.Cut(lit.Value, "="); is && strings.HasPrefix(value, "~") && syntax.ValidName(name) { // dd of=~/x
				x.add(name + "=")
				x.literal(x.home(value, len(w.Parts) > 1))
				continue
			}
		}
		x.part(part)
	}
}

// home expands a tilde at the beginning of s and returns the rest.
func (x *expander) home(s string, goesOn bool) string {
	end := strings.IndexByte(s, '/')
	if x.assign {
		end = strings.IndexAny(s, "/:")
	}
	if end < 0 {
		end = len(s)
		if goesOn { // ~"x": no tilde prefix
			x.add(s[:1])
			return s[1:]
		}
	}
	name, rest := s[1:end], s[end:]
	switch v := (value{}); {
	case name == "" || name == x.d.world.User():
		if v = x.d.variable("HOME", x.st); name != "" || v.known && !v.set { // without HOME, ~ is the account's
			home := x.d.world.AccountHome()
			v = value{text: home, known: home != "" && !x.st.remote}
		}
		x.value(v, "~"+name, true)
	case name == "+":
		x.value(x.d.variable("PWD", x.st), "~+", true)
	case name == "-":
		x.value(x.d.variable("OLDPWD", x.st), "~-", true)
	case name == "root":
		x.add("/root")
	default:
		x.value(v, "~"+name, true)
	}
	x.started = true
	return rest
}

// add appends text that means itself.
func (x *expander) add(text string) {
	if text != "" {
		x.buf = append(x.buf, text...)
		x.started, x.own = true, true
	}
}

// literal appends literal text of the source: outside of quotes a backslash
// takes the meaning from any character, in double quotes only from some.
func (x *expander) literal(s string) {
	if x.quoted {
		x.escaped(s, "$`\"\\\n")
		return
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			if s[i] != '\n' {
				x.buf = append(x.buf, s[i])
			}
		case c == ':' && x.assign && i+1 < len(s) && s[i+1] == '~':
			x.buf = append(x.buf, c)
			s, i = x.home(s[i+1:], false), -1
		default:
			x.glob = x.glob || c == '*' || c == '?' || c == '['
			x.buf = append(x.buf, c)
		}
	}
	x.started, x.own = true, true
}

func (x *expander) escaped(s, special string) {
	x.started, x.own = true, x.own || strings.TrimSpace(s) != ""
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(special, s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		x.buf = append(x.buf, s[i])
	}
}

func (x *expander) part(part syntax.WordPart) {
	if !x.d.step() {
		x.unknown = true
		return
	}
	switch p := part.(type) {
	case *syntax.Lit:
		x.literal(p.Value)
	case *syntax.SglQuoted:
		x.started = true
		if p.Dollar {
			x.add(compute.Unescape(p.Value))
		} else {
			x.add(p.Value)
		}
	case *syntax.DblQuoted:
		was := x.quoted
		x.quoted = true
		if len(p.Parts) == 0 {
			x.started = true
		}
		for _, inner := range p.Parts {
			x.part(inner)
		}
		x.quoted = was
	case *syntax.ParamExp:
		x.param(p)
	case *syntax.CmdSubst:
		x.substitution(p)
	case *syntax.ArithmExp:
		if n, ok := x.d.number(p.X, x.st); ok {
			x.value(value{text: itoa(n), known: true}, "", true)
		} else {
			x.value(value{}, x.d.text(p), true)
		}
	case *syntax.ProcSubst:
		x.process(p)
	case *syntax.ExtGlob:
		x.add(x.d.text(p))
		x.glob = true
	}
}

// value appends the value of a parameter or substitution. written is its source
// text; whole values are not split.
func (x *expander) value(v value, written string, whole bool) {
	x.uses.Add(v.uses)
	x.some = x.some || v.some
	switch {
	case v.names && !v.known && len(x.buf) > 0 && x.buf[len(x.buf)-1] == '/': // /etc/$f for all that ls /etc names
		x.buf = append(x.buf, '*')
		x.glob = true
	case !v.known:
		x.buf = append(x.buf, written...)
		x.started, x.unknown = true, true
		x.network = x.network || v.network
		x.names = v.names && len(x.buf) == len(written)
		x.own = x.own || !v.network
		x.more = x.more || !x.quoted && !whole
		x.splits = x.splits || !x.quoted && !whole && (v.set || v.uses.From < v.uses.To) && !paths.PlainValue(written)
	case x.quoted || !x.split || whole:
		x.buf = append(x.buf, v.text...)
		x.started = x.started || x.quoted || v.text != ""
		x.own = x.own || v.text != ""
		x.glob = x.glob || v.glob || !x.quoted && !whole && strings.ContainsAny(v.text, "*?[")
	default:
		x.splitInto(v.text)
	}
	if x.d.spend(len(v.text)); x.d.full {
		x.unknown = true
	}
}

// splitInto appends an unquoted value: blanks in it end words.
func (x *expander) splitInto(text string) {
	blanks := " \t\n"
	if v, ok := x.st.lookup("IFS"); ok && v.known {
		blanks = v.text
	} else if ok { // it is split somewhere
		x.add(text)
		x.unknown, x.more = true, true
		return
	}
	for len(text) > 0 {
		i := strings.IndexAny(text, blanks)
		if blanks == "" || i < 0 {
			i = len(text)
		}
		if i > 0 {
			x.glob = x.glob || strings.ContainsAny(text[:i], "*?[")
			x.add(text[:i])
		}
		if i == len(text) {
			return
		}
		x.finish()
		if !x.d.step() {
			return
		}
		text = text[i+1:]
	}
}

// list appends "$@" or an array: each element is a separate word.
func (x *expander) list(items []model.Word, more bool, written string, join bool) {
	if join && x.quoted || !x.split {
		between := " "
		if v, ok := x.st.lookup("IFS"); ok && join && v.known {
			between = v.text[:min(1, len(v.text))]
		} else if ok && join {
			x.unknown = true
		}
		for i := range items {
			if i > 0 {
				x.add(between)
			}
			x.item(&items[i])
		}
		if more {
			x.value(value{}, written, true)
		}
		return
	}
	for i := range items {
		if i > 0 {
			x.finish()
		}
		x.item(&items[i])
		if !x.d.step() {
			return
		}
	}
	if more {
		if len(items) > 0 {
			x.finish()
		}
		x.value(value{}, written, true)
		x.more = true
	}
}

func (x *expander) item(w *model.Word) {
	if !w.Known || x.quoted {
		x.value(value{text: w.Text, known: w.Known, network: w.Network, glob: w.Glob, some: w.Some, names: w.Names, uses: w.Uses}, w.Text, true)
		return
	}
	x.value(value{text: w.Text, known: true, glob: w.Glob, some: w.Some, uses: w.Uses}, "", false)
	x.glob = x.glob || w.Glob
}

// substitution appends the output of $(…).
func (x *expander) substitution(p *syntax.CmdSubst) {
	s := x.d.output(p, x.st)
	text := strings.TrimRight(s.text, "\n")
	if !s.known && text == "" && len(s.places) > 0 && !x.quoted && x.split { // $(find …)
		x.list(s.places, false, "", false)
		return
	}
	written := x.d.text(p)
	if !s.known && text != "" { // what is known of it
		written = text
	}
	x.value(value{text: text, known: s.known, network: s.network, uses: s.uses, names: s.names && text == ""}, written, false)
}

// output interprets $(…) and returns what it writes.
func (d *deriver) output(p *syntax.CmdSubst, st *state) stream {
	if s, ok := d.choice.seen(p); ok {
		return s
	}
	s := d.inside(p, p.Stmts, st, st.in)
	d.choice.remember(p, s)
	return s
}

// inside interprets the statements of a substitution and returns what they write.
func (d *deriver) inside(n syntax.Node, list []*syntax.Stmt, st *state, in stream) stream {
	sub := st.copy()
	sub.out, sub.in = newSink(st), in
	sub.depth++
	if sub.depth > maxNested {
		d.doubt("depth", d.text(n), st.by)
		return stream{run: -1}
	}
	outer := d.choice
	d.choice = nil
	from := len(d.set.Runs)
	d.stmts(list, sub)
	d.choice = outer
	s := sub.out.stream()
	s.uses = model.Span{From: from, To: len(d.set.Runs)}
	return s
}

// process appends the name of <(…), from which its output can be read, or of
// >(…), which reads what is written to it.
func (x *expander) process(p *syntax.ProcSubst) {
	d := x.d
	name, known := d.choice.pipe(p)
	if !known {
		d.pipes++
		name = "/dev/fd/" + itoa(63+d.pipes)
		d.choice.rememberPipe(p, name)
	}
	x.add(name)
	if known {
		return
	}
	if p.Op == syntax.CmdOut {
		d.readers = append(d.readers, reader{name, p})
		return
	}
	st := x.st.copy()
	st.apart++
	s := d.inside(p, p.Stmts, st, st.in)
	x.uses.Add(s.uses)
	d.hold(name, s)
}

// reader is a >(…) that waits for what is written to it.
type reader struct {
	name string
	node *syntax.ProcSubst
}
