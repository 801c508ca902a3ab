package languages

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/calls"
	"github.com/trammel-dev/trammel/effects/languages/within"
)

// A call table says what the functions of a language do. Its parts begin with
// the names of the modules or types that have the functions below, each between
// spaces: [ os posix ]. Methods have the type of their object and #, as Path#,
// or # for any object; functions of no module have a single space.
//
// Each row is the names of functions, a bar, and what a call of one does:
//
//	remove unlink | delete 0:path
//	urlretrieve | visit 0:url; fetched 1:filename
//
// The function [] is an index: ENV[x]. The function _ is every one that has no
// row. A step is a verb (verbs.go lists them) and operands:
//
//	0 1 last     an argument by its position
//	0:path,name  or by a name; :data is only a name, also of a field of an object among the arguments
//	1:dir=.      with what it is if it is not given
//	* 1*         all arguments, all from the second on
//	@            the object of a method
//	'text'       a text; home and here are the directories of these names
//	?x           a condition: the argument x is given and not false
//	!            a condition that holds
//
// The value of the call is that of the last step that has one.

// common has the methods of strings and lists, whose names are much the same
// everywhere.
//
//go:embed calls/common.txt
var common string

// row returns what a function does, "" if it is unknown.
func (w *walker) row(ref string) string {
	row, ok := w.rows[ref]
	if !ok {
		row = w.lang.row(ref)
		w.rows[ref] = row
	}
	return row
}

func (l *Language) row(ref string) string {
	at := strings.LastIndexAny(ref, ".#")
	name, module := ref[at+1:], ref[:at+1]
	if name == "" || strings.ContainsAny(name, " |") {
		return ""
	}
	if strings.HasSuffix(module, "#") {
		for _, try := range [...]string{module, "#"} {
			if row := calls.Row(*l.calls, try, name); row != "" {
				return row
			}
		}
		return calls.Row(common, module, name)
	}
	if row := calls.Row(*l.calls, strings.TrimSuffix(module, "."), name); row != "" || module == "" {
		return row
	}
	if head, rest, _ := strings.Cut(ref, "."); strings.Contains(rest, ".") { // sh.git.push
		if row := calls.Row(*l.calls, head, calls.Any); strings.HasPrefix(row, "byname") {
			return row
		}
	}
	return calls.Row(*l.calls, "", ref) // names of R have dots in them
}

// reflects reports whether an unknown member of a module may do harm.
func (l *Language) reflects(ref string) bool {
	if has(l.scopes, ref) {
		return true
	}
	for head, at := calls.Header(*l.calls, 0); head != ""; head, at = calls.Header(*l.calls, at) {
		if has(head, ref) {
			return true
		}
	}
	return false
}

// arguments of a call.
type arguments struct {
	list  []value
	named []field
	more  bool // there are others, which are unknown
}

func (a *arguments) add(list ...value) {
	a.list = append(a.list, list[:min(len(list), maxArgs-len(a.list))]...)
}

// at returns an argument by position or by one of its names.
func (a *arguments) at(i int, names ...string) (value, bool) {
	for _, f := range a.named {
		for _, name := range names {
			if f.name == name {
				return f.value, true
			}
		}
	}
	from := a.list
	if i >= 0 {
		if i >= len(a.list) {
			return value{}, false
		}
		from = a.list[i : i+1]
	}
	for n := range from {
		for _, name := range names {
			if v, ok := from[n].field(name); ok {
				return v, true
			}
		}
	}
	if i >= 0 {
		return a.list[i], true
	}
	return value{}, false
}

// on reports whether an option is given and not known to be false.
func (a *arguments) on(name string) bool {
	v, ok := a.at(-1, name)
	return ok && !v.off()
}

// text is the text of an option.
func (a *arguments) text(name string) string {
	v, _ := a.at(-1, name)
	return v.text
}

func (a *arguments) net() bool {
	for i := range a.list {
		if a.list[i].tainted() {
			return true
		}
	}
	for i := range a.named {
		if a.named[i].value.tainted() {
			return true
		}
	}
	return false
}

// call is a call whose row is carried out.
type call struct {
	ref  string
	recv *value
	arguments
	ops []string // operands of the current step
}

// on reports whether one of the conditions of the step holds.
func (c *call) on(w *walker) bool {
	for _, op := range c.ops {
		if op == "!" {
			return true
		}
		if name, ok := strings.CutPrefix(op, "?"); ok {
			if v, given := w.resolve(c, name); given && !v.off() {
				return true
			}
		}
	}
	return false
}

// has reports whether the step has an operand n.
func (c *call) has(n int) bool { return n < len(c.ops) && c.ops[n][0] != '?' && c.ops[n] != "!" }

// value is an operand of the step.
func (w *walker) value(c *call, n int) value {
	if !c.has(n) {
		return value{}
	}
	v, _ := w.resolve(c, c.ops[n])
	return v
}

// list is an operand of the step as a list, with the lists in it made flat.
func (w *walker) list(c *call, n int) value {
	if !c.has(n) {
		return value{kind: listValue}
	}
	op, otherwise, hasDefault := strings.Cut(c.ops[n], "=")
	from, all := strings.CutSuffix(op, "*")
	if !all {
		if v := w.value(c, n); v.kind != listValue {
			return listOf([]value{v})
		} else {
			return v
		}
	}
	out := value{kind: listValue, more: c.more}
	first, _ := strconv.Atoi(from)
	for i := first; i < len(c.arguments.list); i++ {
		if v := c.arguments.list[i]; v.kind == listValue {
			out.add(v.list...)
			out.more = out.more || v.more
		} else {
			out.add(v)
		}
	}
	if len(out.list) == 0 && hasDefault {
		out.add(known(otherwise))
	}
	return out
}

// resolve works out an operand, and reports whether it is given.
func (w *walker) resolve(c *call, op string) (value, bool) {
	op, otherwise, hasDefault := strings.Cut(op, "=")
	switch {
	case op == "@":
		if c.recv == nil {
			return value{src: c.ref}, true
		}
		return *c.recv, true
	case op == "home":
		return w.homeDir(), true
	case op == "here":
		return w.workDir(), true
	case op == "last":
		if n := len(c.arguments.list); n > 0 {
			return c.arguments.list[n-1], true
		}
		return value{}, false
	case op[0] == '\'':
		return known(op[1 : len(op)-1]), true
	case strings.HasSuffix(op, "*"):
		c.ops = append(c.ops, op)
		v := w.list(c, len(c.ops)-1)
		c.ops = c.ops[:len(c.ops)-1]
		return v, len(v.list) > 0 || v.more
	}
	position, names, _ := strings.Cut(op, ":")
	i := -1
	if position != "" && within.Digit(position[0]) {
		i, _ = strconv.Atoi(position)
	} else if position != "" {
		names = position
	}
	var v value
	var ok bool
	if names == "" {
		v, ok = c.at(i)
	} else {
		v, ok = c.at(i, strings.Split(names, ",")...)
	}
	if !ok && hasDefault {
		return known(otherwise), false
	}
	return v, ok
}
