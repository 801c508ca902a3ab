package languages

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/model"
)

//go:embed calls/perl.txt
var perlCalls string

var perl = Language{
	Syntax:      &lex.Perl,
	name:        "perl",
	freeLines:   true,
	loopsBehind: true,
	loopsOver:   true,
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
			return perlHandle(w, how)
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
		return perlHandle(w, name)
	}
	return value{}
}

// perlHandle is a file that is read by the name that open gives it: while (<F>).
func perlHandle(w *walker, name value) value {
	held := w.readFile(name)
	for i := w.i - 1; i >= max(0, w.i-maxAhead); i-- {
		if w.tokens[i].Named("open") {
			for i++; w.tokens[i].Is("(") || w.tokens[i].Named("my") || w.tokens[i].Named("local"); i++ {
			}
			w.set("<"+w.tokens[i].Text+">", held)
			break
		}
	}
	return held
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
		return w.self, w.self.kind != unknownValue || w.vars[name].kind == unknownValue
	case "shift", "pop":
		if list := w.shiftable(); len(list.list) > 0 && !w.tok().Is("(") && !strings.HasPrefix(w.tok().Text, "@") {
			return list.element(), true
		}
	case "$ENV", "%ENV":
		return w.constant("ENV")
	}
	if strings.HasPrefix(name, "$") { // $x[0] is an element of @x, $h{k} of %h
		switch next := w.tok(); {
		case next.Is("["):
			return w.vars["@"+name[1:]], true
		case next.Is("{"):
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
	for w.tok().Named("my") || w.tok().Named("our") {
		w.i++
	}
	if t := w.tok(); t.Kind == lex.Name && strings.HasPrefix(t.Text, "$") {
		name = w.take()
	}
	if w.tok().Is("(") {
		over := w.bracket(")").element()
		w.set(name, over)
		if name == "$_" {
			w.self = over
		}
	}
}
