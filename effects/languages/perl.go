package languages

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/within"
	"github.com/trammel-dev/trammel/effects/model"
)

//go:embed calls/perl.txt
var perlCalls string

var perl = Language{
	name:        "perl",
	comments:    "#",
	marks:       "... .. //",
	rawQuotes:   true,
	backtick:    commandToken,
	regexes:     true,
	heredoc:     "<<",
	special:     perlSpecial,
	prefixed:    perlQuote,
	newLine:     perlLine,
	embedded:    within.Perl,
	freeLines:   true,
	hashes:      true,
	loopsBehind: true,
	flattens:    true,
	joins:       ".",
	members:     " -> :: ",
	bareCalls:   "*",
	prefixes:    " return not new my our local defined ref scalar print die warn say keys values sort wantarray ",
	operators:   " or and in is not eq ne lt gt le ge cmp x xor ",
	functions:   " sub ",
	keywords:    " for:loop foreach:loop sub:function use:use no:use package:package ",
	values:      " ENV:env __FILE__:unknown ",
	arguments:   "@ARGV",
	implicit:    " unlink rmdir eval ",
	loop:        perlLoop,
	lookup:      perlLookup,
	canonical:   func(ref string) string { return strings.TrimPrefix(ref, "CORE.") },
	verb:        perlVerb,
	calls:       &perlCalls,
}

// perlVerb does what only calls of Perl do.
func perlVerb(w *walker, c *call, verb string) (value, bool) {
	x := func(n int) value { return w.value(c, n) }
	switch verb {
	case "cut":
		if x(0).kind == textValue { // and no handle
			w.file(model.File{Op: model.Write}, x(0))
		}
	case "known":
		if v, _ := c.at(0); v.kind == unknownValue {
			return value{}, false
		}
		return w.do(c, "system")
	case "file":
		if x(0).kind != unknownValue && x(0).kind != nameValue { // and no block, no module
			return w.do(c, "load")
		}
	case "geturl":
		if u := x(0); u.kind != textValue || !strings.Contains(u.text, "://") {
			return value{}, false
		}
		return w.do(c, "visit")
	case "connect":
		if !w.socket {
			w.dial(value{}, value{}, false)
		}
	case "shifted":
		if v := w.shiftable(); !c.given() && len(v.list) > 0 {
			return v.element(), true
		}
		return x(0).element(), true
	case "perlopen":
		return perlOpen(w, c), true
	case "socket":
		return perlSocket(w, w.flat(c.arguments)), true
	default:
		return value{}, false
	}
	return value{}, true
}

// flat is a list of arguments with the lists in it made flat.
func (w *walker) flat(a arguments) []value {
	return w.list(&call{arguments: a, ops: []string{"*"}}, 0).list
}

// perlOpen is open in two or three arguments.
func perlOpen(w *walker, c *call) value {
	how, _ := c.at(1)
	name, three := c.at(2)
	mode := strings.TrimSpace(how.text)
	if !three { // the mode is in front of the name
		if how.kind != textValue {
			w.file(model.File{Op: model.Read}, how)
			return value{}
		}
		name = value{kind: textValue, glob: how.glob, src: how.src, text: strings.TrimLeft(mode, "+<> ")}
		if command, ok := strings.CutPrefix(mode, "|"); ok {
			name.text, mode = command, "|"
		} else if command, ok := strings.CutSuffix(mode, "|"); ok {
			name.text, mode = command, "|"
		} else {
			mode = mode[:len(mode)-len(strings.TrimLeft(mode, "+<>&"))]
		}
	}
	switch {
	case strings.Contains(mode, "|"):
		w.tie()
		if list := w.flat(c.arguments); len(list) > 3 {
			w.start(listOf(list[2:]), &c.arguments)
		} else {
			w.shell(name)
		}
	case strings.HasPrefix(mode, ">&"), strings.HasPrefix(mode, "<&"):
		w.tie()
	case strings.HasPrefix(mode, ">>"), strings.HasPrefix(mode, "+<"):
		w.file(model.File{Op: model.Write, Append: true}, name)
	case strings.Contains(mode, ">"):
		w.file(model.File{Op: model.Write}, name)
	default:
		w.file(model.File{Op: model.Read}, name)
	}
	return value{}
}

// perlSocket is IO::Socket::INET->new(PeerAddr => "host:port").
func perlSocket(w *walker, args []value) value {
	var host, port value
	listens := false
	if len(args) == 1 {
		host = args[0]
	}
	for i := 0; i+1 < len(args); i += 2 {
		switch name := args[i].ref + args[i].text; name {
		case "PeerAddr", "PeerHost":
			host = args[i+1]
		case "PeerPort", "LocalPort":
			port = args[i+1]
			listens = listens || name == "LocalPort"
		case "Listen":
			listens = true
		}
	}
	if h, p, ok := strings.Cut(host.text, ":"); ok {
		host.text, port = h, known(p)
	}
	return w.dial(host, port, listens)
}

// perlLookup returns the value of a name that only Perl has.
func perlLookup(w *walker, name string) (value, bool) {
	switch name {
	case "$_", "@_":
		return w.self, true
	case "shift", "pop":
		if list := w.shiftable(); len(list.list) > 0 && !w.tok().is("(") && !strings.HasPrefix(w.tok().text, "@") {
			return list.element(), true
		}
	case "$ENV", "%ENV":
		return w.constant("ENV")
	}
	if strings.HasPrefix(name, "$") { // $x[0] is an element of @x, $h{k} of %h
		switch next := w.tok(); {
		case next.is("["):
			return w.vars["@"+name[1:]], true
		case next.is("{"):
			return w.vars["%"+name[1:]], true
		}
	}
	return value{}, false
}

