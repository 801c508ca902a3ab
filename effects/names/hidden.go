package names

import (
	"unicode"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/internal/strict"
)

// Hidden returns the name of a character that is invisible, or that makes a text
// look different from what is run: one that changes the writing direction, has no
// width, or controls a terminal. Emoji and languages that need such characters may
// use them.
func Hidden(text string) string {
	before := rune(0)
	for i := 0; i < len(text); {
		if c := text[i]; c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			before = rune(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if why := hides(r, before, text[i+size:], i == 0); why != "" {
			return "has " + codepoint(r) + ", " + why
		}
		before = r
		i += size
	}
	return ""
}

// hides says what a character does to the visible text.
func hides(r, before rune, after string, first bool) string {
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case r == utf8.RuneError:
		return ""
	case r == '\r':
		if after == "" || after[0] == '\n' {
			return ""
		}
		return "which writes over what stands before it"
	case r < 0x20, r == 0x7f, r >= 0x80 && r <= 0x9f:
		return "which a terminal obeys and does not show"
	case turns(r):
		return "which turns the direction of what is shown"
	case r == 0x200c, r == 0x200d, r == 0x200e, r == 0x200f:
		if before >= utf8.RuneSelf || next >= utf8.RuneSelf && next != utf8.RuneError {
			return "" // a language or an emoji that needs it
		}
		return "which cannot be seen"
	case r == 0xfeff && first:
		return ""
	case r >= 0xe0020 && r <= 0xe007f && (before == 0x1f3f4 || isTag(before)): // the flag of a region
		return ""
	case invisible(r):
		return "which cannot be seen"
	case isSelector(r) && isSelector(before):
		return "one of several signs in a row that cannot be seen"
	}
	return ""
}

// turns knows the signs that reverse text.
func turns(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

func isTag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

// isSelector knows the signs that choose how the one before is drawn.
func isSelector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// invisible knows characters that are never seen.
func invisible(r rune) bool {
	switch r {
	case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x2028, 0x2029, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x3164,
		0xfeff, 0xffa0:
		return true
	}
	return isTag(r)
}

// CleanText is a text without what Hidden finds, and how much that was. What a
// terminal obeys, such as colours, may stay.
func CleanText(text string) (clean string, removed int) {
	if strict.ASCII(text) {
		return text, 0
	}
	var out []byte
	before, from := rune(0), 0
	for i, r := range text {
		size := max(utf8.RuneLen(r), 1)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		if r < 0xa0 || r == 0xad || hides(r, before, text[i+size:], i == 0) == "" {
			before = r
			continue
		}
		out = append(out, text[from:i]...)
		from = i + size
		removed++
	}
	if removed == 0 {
		return text, 0
	}
	return string(append(out, text[from:]...)), removed
}

// Unseen is what the tags in a text say: letters that cannot be seen, and that a
// model reads.
func Unseen(text string) string {
	var out []rune
	for _, r := range text {
		if r >= 0xe0020 && r < 0xe007f && unicode.IsPrint(r-0xe0000) {
			out = append(out, r-0xe0000)
		}
	}
	return string(out)
}
