package canonical

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// maxDepth bounds how deep Valid looks.
const maxDepth = 1000

// Valid reports that data is one JSON value in its canonical form. It does not
// recognize every such value: false means that it has to be looked at closely,
// by decoding it and writing it again. It allocates nothing for what records
// are made of.
func Valid(data []byte) bool {
	i := validValue(data, 0, 0)
	return i == len(data)
}

// validValue returns where the value at i ends, or -1.
func validValue(d []byte, i, depth int) int {
	if i >= len(d) || depth > maxDepth {
		return -1
	}
	switch c := d[i]; {
	case c == '"':
		return validString(d, i)
	case c == '{':
		return validObject(d, i, depth)
	case c == '[':
		return validList(d, i, depth)
	case c == 't':
		return word(d, i, "true")
	case c == 'f':
		return word(d, i, "false")
	case c == 'n':
		return word(d, i, "null")
	}
	return validNumber(d, i)
}

func word(d []byte, i int, w string) int {
	if len(d)-i < len(w) || string(d[i:i+len(w)]) != w {
		return -1
	}
	return i + len(w)
}

func validList(d []byte, i, depth int) int {
	if i++; i < len(d) && d[i] == ']' {
		return i + 1
	}
	for {
		if i = validValue(d, i, depth+1); i < 0 || i >= len(d) {
			return -1
		}
		switch d[i] {
		case ',':
			i++
		case ']':
			return i + 1
		default:
			return -1
		}
	}
}

// validObject wants the keys in order, each once, and without escapes.
func validObject(d []byte, i, depth int) int {
	if i++; i < len(d) && d[i] == '}' {
		return i + 1
	}
	var last []byte
	for first := true; ; first = false {
		if i >= len(d) || d[i] != '"' {
			return -1
		}
		end := validString(d, i)
		if end < 0 || end >= len(d) || d[end] != ':' {
			return -1
		}
		key := d[i+1 : end-1]
		if !first && compareUTF16(last, key) >= 0 {
			return -1
		}
		for _, c := range key {
			if c == '\\' {
				return -1
			}
		}
		last = key
		if i = validValue(d, end+1, depth+1); i < 0 || i >= len(d) {
			return -1
		}
		switch d[i] {
		case ',':
			i++
		case '}':
			return i + 1
		default:
			return -1
		}
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks, by their highest bits, the bytes of a word that do not stand
// in a string as they are: quote, backslash, control characters, and all beyond
// ASCII. The lowest mark is exact; above it there may be too many.
func special(w uint64) uint64 {
	quote, back := w^(ones*'"'), w^(ones*'\\')
	return (w | (w - ones*0x20) | (quote - ones) | (back - ones)) & highs
}

// validString returns where the string at i ends, behind its quote, or -1.
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

// validEscape takes the escapes that the canonical form has, and no others.
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

// validNumber takes whole numbers of up to 18 digits; others are rare.
func validNumber(d []byte, i int) int {
	if d[i] == '0' && (i+1 >= len(d) || !numeric(d[i+1])) {
		return i + 1
	}
	if d[i] == '-' {
		i++
	}
	start := i
	for i < len(d) && '0' <= d[i] && d[i] <= '9' {
		i++
	}
	if n := i - start; n == 0 || n > 18 || d[start] == '0' || i < len(d) && numeric(d[i]) {
		return -1
	}
	return i
}

func numeric(c byte) bool {
	return '0' <= c && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'
}
