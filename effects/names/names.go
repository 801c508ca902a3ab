// Package names finds names that deceive whoever reads them: hosts and paths
// with letters that look like others, hosts that only seem to be famous ones,
// text that cannot be seen or that moves what can, and packages that are called
// almost like one that everybody uses. Each function says in words what is wrong
// with a name; "" means that nothing is.
package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/internal/strict"
)

// Word says how a path or the name of a program deceives: by a letter of another
// alphabet, or a sign, that looks like one of the letters and signs around it.
func Word(text string) string {
	if strict.ASCII(text) {
		return ""
	}
	latin, other := false, rune(0)
	for _, r := range text {
		switch like := strict.Alike(r); {
		case isSlash(r), isDot(r), like != 0 && r >= '！' && r <= '～':
			return "has " + codepoint(r) + ", which looks like " + string(plain(r))
		case r < utf8.RuneSelf && isLetter(byte(r)):
			latin = true
		case like != 0:
			other = r
		case !unicode.IsLetter(r):
			latin, other = false, 0 // another word
		}
		if latin && other != 0 {
			return "has " + codepoint(other) + ", which looks like " + string(plain(other))
		}
	}
	return ""
}

// plain is what a letter or a sign looks like.
func plain(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case isSlash(r):
		return '/'
	case isDot(r):
		return '.'
	}
	if like := strict.Alike(r); like != 0 {
		return like
	}
	return r
}

// fold returns a name as a careless reader sees it: without accents, and with
// look-alikes replaced by the letters they resemble.
func fold(name string) string {
	if strict.ASCII(name) {
		name = strings.ToLower(name)
	} else {
		name = strings.Map(func(r rune) rune {
			if r = plain(r); unicode.Is(unicode.Latin, r) {
				return strict.Latin(r, strict.Marked)
			}
			return unicode.ToLower(r)
		}, name)
	}
	for _, alike := range [...][2]string{{"0", "o"}, {"1", "l"}, {"rn", "m"}, {"vv", "w"}} {
		name = strings.ReplaceAll(name, alike[0], alike[1])
	}
	return name
}

func codepoint(r rune) string {
	const digits = "0123456789ABCDEF"
	out := []byte("U+")
	for shift := 20; shift >= 0; shift -= 4 {
		if d := r >> shift & 15; d != 0 || shift < 16 || len(out) > 2 {
			out = append(out, digits[d])
		}
	}
	return string(out)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// Plain returns a text as a reader sees it: in lower case, without invisible
// characters, and with look-alikes replaced by the letters they resemble.
func Plain(text string) string {
	if strict.ASCII(text) {
		return strings.ToLower(text)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
		case turns(r), invisible(r), isSelector(r), r >= 0x200b && r <= 0x200f:
			return -1
		default:
			r = plain(r)
		}
		return unicode.ToLower(r)
	}, text)
}
