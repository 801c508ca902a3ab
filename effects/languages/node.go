package languages

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/calls"
	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// node is JavaScript: of node, deno, bun and osascript.
//
//go:embed calls/node.txt
var nodeCalls string

var node = Language{
	Syntax:    &lex.Node,
	name:      "node",
	stdin:     " 0 ",
	commaEnds: true,
	callsAny:  true,
	annotates: true,
	joins:     "+",
	members:   " . ?. ",
	continues: " . ?. + || && ? : ?? ",
	prefixes:  " await return throw typeof void yield new not raise async const let var export ",
	operators: " or and in is not instanceof of ",
	functions: " function ",
	keywords:  " import:import for:loop const:take-apart let:take-apart var:take-apart function:function package:package ",
	values: " process.env:env document.cookie:env localStorage:env sessionStorage:env " +
		"Bun.env:env import.meta.env:env os.sep:/ path.sep:/ os.EOL:\n __dirname:here __filename:unknown ",
	arguments: "process.argv",
	scopes:    " globalThis global window self ",
	loop:      nodeLoop,
	imports:   nodeImport,
	canonical: calls.NodeFunction,
	verb:      nodeVerb,
	calls:     &nodeCalls,
}

// nodeVerb does what only calls of JavaScript do.
func nodeVerb(w *walker, c *call, verb string) (value, bool) {
	x := func(n int) value { return w.value(c, n) }
	arg := func(n int) value { v, _ := c.at(n); return v }
	switch verb {
	case "require":
		m := arg(0)
		switch {
		case m.kind != textValue && w.fetched:
			w.eval(m)
		case m.kind != textValue:
			w.doubtCode("require " + m.src)
		case strings.HasPrefix(m.text, ".") || strings.HasPrefix(m.text, "/"):
			return w.readFile(m), true
		case strings.Contains(m.text, "://") && !strings.HasPrefix(m.text, "file:"):
			w.eval(m)
		case strings.HasPrefix(m.text, "data:"):
			if code, ok := recipes.DataURL(m.text); ok {
				w.eval(known(code))
			} else {
				w.doubtCode(m.text)
			}
		default:
			return named(calls.NodeModule(m.text)), true
		}
	case "trees":
		v := x(0)
		v.glob = v.glob || strings.ContainsAny(v.text, "*?")
		w.file(model.File{Op: model.Delete, Tree: true}, v)
	case "stream":
		w.file(model.File{Op: model.Write, Append: strings.HasPrefix(c.text("flags"), "a")}, x(0))
		return value{kind: objectValue, ref: "file", text: x(0).text}, true
	case "openflags":
		flags := x(1)
		write := c.arguments.on("write") || c.arguments.on("append") || c.arguments.on("create") || c.arguments.on("truncate")
		switch {
		case flags.kind == textValue && strings.ContainsAny(flags.text, "wax+"):
			w.file(model.File{Op: model.Write, Append: !strings.Contains(flags.text, "w")}, x(0))
		case write:
			w.file(model.File{Op: model.Write, Append: !c.arguments.on("truncate")}, x(0))
		default:
			w.file(model.File{Op: model.Read}, x(0))
		}
	case "worker":
		if c.arguments.on("eval") {
			w.eval(x(0))
			break
		}
		for _, text := range w.texts(x(0)) {
			w.RunFile("node", text)
		}
	case "later":
		if x(0).kind != textValue {
			return value{}, false
		}
		w.eval(x(0))
	case "requested":
		method := c.text("method")
		sends := c.on(w) && method != "" && method != "GET"
		host, ok := c.at(-1, "hostname", "host")
		if !ok {
			return w.visit(x(0), sends), true
		}
		w.Net(model.Net{Host: strings.ToLower(host.text), Port: c.text("port"), Sends: sends})
		return value{net: true}, true
	case "connected":
		if host, ok := c.at(-1, "host", "hostname"); ok {
			port, _ := c.at(-1, "port")
			return w.dial(host, port, false), true
		}
		return w.dial(arg(1), arg(0), false), true
	case "name":
		w.Net(model.Net{Host: strings.ToLower(x(0).text)})
	case "pipe":
		to := arg(0)
		if c.recv != nil && c.recv.tainted() && to.ref == "file" {
			w.Wrote(w.Resolve(word(to.text)), Content{Network: true})
			return *c.recv, true
		}
		if c.recv != nil && (c.recv.ref == "socket" || c.recv.ref == "process" || c.recv.net) { // a socket into a process or the other way round
			w.piped = true
			w.tie()
		}
	case "constructed": // (…).constructor.constructor('code')() is eval
		if !c.given() {
			return value{}, false
		}
		v, _ := w.resolve(c, "last")
		w.eval(v)
	default:
		return value{}, false
	}
	return value{}, true
}

// nodeImport reads import x from 'm', import {a as b} from 'm', import * as m.
func nodeImport(w *walker) {
	start := w.i
	for w.tokens[w.i].Kind != lex.Text {
		t := &w.tokens[w.i]
		w.cut = w.cut || w.i == start+maxAhead
		if t.Kind == lex.End || t.Is(";") || t.Is("(") || w.i == start+maxAhead {
			return
		}
		w.i++
	}
	module := calls.NodeModule(w.tokens[w.i].Text)
	end := w.i
	w.i++
	braces := false
	for i := start; i < end; i++ {
		t := &w.tokens[i]
		switch {
		case t.Is("{"):
			braces = true
		case t.Is("}"):
			braces = false
		case t.Kind != lex.Name || t.Text == "from" || t.Text == "as" || t.Text == "type":
		case braces:
			local := t.Text
			if i+2 < end && w.tokens[i+1].Named("as") {
				local = w.tokens[i+2].Text
				i += 2
			}
			w.set(local, named(module+"."+t.Text))
		default:
			w.set(t.Text, named(module))
		}
	}
}

// nodeLoop reads for (const x of y); another for is read like any code.
func nodeLoop(w *walker) {
	w.accept("(")
	for i := w.i; i < len(w.tokens) && i < w.i+maxAhead && !w.tokens[i].Is(";") && !w.tokens[i].Is("{"); i++ {
		if w.tokens[i].Named("of") || w.tokens[i].Named("in") {
			w.loopIn()
			return
		}
	}
}
