package compute

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unescape resolves the escapes of $'…'.
func Unescape(s string) string {
	return escapes(s, func(b *strings.Builder, i int) int {
		if at := strings.IndexByte(`abefnrtvE`, s[i]); at >= 0 {
			b.WriteByte("\a\b\x1b\f\n\r\t\v\x1b"[at])
			return i
		}
		switch c := s[i]; c {
		case 'x':
			i += number(b, s[i+1:], 16, 2, false)
		case 'u':
			i += number(b, s[i+1:], 16, 4, true)
		case 'U':
			i += number(b, s[i+1:], 16, 8, true)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i += number(b, s[i:], 8, 3, false) - 1
		case 'c':
			if i+1 < len(s) {
				i++
				b.WriteByte(s[i] & 0x1f)
			}
		case '\\', '\'', '"', '?':
			b.WriteByte(c)
		default: // not an escape: the backslash stays
			b.WriteByte('\\')
			b.WriteByte(c)
		}
		return i
	})
}

// escapes copies a text. After each backslash resolve writes what the escape
// means, which begins at i, and returns its last byte.
func escapes(s string, resolve func(b *strings.Builder, i int) int) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i = resolve(&b, i+1)
	}
	return b.String()
}

// number writes the character that up to max digits stand for and returns how
// many there were.
func number(b *strings.Builder, s string, base, max int, char bool) int {
	n := 0
	for n < len(s) && n < max {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	v, _ := strconv.ParseUint(s[:n], base, 32)
	switch {
	case n == 0:
	case char && v >= utf8.RuneSelf:
		b.WriteRune(rune(v))
	default:
		b.WriteByte(byte(v))
	}
	return n
}
