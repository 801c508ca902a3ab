package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Column is where a table keeps the values of a key.
type Column struct {
	Name string
	// Many is true if the column is a list of values, as Join writes it.
	Many bool
}

// Separator stands around each value of a list. Values do not have it.
const Separator = "\x1f"

// Join is a list of values as a column with Many keeps it.
func Join(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return Separator + strings.Join(values, Separator) + Separator
}

// Table says how a database is asked.
type Table struct {
	Columns map[string]Column
	// Contains is the function that tells where in a text another one is: strpos,
	// or instr.
	Contains string
	// Values lists all that a column has, nil if that is not known or too much.
	// Patterns are then looked for in the list, and are exact.
	Values func(key string) []string
}

// Where is a condition for what the query wants, in SQL; "" is no condition.
// Parameters are numbered from first on and written $1; everything out of the
// query is a parameter. If exact is false, the condition also lets through what
// is not wanted, and Match has to be asked.
func (q *Query) Where(t *Table, first int) (sql string, args []any, exact bool) {
	if q == nil || q.root == nil {
		return "", nil, true
	}
	w := writer{table: t, first: first}
	c := q.root.where(&w)
	return c.sql, w.args, c.exact
}

// condition is never narrower than what it stands for; "" lets everything
// through.
type condition struct {
	sql   string
	exact bool
}

type writer struct {
	table *Table
	first int
	args  []any
}

func (w *writer) param(v any) string {
	w.args = append(w.args, v)
	return fmt.Sprintf("$%d", w.first+len(w.args)-1)
}

func (w *writer) values(key string) []string {
	if w.table.Values == nil {
		return nil
	}
	return slices.Clone(w.table.Values(key))
}

func (w *writer) oneOf(col *Column, texts []string) condition {
	if len(texts) == 0 {
		return condition{"1 = 0", true}
	}
	params := make([]string, len(texts))
	for i, text := range texts {
		params[i] = w.param(text)
	}
	return condition{col.Name + " IN (" + strings.Join(params, ", ") + ")", true}
}

// any lets through what one of n parts does. A part that lets everything
// through makes the others superfluous, and their parameters too.
func (w *writer) any(n int, part func(i int) condition) condition {
	before, out := len(w.args), condition{exact: true}
	var parts []string
	for i := range n {
		c := part(i)
		if c.sql == "" {
			w.args = w.args[:before]
			return condition{}
		}
		out.exact = out.exact && c.exact
		parts = append(parts, c.sql)
	}
	out.sql = "(" + strings.Join(parts, " OR ") + ")"
	return out
}

func (n or) where(w *writer) condition {
	return w.any(len(n), func(i int) condition { return n[i].where(w) })
}

func (n and) where(w *writer) condition {
	out := condition{exact: true}
	var parts []string
	for _, part := range n {
		c := part.where(w)
		out.exact = out.exact && c.exact
		if c.sql != "" {
			parts = append(parts, c.sql)
		}
	}
	if len(parts) > 0 {
		out.sql = "(" + strings.Join(parts, " AND ") + ")"
	}
	return out
}

func (n not) where(w *writer) condition {
	before := len(w.args)
	c := n.of.where(w)
	if !c.exact { // the opposite of too much would be too little
		w.args = w.args[:before]
		return condition{}
	}
	return condition{"NOT " + c.sql, true}
}

func (t *term) where(w *writer) condition {
	col, there := w.table.Columns[t.key]
	if !there {
		return condition{}
	}
	return w.any(len(t.values), func(i int) condition { return t.compare(w, &col, &t.values[i]) })
}

func (t *term) compare(w *writer, col *Column, v *value) condition {
	contains := func(text string, exact bool) condition {
		if strings.Trim(text, Separator) == "" || strings.ContainsRune(text, 0) {
			return condition{}
		}
		return condition{fmt.Sprintf("%s(%s, %s) > 0", w.table.Contains, col.Name, w.param(text)), exact}
	}
	switch {
	case t.compares():
		return condition{fmt.Sprintf("%s %s %s", col.Name, cmp.Or(t.op, "="), w.param(v.number)), true}
	case t.key == Word:
		return contains(v.text, true)
	case v.expr != nil || v.pattern:
		if values := w.values(t.key); values != nil {
			return w.oneOf(col, slices.DeleteFunc(values, func(have string) bool { return !v.fits(t.key, have) }))
		}
	}
	switch {
	case v.expr != nil:
		prefix, _ := v.expr.LiteralPrefix()
		return contains(prefix, false)
	case v.pattern:
		return contains(literal(v.text), false)
	case col.Many:
		return contains(Join([]string{v.text}), true)
	}
	return condition{fmt.Sprintf("%s = %s", col.Name, w.param(v.text)), true}
}

// literal is the longest part of a pattern that is in all that it matches, or
// "". Slashes beside a ** need not be there.
func literal(pattern string) (best string) {
	if strings.ContainsAny(pattern, `[\`) {
		return ""
	}
	depth, begin := 0, 0
	for i := range len(pattern) + 1 {
		if i < len(pattern) && !strings.ContainsRune("*?{}", rune(pattern[i])) {
			continue
		}
		if part := strings.Trim(pattern[begin:i], "/"); depth == 0 && len(part) > len(best) {
			best = part
		}
		if begin = i + 1; i < len(pattern) && pattern[i] == '{' {
			depth++
		} else if i < len(pattern) && pattern[i] == '}' {
			depth--
		}
	}
	return best
}
