package compute

import (
	"strings"
)

// Match reports whether a shell pattern of *, ? and [set] matches the whole of s.
// It takes time proportional to the product of the lengths.
func Match(pattern, s string) bool {
	p, i, star, mark := 0, 0, -1, 0
	for i < len(s) {
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, i
			p++
			continue
		}
		if n, ok := one(pattern[p:], s[i]); ok {
			p += n
			i++
			continue
		}
		if star < 0 {
			return false
		}
		mark++
		p, i = star+1, mark
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// one matches one character, and returns how long its pattern is.
func one(pattern string, c byte) (int, bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == c
		}
	case '[':
		if end := strings.IndexByte(pattern[1:], ']'); end > 0 {
			return end + 2, inSet(pattern[1:end+1], c)
		}
	}
	return 1, pattern[0] == c
}

func inSet(set string, c byte) bool {
	not := set[0] == '!' || set[0] == '^'
	if not {
		set = set[1:]
	}
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= c && c <= set[i+2] {
				return !not
			}
			i += 2
			continue
		}
		if set[i] == c {
			return !not
		}
	}
	return not
}

// MaxPattern bounds the length of texts that are compared with patterns.
const MaxPattern = 1024

// Prefix returns how many bytes at the beginning of s the pattern matches.
func Prefix(s, pattern string, longest bool) int {
	if !strings.ContainsAny(pattern, "*?[\\") {
		if strings.HasPrefix(s, pattern) {
			return len(pattern)
		}
		return 0
	}
	found := 0
	for n := 0; n <= len(s); n++ {
		if Match(pattern, s[:n]) {
			if found = n; !longest {
				return n
			}
		}
	}
	return found
}

// Suffix returns where the part at the end of s begins that the pattern matches.
func Suffix(s, pattern string, longest bool) int {
	if !strings.ContainsAny(pattern, "*?[\\") {
		return len(strings.TrimSuffix(s, pattern))
	}
	found := len(s)
	for n := len(s); n >= 0; n-- {
		if Match(pattern, s[n:]) {
			if found = n; !longest {
				return n
			}
		}
	}
	return found
}

// Replace is ${x/pattern/with}.
func Replace(s, pattern, with string, all bool) string {
	switch pattern[0] {
	case '#':
		if n := Prefix(s, pattern[1:], true); n > 0 || Match(pattern[1:], "") {
			return with + s[n:]
		}
		return s
	case '%':
		if n := Suffix(s, pattern[1:], true); n < len(s) || Match(pattern[1:], "") {
			return s[:n] + with
		}
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := Prefix(s[i:], pattern, true)
		if n == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteString(with)
		i += n
		if !all {
			b.WriteString(s[i:])
			break
		}
	}
	return b.String()
}
