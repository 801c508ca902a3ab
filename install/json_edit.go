package install

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// edits are cuts and insertions in a document, by offset in its source.
// Everything else stays byte for byte.
type edits []edit

type edit struct {
	from, to int
	text     string
}

func (e *edits) insert(at int, text string) { *e = append(*e, edit{at, at, text}) }
func (e *edits) cut(from, to int)           { *e = append(*e, edit{from, to, ""}) }

// apply makes the edits. Those at one place keep the order in which they were
// made.
func (e edits) apply(src []byte) []byte {
	slices.SortStableFunc(e, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, x := range e {
		out = append(out, src[at:x.from]...)
		out = append(out, x.text...)
		at = x.to
	}
	return append(out, src[at:]...)
}

// slot is an element of an object or a list, with what is around it.
type slot struct {
	before     hujson.Extra // from the bracket or comma before it
	start, end int
	after      hujson.Extra // up to its comma
	comma      bool
}

// container is an object or a list, seen as slots.
type container struct {
	slots []slot
	tail  hujson.Extra // before the closing bracket
	end   int          // just after the closing bracket
}

func containerOf(v *hujson.Value) container {
	c := container{end: v.EndOffset}
	add := func(first, last *hujson.Value, i, n int) {
		c.slots = append(c.slots, slot{before: first.BeforeExtra, start: first.StartOffset, end: last.EndOffset,
			after: last.AfterExtra, comma: i < n-1 || last.AfterExtra != nil})
	}
	switch o := v.Value.(type) {
	case *hujson.Object:
		c.tail = o.AfterExtra
		for i := range o.Members {
			add(&o.Members[i].Name, &o.Members[i].Value, i, len(o.Members))
		}
	case *hujson.Array:
		c.tail = o.AfterExtra
		for i := range o.Elements {
			add(&o.Elements[i], &o.Elements[i], i, len(o.Elements))
		}
	}
	return c
}

const blanks = " \t\r\n"

// append adds elements at the end, each written by write at the indentation
// that it is given. indent is where the container's own line begins.
func (e *edits) append(c container, l layout, indent string, n int, write func(dst []byte, i int, l layout, indent string) []byte) {
	tailStart := c.end - 1 - len(c.tail)
	at := tailStart + len(strings.TrimRight(string(c.tail), blanks))
	rest := string(c.tail[at-tailStart:]) // blanks before the closing bracket
	inner, trailing := indent+l.unit, false
	if len(c.slots) > 0 {
		last := &c.slots[len(c.slots)-1]
		trailing = last.comma
		if own, ok := lastLine(string(last.before)); ok {
			inner = own
		} else {
			l = l.inline()
		}
		if !trailing {
			e.insert(last.end, ",")
		}
	}
	var text []byte
	for i := range n {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, l.gap(inner, len(c.slots) == 0 && i == 0)...)
		text = write(text, i, l, inner)
	}
	if trailing {
		text = append(text, ',')
	}
	if len(c.slots) == 0 && !l.flat && !strings.Contains(rest, "\n") {
		text = append(text, l.eol+indent...)
	}
	e.insert(at, string(text))
}

// remove removes elements, with the blanks before them and their commas, so
// that it undoes append. Comments around them stay.
func (e *edits) remove(src []byte, c container, gone func(i int) bool) {
	kept := -1
	for i := range c.slots {
		if !gone(i) {
			kept = i
			continue
		}
		s := &c.slots[i]
		next := s.end
		if s.comma {
			next = s.end + len(s.after) + 1
			e.cut(next-1, next)
		}
		from := s.start - len(s.before) + len(strings.TrimRight(string(s.before), blanks))
		if len(s.after) > 0 || from > s.start-len(s.before) && !endsLine(src[next:]) {
			from = s.start // a line comment before it must not swallow what follows
		}
		e.cut(from, s.end)
	}
	if n := len(c.slots); kept >= 0 && kept < n-1 && !c.slots[n-1].comma {
		s := &c.slots[kept]
		e.cut(s.end+len(s.after), s.end+len(s.after)+1)
	}
}

func endsLine(rest []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r"), []byte("\n"))
}
