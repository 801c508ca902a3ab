package flow

import (
	"strings"
	"unicode"
)

// maxText is how much of a foreign value goes into a text of ours.
const maxText = 240

// Clean makes one line of a foreign value: white space is collapsed, what
// cannot be seen is dropped, and it ends after 240 characters. What an agent
// wrote into a file can then not pass for our own words on a line of their own.
func Clean(s string) string { return clean(s, maxText) }

// Command is a command line in the form in which commands are compared: white
// space is collapsed, and 4,096 characters count.
func Command(s string) string { return clean(s, 4096) }

func clean(s string, most int) string {
	var b strings.Builder
	b.Grow(min(len(s), 4*most))
	n, space := 0, false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = n > 0
			continue
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			continue
		}
		if space {
			b.WriteByte(' ')
			n, space = n+1, false
		}
		if n++; n > most {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}
