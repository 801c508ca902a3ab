package languages

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/model"
)

//go:embed calls/php.txt
var phpCalls string

var php = Language{
	Syntax:    &lex.PHP,
	name:      "php",
	freeLines: true,
	commaEnds: true,
	callsAny:  true,
	joins:     ".",
	members:   " ?-> -> :: ",
	named:     " : ",
	bareCalls: " include require include_once require_once ",
	prefixes:  " return not new echo clone static ",
	operators: " or and in is not instanceof xor ",
	functions: " function fn ",
	keywords:  " for:loop foreach:loop class:define function:function use:use package:package ",
	values:    " env:env directory_separator:/ php_eol:\n __file__:unknown __dir__:here ",
	arguments: "$argv",
	loop:      phpLoop,
	lookup:    phpLookup,
	canonical: func(ref string) string { return strings.ToLower(strings.TrimPrefix(ref, "\\")) },
	verb:      phpVerb,
	calls:     &phpCalls,
}

// phpLookup returns the value of a name that only PHP has. Functions and constants
// ignore case.
func phpLookup(w *walker, name string) (value, bool) {
	switch {
	case name == "$" && w.tok().Is("{"): // ${'x'}
		w.block()
		return value{src: "${…}"}, true
	case name == "$_ENV" || name == "$_SERVER":
		return w.constant("env")
	case strings.HasPrefix(name, "$"):
		return value{}, false
	}
	name = strings.ToLower(name)
	if name != "env" {
		if v, ok := w.constant(name); ok {
			return v, true
		}
	}
	return named(name), true
}

// remote reports whether a name is a URL and no file.
func remote(v value) bool {
	return (v.kind == textValue || v.kind == partValue) && strings.Contains(v.text, "://") && !strings.HasPrefix(v.text, "file://")
}

// phpVerb does what only calls of PHP do.
func phpVerb(w *walker, c *call, verb string) (value, bool) {
	x := func(n int) value { return w.value(c, n) }
	name := x(0)
	switch verb {
	case "put":
		if flags, _ := c.at(2); strings.Contains(strings.ToUpper(flags.src), "APPEND") {
			w.file(model.File{Op: model.Write, Append: true}, name)
		} else {
			w.fill(name, x(1))
		}
	case "openurl":
		if strings.HasPrefix(name.text, "php://") {
			return value{}, true
		}
		if remote(name) {
			return w.visit(name, false), true
		}
		mode, given := w.resolve(c, "1")
		return w.open(name, mode, given), true
	case "readurl":
		switch {
		case strings.HasPrefix(name.text, "php://"):
			return value{}, true
		case remote(name):
			return w.visit(name, c.on(w)), true
		}
		return w.readFile(name), true
	case "copyurl":
		if remote(name) {
			w.visit(name, false)
			w.fill(x(1), value{net: true})
		} else {
			w.two(model.Read, name, x(1), false)
		}
	case "assert":
		if name.kind == textValue {
			w.eval(name)
		}
	case "dialurl":
		port := x(1)
		if _, rest, ok := strings.Cut(name.text, "://"); ok {
			name.text = rest
		}
		if host, p, ok := strings.Cut(name.text, ":"); ok {
			name.text, port = host, known(p)
		}
		return w.dial(name, port, false), true
	case "curl":
		if c.given() {
			return w.visit(name, false), true
		}
		return value{net: true}, true
	case "setopt":
		switch opt := strings.ToUpper(name.src); {
		case strings.Contains(opt, "CURLOPT_URL"):
			w.visit(x(1), false)
		case strings.Contains(opt, "POSTFIELDS"):
			w.Net(model.Net{Sends: true})
		}
	default:
		return value{}, false
	}
	return value{}, true
}

// phpLoop reads foreach (x as k => v).
func phpLoop(w *walker) {
	w.accept("(")
	over := w.expr()
	if !w.tok().Named("as") {
		return
	}
	w.i++
	name := w.take()
	if w.accept("=>") {
		name = w.take()
	}
	w.set(name, over.element())
}
