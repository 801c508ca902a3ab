// Package parts reads the patterns of the table that say what the arguments of a program are
// for it.
package parts

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Part is what one operand, or the value of one option, is for the program.
type Part struct {
	Role byte
	Tree bool // everything below is meant
	Deep bool // and everything below if the program goes down
	Disk byte // d for a device, v for a volume that is known by its name
	Many bool // as many as there are
	Glob bool // the program expands patterns itself
}

// Cut takes the first part off a pattern: R, Dt*, Wd.
func Cut(pattern string) (p Part, rest string) {
	p.Role = pattern[0]
	for pattern = pattern[1:]; pattern != ""; pattern = pattern[1:] {
		switch pattern[0] {
		case 't':
			p.Tree = true
		case 'r':
			p.Deep = true
		case 'd', 'v':
			p.Disk = pattern[0]
		case '*':
			p.Many = true
		case 'g':
			p.Glob = true
		default:
			return p, pattern
		}
	}
	return p, ""
}

// Each calls f for each word and its part of a pattern: those at the beginning and the
// end of the pattern take one each, the one with a star takes the rest.
func Each(pattern string, words []model.Word, f func(Part, model.Word)) {
	tail := 0
	for rest, after := pattern, false; rest != ""; {
		var p Part
		if p, rest = Cut(rest); after {
			tail++
		}
		after = after || p.Many
	}
	for rest := pattern; rest != "" && len(words) > 0; {
		var p Part
		p, rest = Cut(rest)
		n := 1
		if p.Many {
			n = max(0, len(words)-tail)
		}
		for _, w := range words[:min(n, len(words))] {
			f(p, w)
		}
		words = words[min(n, len(words)):]
	}
}

// IsURL reports whether a word that is taken for a file is an address.
func IsURL(w model.Word) bool {
	scheme, rest, ok := strings.Cut(w.Text, "://")
	return ok && rest != "" && len(scheme) > 1 && scheme != "file" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+") == ""
}

// Assigns reports whether a word is NAME=value.
func Assigns(w model.Word) bool {
	name, _, ok := strings.Cut(w.Text, "=")
	return ok && name != ""
}

// Index is the place of the first word with a text, and the number of words if there is none.
func Index(words []model.Word, text string) int {
	for i := range words {
		if words[i].Text == text {
			return i
		}
	}
	return len(words)
}

// WithoutSeparator is a program with its arguments, and without a -- between them.
func WithoutSeparator(words []model.Word) []model.Word {
	if len(words) > 1 && words[1].Text == "--" {
		return append([]model.Word{words[0]}, words[2:]...)
	}
	return words
}
