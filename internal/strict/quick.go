package strict

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxQuick is the size up to which objects are read quickly.
	maxQuick = 64 << 10
	// maxShared is the size up to which the texts of an object share one copy of
	// it. Whoever keeps one of them then keeps all, which must not be much.
	maxShared = 4 << 10
)

// Quick reads an object that every reader understands in the same way, as Object
// does, at a fraction of the cost. It reports false for anything else, also if
// nothing is wrong with it: only Object can say what is. Large objects and
// numbers that are zero but not an integer are always left to it.
func Quick(raw []byte) (map[string]any, bool) { return quickly(raw, DefaultDepth) }

func quickly(raw []byte, depth int) (map[string]any, bool) {
	if len(raw) > maxQuick {
		return nil, false
	}
	q := quick{raw: raw, left: depth}
	if len(raw) <= maxShared {
		q.shared = string(raw)
	}
	q.space()
	if q.peek() != '{' {
		return nil, false
	}
	obj := q.object()
	q.space()
	return obj, !q.bad && q.at == len(raw)
}

// quick reads a value in one pass. Once something is not as expected, bad is set,
// and what was read must be discarded.
type quick struct {
	raw    []byte
	shared string // a copy of raw, "" if texts are copied one by one
	at     int
	left   int // how much deeper values may be nested
	bad    bool
}

// peek is the next byte, 0 at the end or once something was bad.
func (q *quick) peek() byte {
	if q.bad || q.at >= len(q.raw) {
		return 0
	}
	return q.raw[q.at]
}

func (q *quick) space() {
	for q.at < len(q.raw) {
		switch q.raw[q.at] {
		case ' ', '\t', '\n', '\r':
			q.at++
		default:
			return
		}
	}
}

// next skips a separator and the space around it, and reports whether it was there.
func (q *quick) next(separator byte) bool {
	q.space()
	if q.peek() != separator {
		return false
	}
	q.at++
	q.space()
	return true
}

// enter skips the beginning of an object or a list, and reports whether it has elements.
func (q *quick) enter(end byte) bool {
	if q.left--; q.left < 0 {
		q.bad = true
	}
	q.at++
	q.space()
	return q.peek() != end
}

// leave skips the end of an object or a list.
func (q *quick) leave(end byte) {
	q.left++
	if q.peek() != end {
		q.bad = true
	}
	q.at++
}

func (q *quick) object() map[string]any {
	obj := map[string]any{}
	for more := q.enter('}'); more && !q.bad; more = q.next(',') {
		key := q.text()
		if !q.next(':') {
			q.bad = true
		}
		n := len(obj)
		if obj[key] = q.value(); len(obj) == n { // the key was there before
			q.bad = true
		}
	}
	q.leave('}')
	return obj
}

func (q *quick) list() []any {
	list := []any{}
	for more := q.enter(']'); more && !q.bad; more = q.next(',') {
		list = append(list, q.value())
	}
	q.leave(']')
	return list
}

func (q *quick) value() any {
	switch q.peek() {
	case '"':
		return q.text()
	case '{':
		return q.object()
	case '[':
		return q.list()
	case 't':
		q.word("true")
		return true
	case 'f':
		q.word("false")
		return false
	case 'n':
		q.word("null")
		return nil
	}
	return q.number()
}

func (q *quick) word(w string) {
	if !bytes.HasPrefix(q.raw[q.at:], []byte(w)) {
		q.bad = true
	}
	q.at += len(w)
}

// text reads a string.
func (q *quick) text() string {
	if q.peek() != '"' {
		q.bad = true
		return ""
	}
	start, escaped, union := q.at+1, false, byte(0)
	for i := start; i < len(q.raw); i++ {
		switch c := q.raw[i]; {
		case c == '"':
			q.at = i + 1
			return q.part(start, i, escaped, union)
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			q.bad = true
			return ""
		default:
			union |= c
		}
	}
	q.bad = true
	return ""
}

// part is the text between two quotes.
func (q *quick) part(start, end int, escaped bool, union byte) string {
	if escaped {
		text, err := jsontext.AppendUnquote(nil, q.raw[start-1:end+1])
		q.bad = q.bad || err != nil
		return string(text)
	}
	if union >= utf8.RuneSelf && !utf8.Valid(q.raw[start:end]) {
		q.bad = true
	}
	if q.shared != "" {
		return q.shared[start:end]
	}
	return string(q.raw[start:end])
}

func (q *quick) number() any {
	start, float := q.at, false
	if q.peek() == '-' {
		q.at++
	}
	zero := q.peek() == '0'
	if n := q.digits(); zero && n > 1 {
		q.bad = true
	}
	if q.peek() == '.' {
		float = true
		q.at++
		q.digits()
	}
	if c := q.peek(); c == 'e' || c == 'E' {
		float = true
		q.at++
		if c := q.peek(); c == '+' || c == '-' {
			q.at++
		}
		q.digits()
	}
	if q.bad {
		return nil
	}
	v, err := number(string(q.raw[start:q.at]))
	q.bad = err != nil || float && v == 0.0
	return v
}

// digits skips digits, at least one, and returns how many.
func (q *quick) digits() int {
	start := q.at
	for c := q.peek(); '0' <= c && c <= '9'; c = q.peek() {
		q.at++
	}
	if q.at == start {
		q.bad = true
	}
	return q.at - start
}

// number is an integer if it is written as one, else a float. A float beyond 64 bits
// may be written as an integer, in the one way in which it is written in canonical JSON.
func number(text string) (any, error) {
	if strings.ContainsAny(text, ".eE") {
		return strconv.ParseFloat(text, 64)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil && len(text) <= len("-100000000000000000000") {
		if f, wrong := strconv.ParseFloat(text, 64); wrong == nil && strconv.FormatFloat(f, 'f', -1, 64) == text {
			return f, nil
		}
	}
	return n, err
}
