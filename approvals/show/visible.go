package show

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks a letter may have. More of them would
// cover the lines around it.
const maxMarks = 4

// Text makes any text safe to display. Control and bidi characters, unusual
// spaces and invisible letters are written as <U+XXXX>, a byte that is not text
// as <0xXX>. Line breaks and tabs stay. hidden is how many were written like
// this.
func Text(text string) (safe string, hidden int) { return visible(text, "\n\t") }

// Line is Text in one line: line breaks and tabs are written out, too.
func Line(text string) string {
	safe, _ := visible(text, "")
	return safe
}

func visible(text, keep string) (string, int) {
	var out strings.Builder
	hidden, marks := 0, 0
	for i, width := 0, 0; i < len(text); i += width {
		var r rune
		r, width = utf8.DecodeRuneInString(text[i:])
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && width == 1:
			hidden++
			fmt.Fprintf(&out, "<0x%02X>", text[i])
		case strings.ContainsRune(keep, r) || marks <= maxMarks && Visible(r):
			out.WriteString(text[i : i+width])
		default:
			hidden++
			fmt.Fprintf(&out, "<U+%04X>", r)
		}
	}
	return out.String(), hidden
}

// Visible reports whether a character is displayed as it is.
func Visible(r rune) bool {
	if r < 0x7f {
		return r >= ' '
	}
	return unicode.IsPrint(r) && !blank(r)
}

// blank are printable characters that are invisible: fillers, joiners,
// variation selectors.
func blank(r rune) bool {
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0:
		return true
	}
	return r >= 0x180b && r <= 0x180f || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef
}

// Cut shortens a text to a number of bytes, and reports whether it did. It never
// cuts a character in half.
func Cut(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	const end = "…"
	n := max(most-len(end), 0)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + end, true
}
