package canonical

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth limits how deeply a value may nest.
const maxDepth = 1000

// Valid reports whether data is one JSON value in the form that Append writes.
// It allocates nothing for most values.
func Valid(data []byte) bool {
	c := NewCursor(data)
	c.Skip()
	return c.Done()
}

// Cursor reads a value in one pass and checks on the way that it is Valid. Once
// something is not, it stops, and everything that was read before must be
// discarded.
type Cursor struct {
	data  []byte
	at    int // -1 once something was not valid
	depth int
}

// NewCursor returns a cursor before the value.
func NewCursor(data []byte) Cursor { return Cursor{data: data} }

// Done reports whether everything was read, and was valid.
func (c *Cursor) Done() bool { return c.at == len(c.data) }

// Raw returns the bytes of the next value.
func (c *Cursor) Raw() []byte {
	start := c.at
	if c.Skip(); c.at < 0 {
		return nil
	}
	return c.data[start:c.at]
}

// Skip skips the next value.
func (c *Cursor) Skip() {
	d, i := c.data, c.at
	if i < 0 || i >= len(d) {
		c.at = -1
		return
	}
	switch d[i] {
	case '"':
		c.at = validString(d, i)
	case '{':
		c.object(nil)
	case '[':
		c.list(nil)
	case 't':
		c.at = word(d, i, "true")
	case 'f':
		c.at = word(d, i, "false")
	case 'n':
		c.at = word(d, i, "null")
	default:
		c.at = validNumber(d, i)
	}
}

func word(d []byte, i int, w string) int {
	if len(d)-i < len(w) || string(d[i:i+len(w)]) != w {
		return -1
	}
	return i + len(w)
}

// Peek is the next byte, 0 if there is none.
func (c *Cursor) Peek() byte {
	if c.at < 0 || c.at >= len(c.data) {
		return 0
	}
	return c.data[c.at]
}

// Members reads an object and calls fn with each key. Values that fn does not
// read are skipped. A value that is not an object is skipped, too.
func (c *Cursor) Members(fn func(key []byte)) {
	if c.Peek() == '{' {
		c.object(fn)
	} else {
		c.Skip()
	}
}

// Elements reads a list and calls fn for each element, as Members does.
func (c *Cursor) Elements(fn func()) {
	if c.Peek() == '[' {
		c.list(fn)
	} else {
		c.Skip()
	}
}

// more skips the separator after an element, and reports whether there is another.
func (c *Cursor) more(end byte) bool {
	switch c.Peek() {
	case ',':
		c.at++
		return true
	case end:
		c.at++
	default:
		c.at = -1
	}
	return false
}

// enter skips the beginning of a list or an object, and reports whether it has
// elements.
func (c *Cursor) enter(end byte) bool {
	c.at++
	if c.depth++; c.depth > maxDepth {
		c.at = -1
	}
	if c.Peek() == end {
		c.at++
		return false
	}
	return c.at > 0
}

func (c *Cursor) list(fn func()) {
	for more := c.enter(']'); more; more = c.more(']') {
		start := c.at
		if fn != nil {
			fn()
		}
		if c.at == start {
			c.Skip()
		}
	}
	c.depth--
}

// object requires the keys in order, and each once.
func (c *Cursor) object(fn func(key []byte)) {
	var last []byte
	for first, more := true, c.enter('}'); more; first, more = false, c.more('}') {
		key, end := c.key()
		if end < 0 || !first && !ordered(last, key) {
			c.at = -1
			break
		}
		last = key
		c.at = end + 1
		if fn != nil {
			fn(key)
		}
		if c.at == end+1 {
			c.Skip()
		}
	}
	c.depth--
}

// key reads the key that comes next, and returns where its colon is, or -1.
func (c *Cursor) key() (key []byte, end int) {
	d, start := c.data, c.at
	if c.Peek() != '"' {
		return nil, -1
	}
	for end = start + 1; end < len(d) && isWord(d[end]); end++ { // what most keys are made of
	}
	if end+1 < len(d) && d[end] == '"' && d[end+1] == ':' {
		return d[start+1 : end], end + 1
	}
	if end = validString(d, start); end < 0 || end >= len(d) || d[end] != ':' {
		return nil, -1
	}
	key = d[start+1 : end-1]
	if bytes.IndexByte(key, '\\') >= 0 {
		key, _ = jsontext.AppendUnquote([]byte{}, d[start:end]) // its escapes are known by now
	}
	return key, end
}

func isWord(c byte) bool { return 'a' <= c && c <= 'z' || c == '_' }

// ordered reports whether one key comes before another.
func ordered(a, b []byte) bool {
	if len(a) > 0 && len(b) > 0 && a[0] != b[0] && a[0]|b[0] < utf8.RuneSelf {
		return a[0] < b[0]
	}
	return compareUTF16(a, b) < 0
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks, by their highest bits, the bytes of a word that need escapes
// in a string or are not ASCII: quote, backslash, control characters, and all
// beyond ASCII. The lowest mark is exact; above it there may be too many.
func special(w uint64) uint64 {
	quote, back := w^(ones*'"'), w^(ones*'\\')
	return (w | (w - ones*0x20) | (quote - ones) | (back - ones)) & highs
}

// validString returns where the string at i ends, after its quote, or -1.
func validString(d []byte, i int) int {
	for i++; i < len(d); {
		for len(d)-i >= 8 {
			if m := special(binary.LittleEndian.Uint64(d[i:])); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(d) {
			return -1
		}
		switch c := d[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = validEscape(d, i); i < 0 {
				return -1
			}
		case c < 0x20:
			return -1
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(d[i:])
			if r == utf8.RuneError && n <= 1 {
				return -1
			}
			i += n
		}
	}
	return -1
}

// validEscape accepts only the escapes of the canonical form.
func validEscape(d []byte, i int) int {
	if i+1 >= len(d) {
		return -1
	}
	switch d[i+1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		if len(d)-i < 6 || d[i+2] != '0' || d[i+3] != '0' || d[i+4] != '0' && d[i+4] != '1' {
			return -1
		}
		c := d[i+5]
		short := d[i+4] == '0' && (c == '8' || c == '9' || c == 'a' || c == 'c' || c == 'd') // these have a letter of their own
		if !short && ('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return i + 6
		}
	}
	return -1
}

// validNumber requires the digits that Append writes.
func validNumber(d []byte, i int) int {
	start, digits := i, true
	for i < len(d) && numeric(d[i]) {
		digits = digits && ('0' <= d[i] && d[i] <= '9' || d[i] == '-' && i == start)
		i++
	}
	switch n := i - start; {
	case n == 0 || n > 1 && d[start] == '0' && digits || d[start] == '-' && (n == 1 || d[start+1] == '0' && digits):
		return -1
	case digits && n <= 18:
		return i
	}
	text := string(d[start:i])
	if _, err := strconv.ParseInt(text, 10, 64); err == nil && digits {
		return i
	}
	if _, err := strconv.ParseUint(text, 10, 64); err == nil && digits {
		return i
	}
	if f, err := strconv.ParseFloat(text, 64); err != nil || f == 0 || jsontext.Float(f).String() != text {
		return -1
	}
	return i
}

func numeric(c byte) bool {
	return '0' <= c && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'
}
