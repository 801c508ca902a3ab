package fst

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/internal/strict"
)

// fold maps names that a person or a lenient reader could take for each other
// to the same text: case, word separators, width, accents, invisible
// characters, letters of other alphabets that look the same, and the letters
// that look alike in Latin itself (l, I, 1 and O, 0).
//
// It stops after that many letters: the rest of a name that is longer than all
// others does not matter.
func fold(s string, most int) string {
	var few [64]byte
	b := few[:0]
	for _, r := range s {
		if r = plain(r); r >= 0 {
			b = utf8.AppendRune(b, r)
			if most--; most < 0 {
				break
			}
		}
	}
	if bytes.Contains(b, []byte("rn")) || bytes.Contains(b, []byte("vv")) {
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("rn"), []byte("m")), []byte("vv"), []byte("w"))
	}
	return string(b)
}

// Fold maps names that could be taken for each other to the same text.
func Fold(name string) string { return fold(name, len(name)) }

// plain is the letter or digit that a character stands for, -1 if for none.
func plain(r rune) rune {
	if r = strict.Undisguised(r); r >= 0x80 {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return -1
		}
		r = strict.Latin(r, strict.Marked)
	}
	switch r = unicode.ToLower(r); {
	case r == 'l', r == '1', r == '|':
		return 'i'
	case r == '0':
		return 'o'
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return r
	}
	return -1 // separators, marks, what cannot be seen
}
