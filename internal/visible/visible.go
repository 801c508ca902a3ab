// Package visible makes texts of others safe to show: nothing in them is obeyed by a terminal, changes the order of
// letters, or is there without being seen.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxMarks is how many combining marks a letter may have. More of them would
// cover the lines around it.
const maxMarks = 4

// Text makes any text safe to display. Control and bidi characters, unusual
// spaces and invisible letters are written as <U+XXXX>, a byte that is not text
// as <0xXX>. Line breaks and tabs stay. hidden is how many were written like
// this.
func Text(text string) (safe string, hidden int) { return write(text, "\n\t", named) }

// Line is Text in one line: line breaks and tabs are written out, too.
func Line(text string) string {
	safe, _ := write(text, "", named)
	return safe
}

// JSON writes the same characters as JSON does, so that its values stay the same.
func JSON(text []byte) string {
	safe, _ := write(string(text), "\n\t\r", func(r rune, _ bool) (out string) {
		for _, part := range utf16.AppendRune(nil, r) {
			out += fmt.Sprintf(`\u%04x`, part)
		}
		return out
	})
	return safe
}

func named(r rune, raw bool) string {
	if raw {
		return fmt.Sprintf("<0x%02X>", r)
	}
	return fmt.Sprintf("<U+%04X>", r)
}

// write replaces what is not visible and not in keep. raw says that it is a byte
// and no character.
func write(text, keep string, replace func(r rune, raw bool) string) (safe string, hidden int) {
	var out strings.Builder
	marks, from := 0, 0 // what is before from was written
	for i, width := 0, 1; i < len(text); i += width {
		r := rune(text[i])
		if width = 1; r >= ' ' && r < 0x7f {
			marks = 0
			continue
		}
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(text[i:])
		}
		if marks++; !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		}
		raw := r == utf8.RuneError && width == 1
		if !raw && (strings.ContainsRune(keep, r) || marks <= maxMarks && Is(r)) {
			continue
		}
		if raw {
			r = rune(text[i])
		}
		hidden++
		out.WriteString(text[from:i] + replace(r, raw))
		from = i + width
	}
	if from == 0 {
		return text, 0
	}
	return out.String() + text[from:], hidden
}

// Is reports whether a character is displayed as it is.
func Is(r rune) bool {
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

// colors are what our own programs print around a text, and all that a terminal
// is given of what it obeys.
var colors = [...]string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m"}

// Terminal is Text for all that a program prints. Our own colors stay.
func Terminal(text string) string {
	var out strings.Builder
	for {
		before, _, found := strings.Cut(text, "\x1b")
		safe, _ := Text(before)
		out.WriteString(safe)
		if !found {
			return out.String()
		}
		text = text[len(before):]
		code := "\x1b"
		for _, c := range colors {
			if strings.HasPrefix(text, c) {
				code = c
			}
		}
		if text = text[len(code):]; code == "\x1b" {
			code = named('\x1b', false)
		}
		out.WriteString(code)
	}
}