// shiftable is what shift takes from: the arguments of the function, or those
// of the program.
func (w *walker) shiftable() value {
	if v, ok := w.vars["@_"]; ok {
		return v
	}
	return w.vars["@ARGV"]
}

// perlLoop reads for my $x (…).
func perlLoop(w *walker) {
	name := "$_"
	for w.tok().named("my") || w.tok().named("our") {
		w.i++
	}
	if t := w.tok(); t.kind == nameToken && strings.HasPrefix(t.text, "$") {
		name = w.take()
	}
	if w.tok().is("(") {
		over := w.bracket(")").element()
		w.set(name, over)
		if name == "$_" {
			w.self = over
		}
	}
}

// perlLine skips documentation, and everything after __END__.
func perlLine(l *lexer) {
	switch {
	case l.at("=") && l.i+1 < len(l.src) && within.NameByte(l.src[l.i+1]):
		l.skipPast("\n=cut")
	case l.at("__END__") || l.at("__DATA__"):
		l.i = len(l.src)
	}
}

// perlSpecial reads $x, @x, %x and <*.txt>.
func perlSpecial(l *lexer, pos int) bool {
	rest := l.src[pos:]
	switch b := rest[0]; {
	case b == '$' || b == '@' || b == '%' && len(rest) > 1 && (within.NameByte(rest[1]) || rest[1] == '{' || rest[1] == '$') && l.valueNext():
		perlSigil(l, pos)
	case b == '<' && l.valueNext() && !strings.HasPrefix(rest, "<<"):
		end := strings.IndexAny(rest[:min(len(rest), maxAhead)], ">\n;")
		if end <= 0 || rest[end] != '>' {
			return false
		}
		l.i += end + 1
		l.add(globToken, rest[1:end], pos)
	default:
		return false
	}
	return true
}

// perlSigil reads $x, @x, %x, ${x}, $$x, $_ and the like as one name.
func perlSigil(l *lexer, pos int) {
	if l.i++; l.dollars(pos) {
		return
	}
	switch {
	case l.i >= len(l.src):
	case within.NameByte(l.src[l.i]) || l.src[l.i] == ':':
		for l.word(); l.at("::"); l.word() {
			l.i += 2
		}
	case l.src[pos] == '$' && strings.IndexByte("&`'+!@/\\,;.0^", l.src[l.i]) >= 0:
		l.i++
	}
	l.add(nameToken, l.src[pos:l.i], pos)
}

// dollars skips further dollars of $$x, and reads all of ${x}.
func (l *lexer) dollars(pos int) bool {
	for l.at("$") {
		l.i++
	}
	if !l.at("{") {
		return false
	}
	end := strings.IndexByte(l.src[l.i:min(len(l.src), l.i+maxAhead)], '}')
	if end <= 1 || !within.IsName(l.src[l.i+1:l.i+end]) {
		return false
	}
	name := l.src[pos:pos+1] + l.src[l.i+1:l.i+end]
	l.i += end + 1
	l.add(nameToken, name, pos)
	return true
}

// perlQuote reads what begins with q, qq, qw, qx, m, s, y, tr or qr.
func perlQuote(l *lexer, pos int, word string) bool {
	if !has(" q qq qw qx m s y tr qr ", word) {
		return false
	}
	at := l.i
	for at < len(l.src) && (l.src[at] == ' ' || l.src[at] == '\t') {
		at++
	}
	if at >= len(l.src) {
		return false
	}
	open := l.src[at]
	if within.NameByte(open) || strings.IndexByte(",;)\n", open) >= 0 || open == '=' && (strings.HasPrefix(l.src[at:], "=>") || at > l.i) ||
		open == '#' && at > l.i || pos > 0 && (l.src[pos-1] == '>' || l.src[pos-1] == '{' && open == '}') {
		return false
	}
	l.i = at
	switch word {
	case "q", "qq":
		l.quoted(pos, open, within.Closing(open), word == "q", textToken)
	case "qx":
		l.quoted(pos, open, within.Closing(open), open == '\'', commandToken)
	case "qw":
		l.words(pos, open)
	case "m", "qr":
		l.regex(pos, within.Closing(open), 1)
	default:
		perlSubstitution(l, pos, open, word)
	}
	return true
}

// perlSubstitution is s/a/b/: with the flag e, b is code.
func perlSubstitution(l *lexer, pos int, open byte, word string) {
	start := l.i
	if within.Closing(open) != open { // s{a}{b}
		l.regex(pos, within.Closing(open), 1)
		l.out = l.out[:len(l.out)-1]
		for l.at(" ") || l.at("\n") {
			l.i++
		}
		if start = l.i; l.i >= len(l.src) {
			return
		}
		open = within.Closing(l.src[l.i])
		l.regex(pos, open, 1)
	} else {
		l.regex(pos, open, 2)
	}
	text := l.src[start:l.i]
	at := strings.LastIndexByte(text, open)
	if word != "s" || at <= 0 || !strings.ContainsRune(text[at+1:], 'e') {
		return
	}
	code := text[1:at]
	if k := strings.LastIndexByte(code, open); k >= 0 {
		code = code[k+1:]
	}
	l.out[len(l.out)-1].parts = []part{{text: code, code: true}}
}
