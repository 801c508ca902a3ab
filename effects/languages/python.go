package languages

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/calls"
	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/model"
)

//go:embed calls/python.txt
var pythonCalls string

var python = Language{
	Syntax:    &lex.Python,
	name:      "python",
	indented:  true,
	adjacent:  true,
	callsAny:  true,
	annotates: true,
	joins:     "+",
	members:   " . ",
	named:     " = ",
	prefixes:  " await return throw typeof void yield new not raise async ",
	operators: " or and in is not ",
	keywords:  " import:import from:import for:loop with:with def:define class:define del:value ",
	values:    " os.environ:env os.sep:/ __file__:unknown sys.executable:python3 ",
	arguments: "sys.argv",
	scopes:    " __builtins__ builtins globals() sys.modules ",
	loop:      (*walker).loopIn,
	imports:   pythonImport,
	canonical: pythonName,
	verb:      pythonVerb,
	calls:     &pythonCalls,
}

// pythonName is the name of a function without the ways to write it.
func pythonName(ref string) string {
	for _, prefix := range [...]string{"posix.", "nt."} {
		if rest, ok := strings.CutPrefix(ref, prefix); ok {
			ref = "os." + rest
		}
	}
	return strings.TrimSuffix(ref, ".__dict__")
}

// pythonVerb does what only calls of Python do.
func pythonVerb(w *walker, c *call, verb string) (value, bool) {
	x := func(n int) value { return w.value(c, n) }
	arg := func(n int) value { v, _ := c.at(n); return v }
	switch verb {
	case "osopen":
		flags := arg(1).src
		if flags == "" || strings.Contains(flags, "WR") || strings.Contains(flags, "CREAT") || strings.Contains(flags, "TRUNC") {
			w.file(model.File{Op: model.Write, Append: !strings.Contains(flags, "TRUNC")}, arg(0))
		} else {
			w.file(model.File{Op: model.Read}, arg(0))
		}
	case "walked":
		return listOf([]value{listOf([]value{x(0), everyName, everyName})}), true
	case "expandvars":
		v := x(0)
		for _, home := range [...]string{"$HOME", "${HOME}"} {
			if rest, ok := strings.CutPrefix(v.text, home); ok && v.kind == textValue {
				return concat(w.homeDir(), known(rest)), true
			}
		}
		if strings.Contains(v.text, "$") {
			return value{src: v.text}, true
		}
		return v, true
	case "archived":
		if c.has(1) {
			w.file(model.File{Op: model.Read, Tree: true}, x(1))
		}
		w.file(model.File{Op: model.Write}, concat(x(0), pattern(".*")))
	case "database":
		if x(0).text != ":memory:" {
			w.file(model.File{Op: model.Read}, x(0))
			w.file(model.File{Op: model.Write, Append: true}, x(0))
		}
	case "query":
		if c.recv == nil || c.recv.kind != unknownValue && c.recv.ref != "database" || x(0).kind != textValue {
			return value{}, false
		}
		w.Code(model.Code{Language: "sql", Text: x(0).text, Origin: model.Inline})
	case "inplace":
		if c.on(w) {
			w.file(model.File{Op: model.Write}, x(0))
		}
	case "words":
		if v := x(0); v.kind == textValue {
			words := strings.Fields(v.text)
			for i := range words {
				words[i] = strings.Trim(words[i], `'"`)
			}
			return pieces(words), true
		}
		return value{net: x(0).net}, true
	case "getter":
		if f := named("os." + x(0).text); w.risky(f) {
			w.handOn(f)
		}
		return value{kind: nameValue, ref: reflected, src: c.ref + " " + x(0).src}, true
	case "request":
		method := arg(0)
		return w.visit(x(0), c.arguments.on("data") || c.arguments.on("json") || c.arguments.on("files") || method.text != "GET"), true
	case "connect", "bind":
		to := arg(0)
		switch {
		case to.kind == listValue && len(to.list) > 1:
			return w.dial(to.list[0], to.list[1], verb == "bind"), true
		case c.recv == nil || c.recv.ref != "socket":
			return value{}, false
		}
		return w.dial(value{}, value{}, verb == "bind"), true
	case "put":
		if c.recv == nil || c.recv.kind != objectValue || c.recv.ref != "file" {
			return value{}, false
		}
		for _, text := range w.texts(*c.recv) {
			content := contentOf(arg(0))
			content.Known = content.Known && c.has(0)
			w.Wrote(w.Resolve(text), content)
		}
	default:
		return value{}, false
	}
	return value{}, true
}

// pythonImport reads import a.b as c, d and from a import b as c.
func pythonImport(w *walker) {
	from := w.last().Text == "from"
	module := w.dotted()
	if !from {
		for w.left > 0 {
			name, _, _ := strings.Cut(module, ".")
			target := name
			if w.tok().Named("as") {
				w.i++
				name, target = w.take(), module
			}
			w.set(name, named(target))
			if !w.accept(",") {
				return
			}
			module = w.dotted()
		}
		return
	}
	if !w.tok().Named("import") {
		return
	}
	w.i++
	if w.accept("(") {
		defer w.inside()()
	}
	for w.left > 0 {
		if w.accept("*") {
			w.importAll(module)
			return
		}
		if w.tok().Kind != lex.Name {
			break
		}
		name := w.take()
		local := name
		if w.tok().Named("as") {
			w.i++
			local = w.take()
		}
		w.set(local, named(pythonName(module+"."+name)))
		if !w.accept(",") {
			break
		}
	}
	w.accept(")")
}

// importAll makes the functions of a module known without its name.
func (w *walker) importAll(module string) {
	for head, at := calls.Header(*w.lang.calls, 0); head != ""; head, at = calls.Header(*w.lang.calls, at) {
		if !has(head, module) {
			continue
		}
		for row := range strings.Lines(calls.Rows(*w.lang.calls, at)) {
			names, _, _ := strings.Cut(row, "|")
			for _, name := range strings.Fields(names) {
				if _, taken := w.vars[name]; !taken && w.left > 0 {
					w.left--
					w.set(name, named(module+"."+name))
				}
			}
		}
	}
	if module == "os" {
		w.set("environ", named("os.environ"))
		w.set("path", named("os.path"))
	}
}

func (w *walker) dotted() string {
	var b strings.Builder
	for w.left > 0 {
		t := w.tok()
		switch {
		case t.Kind == lex.Name && t.Text != "import" && t.Text != "as" && (b.Len() == 0 || strings.HasSuffix(b.String(), ".")):
			b.WriteString(t.Text)
		case t.Is("."):
			b.WriteByte('.')
		default:
			return b.String()
		}
		w.i++
	}
	return b.String()
}
