package filter

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Match reports whether an item is wanted.
func (q *Query) Match(i Item) bool { return q == nil || q.root == nil || q.root.match(i) }

func (n or) match(i Item) bool {
	return slices.ContainsFunc(n, func(part node) bool { return part.match(i) })
}

func (n and) match(i Item) bool {
	return !slices.ContainsFunc(n, func(part node) bool { return !part.match(i) })
}

func (n not) match(i Item) bool { return !n.of.match(i) }

// none is what a key without values is compared with: hook:"" finds where no
// hook ran.
var none = []string{""}

func (t *term) match(i Item) bool {
	if t.compares() {
		have := i.Number(t.key)
		return slices.ContainsFunc(t.values, func(v value) bool { return holds(have, t.op, v.number) })
	}
	texts := i.Texts(t.key)
	if len(texts) == 0 {
		texts = none
	}
	for _, have := range texts {
		for j := range t.values {
			if v := &t.values[j]; v.fits(t.key, have) {
				return true
			}
		}
	}
	return false
}

// compares reports whether the term is about a number.
func (t *term) compares() bool {
	s := keywords[t.key].sort
	return t.key == At || s == duration || s == ahead
}

func (v *value) fits(key, have string) bool {
	switch {
	case key == Word:
		return strings.Contains(have, v.text)
	case v.expr != nil:
		return v.expr.MatchString(have)
	case v.pattern:
		return doublestar.MatchUnvalidated(v.text, have)
	}
	return have == v.text
}

func holds(have int64, op string, want int64) bool {
	switch op {
	case ">":
		return have > want
	case ">=":
		return have >= want
	case "<":
		return have < want
	case "<=":
		return have <= want
	}
	return have == want
}
