package languages

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
)

//go:embed calls/ruby.txt
var rubyCalls string

var ruby = Language{
	Syntax:       &lex.Ruby,
	name:         "ruby",
	loopsOver:    true,
	blocksBehind: true,
	adjacent:     true,
	joins:        "+",
	members:      " . ?. -> :: &. ",
	continues:    " . ?. &. ",
	named:        " : => ",
	bareCalls:    "*",
	prefixes:     " return not new puts p pp then begin defined? ",
	operators:    " or and in is not instanceof ",
	keywords:     " for:loop def:define class:define ",
	values: " ENV:env ENV.to_h:env ENV.to_a:env ENV.to_hash:env ENV.inspect:env ENV.to_json:env ENV.values:env ENV.sort:env " +
		"__FILE__:unknown __dir__:here Dir.home:home Path.home:home Path.home.to_s:home " +
		"Dir.mktmpdir:/tmp/dXXXXXXXX Dir.tmpdir:/tmp Dir.pwd:here Dir.getwd:here ",
	arguments: "ARGV",
	scopes:    " Kernel Object self binding ",
	loop:      (*walker).loopIn,
	canonical: func(ref string) string { return strings.TrimSuffix(ref, ".call") },
	verb:      rubyVerb,
	calls:     &rubyCalls,
}

// rubyVerb does what only calls of Ruby do.
func rubyVerb(w *walker, c *call, verb string) (value, bool) {
	x := func(n int) value { return w.value(c, n) }
	switch verb {
	case "rubyopen":
		name := x(0)
		if command, ok := strings.CutPrefix(name.text, "|"); ok && name.kind == textValue {
			w.shell(known(command))
			break
		}
		if strings.Contains(name.text, "://") {
			return w.visit(name, false), true
		}
		mode, given := w.resolve(c, c.ops[1])
		return w.open(name, mode, given), true
	case "expandpath":
		if v := w.expandUser(x(0)); len(c.arguments.list) < 2 {
			return v, true
		} else {
			return joinPath([]value{x(1), v}), true
		}
	case "require":
		if v := x(0); v.kind != textValue || strings.HasPrefix(v.text, "/") || strings.HasPrefix(v.text, ".") {
			for _, text := range w.texts(v) {
				w.RunFile("ruby", text)
			}
		}
	case "send": // Kernel.send(:system, "ls")
		name, _ := c.at(0)
		if name.kind != textValue {
			w.doubtCode("send " + name.src)
			break
		}
		f := w.valueOf(name.text)
		if c.recv != nil {
			f = w.member(*c.recv, name.text)
		}
		return w.invoke(f, arguments{list: c.arguments.list[1:], named: c.named}), true
	case "url":
		v := x(0)
		if v.kind == textValue {
			v = value{kind: objectValue, ref: "url", text: v.text}
		}
		return v, true
	default:
		return value{}, false
	}
	return value{}, true
}
