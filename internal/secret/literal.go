package secret

import "strings"

// maxEscapes is how often the quotes around a value may be escaped: JSON within
// JSON, five times over. More would make a text of ever deeper quotes expensive.
const maxEscapes = 31

// quoted returns the bounds of a quoted string at i. The quotes may be escaped
// themselves, to any depth: then those of the same depth belong together, and
// one of a lesser depth ends the string around it.
func (s *scanner) quoted(i int) (start, end int, ok bool) {
	if classes[s.at(i)]&letters != 0 && (s.at(i+1) == '"' || s.at(i+1) == '\'') { // b"…", f"…"
		i++
	}
	depth := 0
	for s.at(i+depth) == '\\' && depth <= maxEscapes {
		depth++
	}
	quote := s.at(i + depth)
	if depth > maxEscapes || quote != '"' && quote != '\'' && quote != '`' {
		return 0, 0, false
	}
	start = i + depth + 1
	if s.afterString(start) {
		return 0, 0, false
	}
	if depth == 0 && s.at(start) == quote && s.at(start+1) == quote { // """…"""
		start += 2
	}
	slashes := 0
	for end = start; end < len(s.text); end++ {
		switch c := s.text[end]; {
		case c == '\\':
			slashes++
			continue
		case c == quote && (depth == 0 && slashes%2 == 0 || depth > 0 && slashes <= depth):
			return start, end - min(slashes, depth), true
		}
		slashes = 0
	}
	return start, end, true
}

// afterString reports whether what begins at i stands behind a string, so that
// the quote before it was a closing one: "Password: ", f(x).
func (s *scanner) afterString(i int) bool {
	end := i
	if strings.HasPrefix(s.text[min(i, len(s.text)):], " + ") {
		return true
	}
	for end < i+4 && strings.IndexByte(",;:)]}+", s.at(end)) >= 0 && end < len(s.text) {
		end++
	}
	switch s.at(end) {
	case '\n', '\r':
		return true
	case ' ', '\t', '\'', '"', '`':
		return end > i
	}
	return end > i && end == len(s.text)
}

// bare returns where an unquoted value ends, looking at n bytes at most. It
// rather takes too much than leaves the end of a password behind.
func (s *scanner) bare(rule *keyRule, i int, query bool, n int) (end int, capped bool) {
	stop := min(i+n, len(s.text))
	for end = i; end < stop; end++ {
		switch c := s.text[end]; {
		case c == '\n' || c == '\r' || c == '"' || c == '\'' || c == '`' || c == '\\':
			return s.trimmed(i, end), false
		case (c == ' ' || c == '\t') && rule.trust != header:
			return s.trimmed(i, end), false
		case query && (c == '&' || c == '#'):
			return end, false
		}
	}
	return s.trimmed(i, end), end < len(s.text)
}

// trimmed takes off what closes the surroundings of a value, but no bracket
// that the value itself opened.
func (s *scanner) trimmed(start, end int) int {
	for ; end > start; end-- {
		opens := byte(0)
		switch s.text[end-1] {
		case ' ', '\t', ',', ';', '|', '&':
		case ')':
			opens = '('
		case '}':
			opens = '{'
		case ']':
			opens = '['
		case '>':
			opens = '<'
		default:
			return end
		}
		if opens != 0 && strings.IndexByte(s.text[start:end], opens) >= 0 {
			return end
		}
	}
	return end
}
