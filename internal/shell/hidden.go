package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// hide notes where the value of a dynamic part may come from, if that is in
// the source itself: then what the source mentions may be an argument.
//
// A quoted substitution around a here-document is left out. It is one word of
// prose, the way messages are passed (git commit -m "$(cat <<EOF …)"), and what
// prose mentions is not an argument.
func (r *reader) hide(part syntax.WordPart, text string, quoted bool) {
	switch p := part.(type) {
	case *syntax.CmdSubst:
		if !quoted || !strings.Contains(text, "<<") {
			r.hidden = append(r.hidden, text)
		}
	case *syntax.ParamExp:
		if p.Exp != nil && p.Exp.Word != nil { // ${x:-value}
			r.hidden = append(r.hidden, slice(r.source, p.Exp.Word))
		}
		if p.Repl != nil && p.Repl.With != nil {
			r.hidden = append(r.hidden, slice(r.source, p.Repl.With))
		}
		if !r.open && p.Param != nil && (isPositional(p.Param.Value) || p.Excl || r.isSet(p.Param.Value)) {
			r.open = true
			r.hidden = append(r.hidden, r.origin...)
		}
	}
}

// isPositional reports whether the parameter is an argument of a script or function.
func isPositional(name string) bool {
	return name == "@" || name == "*" || name != "" && '1' <= name[0] && name[0] <= '9'
}

// maxLookups bounds the searches in a line for variables. Beyond it they
// count as found.
const maxLookups = 256

// isSet reports whether the source gives the variable a value.
func (w *walker) isSet(name string) bool {
	w.lookups++
	for _, source := range w.origin {
		if w.lookups > maxLookups || sets(source, name) {
			return true
		}
	}
	return false
}

// sets reports whether the source names a variable other than to read it:
// x=1, read x, for x in.
func sets(source, name string) bool {
	for at := 0; ; {
		i := strings.Index(source[at:], name)
		if i < 0 || name == "" {
			return false
		}
		from, to := at+i, at+i+len(name)
		before, after := byte(' '), byte(' ')
		if from > 0 {
			before = source[from-1]
		}
		if to < len(source) {
			after = source[to]
		}
		if !joins(before) && !joins(after) && before != '$' && before != '{' {
			return true
		}
		at = from + 1
	}
}

// isList reports whether a part becomes several words even in double quotes.
func isList(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	return ok && (p.Index != nil || p.Excl || p.Param != nil && p.Param.Value == "@")
}
