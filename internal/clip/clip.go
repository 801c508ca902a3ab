// Package clip shortens texts. What is left out is shown by an ellipsis, which is
// not counted, and no character is cut in half.
package clip

import (
	"strings"
	"unicode/utf8"
)

// Bytes keeps at most this many bytes.
func Bytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// End keeps at most this many bytes of the end, and shows nothing for the rest.
func End(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-most:], "")
}

// Runes keeps at most this many characters.
func Runes(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}
