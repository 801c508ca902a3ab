package match

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// meet reports whether a path or pattern and a glob can match the same file. Both
// use slashes, without the leading one. With tree, everything below the pattern
// counts, too: then it meets a glob that begins at a fixed path below it. Globs
// that depend on the names there are not decided here.
func meet(pattern, glob string, tree, hidden bool) bool {
	for glob != "" {
		part, rest, _ := strings.Cut(glob, "/")
		if part == "**" {
			if rest == "" {
				return true
			}
			if meet(pattern, rest, false, hidden) {
				return true
			}
			if pattern == "" {
				return false
			}
			_, after, _ := strings.Cut(pattern, "/")
			return meet(after, glob, false, hidden)
		}
		if pattern == "" {
			return tree && !strings.Contains(glob, "**/")
		}
		name, after, _ := strings.Cut(pattern, "/")
		if name == "**" {
			if meet(after, glob, tree, hidden) {
				return true
			}
			glob = rest
			continue
		}
		if !sameName(name, part, hidden) {
			return false
		}
		pattern, glob = after, rest
	}
	return strings.Trim(pattern, "*/") == "" && (pattern == "" || strings.HasPrefix(pattern, "**"))
}

// sameName reports whether one name can match both patterns. A shell's * does not
// match a leading dot, unless hidden names are included.
func sameName(pattern, glob string, hidden bool) bool {
	switch {
	case pattern == "":
		return false
	case !strings.ContainsAny(pattern, meta):
		return doublestar.MatchUnvalidated(glob, pattern)
	case !hidden && glob[0] == '.' && strings.IndexByte("*?[", pattern[0]) >= 0:
		return false
	case !strings.ContainsAny(glob, meta):
		return doublestar.MatchUnvalidated(pattern, glob)
	}
	return overlap(plain(pattern), plain(glob))
}

const (
	anyRun  = 1 // matches any characters
	anyChar = 2 // matches one character
)

// plain simplifies a pattern so that sets and braces match more than they should.
func plain(pattern string) []byte {
	var out []byte
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch c {
		case '*':
			c = anyRun
		case '?':
			c = anyChar
		case '[', '{':
			if end := strings.IndexByte(pattern[i:], c+2); end > 0 { // ] and }
				i += end
				c = anyRun
			}
		case '\\':
			if i++; i < len(pattern) {
				c = pattern[i]
			}
		}
		if n := len(out); c != anyRun || n == 0 || out[n-1] != anyRun {
			out = append(out, c)
		}
	}
	return out
}

// overlap reports whether some text matches both patterns.
func overlap(a, b []byte) bool {
	row := make([]bool, len(b)+1) // row[j]: a[i:] and b[j:] overlap
	next := make([]bool, len(b)+1)
	for i := len(a); i >= 0; i-- {
		row, next = next, row
		for j := len(b); j >= 0; j-- {
			switch {
			case i == len(a) && j == len(b):
				row[j] = true
			case i < len(a) && a[i] == anyRun:
				row[j] = next[j] || j < len(b) && row[j+1]
			case j < len(b) && b[j] == anyRun:
				row[j] = row[j+1] || i < len(a) && next[j]
			case i < len(a) && j < len(b) && (a[i] == b[j] || a[i] == anyChar || b[j] == anyChar):
				row[j] = next[j+1]
			default:
				row[j] = false
			}
		}
	}
	return row[0]
}
