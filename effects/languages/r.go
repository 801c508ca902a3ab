package languages

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
)

//go:embed calls/r.txt
var rCalls string

var r = Language{
	Syntax:    &lex.R,
	name:      "r",
	stdin:     " stdin ",
	callsAny:  true,
	base:      1,
	tilde:     true,
	joins:     "+",
	members:   " :: $ ",
	named:     " = ",
	prefixes:  " return not new ",
	operators: " or and in is not ",
	functions: " function ",
	keywords:  " for:loop ",
	loop:      func(w *walker) { w.accept("("); w.loopIn() },
	canonical: func(ref string) string {
		const packages = " base utils fs devtools remotes pak rmarkdown knitr quarto httr curl readr withr "
		if pkg, name, ok := strings.Cut(ref, "."); ok && has(packages, pkg) {
			return name
		}
		return ref
	},
	verb:  rVerb,
	calls: &rCalls,
}

// rVerb does what only calls of R do.
func rVerb(w *walker, c *call, verb string) (value, bool) {
	switch verb {
	case "output":
		file, ok := c.at(-1, "file", "con")
		if !ok {
			if file, ok = w.resolve(c, c.ops[0]); !ok {
				return value{}, true
			}
		}
		content, _ := c.at(0)
		w.fill(file, content)
	case "command": // its arguments are put together for a shell
		w.tie()
		v, _ := w.resolve(c, c.ops[0])
		w.shell(implode(concat(listOf([]value{v}), w.list(c, 1)), " "))
	case "paste":
		sep, ok := c.at(-1, "sep", "collapse")
		if !ok && c.ref == "paste" {
			sep.text = " "
		}
		return implode(w.list(c, 0), sep.text), true
	default:
		return value{}, false
	}
	return value{}, true
}
