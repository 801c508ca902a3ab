package secret

import "strings"

// colon handles what is distinguished by a colon: addresses, bot tokens, and
// values under a name.
func (s *scanner) colon(i int) int {
	switch {
	case strings.HasPrefix(s.text[i+1:], "//"):
		if s.shapesOnly {
			return i + len("://")
		}
		return s.url(i)
	case s.at(i+1) == ':' || s.at(i-1) == ':':
		return i + 1 // a path of names, as in std::string
	}
	if classes[s.at(i-1)]&digit != 0 {
		if end, ok := s.telegram(i); ok {
			return end
		}
	}
	if s.shapesOnly {
		return i + 1
	}
	return s.assignment(i)
}

// assignment looks at NAME=value and NAME: value around the sign at i, in all
// the spellings of shells, JSON, YAML, INI files, headers and source code.
func (s *scanner) assignment(i int) int {
	name, tight := s.nameBefore(i)
	if name == "" {
		return i + 1
	}
	rule := ruleOf(name)
	if rule == nil {
		return i + 1
	}
	at := i + 1
	for at < i+3 && (s.at(at) == '=' || s.at(at) == '>') { // ==, :=, =>
		at++
	}
	after := at
	for at < len(s.text) && at < after+32 && (s.text[at] == ' ' || s.text[at] == '\t') {
		at++
	}
	return s.value(rule, at, tight && at == after && s.text[i] == '=', s.query(i-len(name)), i+1)
}

// nameBefore returns the name that ends before i, seen through blanks, quotes
// and their escapes. tight means that nothing but the name stands there.
func (s *scanner) nameBefore(i int) (name string, tight bool) {
	end := i
	for end > 0 && end > i-8 && strings.IndexByte(" \t\"'`\\]", s.text[end-1]) >= 0 {
		end--
	}
	if end == 0 || classes[s.text[end-1]]&word == 0 {
		return "", false
	}
	start := end - 1
	for start > 0 && end-start < 64 && classes[s.text[start-1]]&dotted != 0 {
		start--
	}
	return s.text[start:end], end == i
}

// query reports whether the name at i is a parameter of an address or a form.
func (s *scanner) query(i int) bool { return s.at(i-1) == '?' || s.at(i-1) == '&' }

// value looks at the value that begins at i. next is where to go on if it stays.
func (s *scanner) value(rule *keyRule, i int, tight, query bool, next int) int {
	start, end, quoted := s.quoted(i)
	capped := false
	if !quoted {
		start = i
		end, capped = s.bare(rule, i, query, look)
		if end == i || s.code(rule, i, end, tight) {
			return next
		}
	}
	from, to, ok := rule.secretPart(s.text[start:end], quoted || tight)
	if !ok {
		return next
	}
	if capped {
		end, _ = s.bare(rule, i, query, len(s.text))
		to = end - start
	}
	return s.add(specific(s.text[start+from:start+to], rule.kind), start+from, start+to)
}

// quoted returns the bounds of a quoted string at i. The quotes may be escaped
// themselves, to any depth: then those of the same depth belong together, and
// one of a lesser depth ends the string around it.
func (s *scanner) quoted(i int) (start, end int, ok bool) {
	if classes[s.at(i)]&letters != 0 && (s.at(i+1) == '"' || s.at(i+1) == '\'') { // b"…", f"…"
		i++
	}
	depth := 0
	for s.at(i+depth) == '\\' {
		depth++
	}
	quote := s.at(i + depth)
	if quote != '"' && quote != '\'' && quote != '`' {
		return 0, 0, false
	}
	start = i + depth + 1
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

// code reports whether an unquoted value is an expression of a program
// instead of a value: a call, a member, a structure, a variable.
func (s *scanner) code(rule *keyRule, start, end int, tight bool) bool {
	value := s.text[start:end]
	if n := marked(value); n > 0 {
		return n == len(value)
	}
	switch value[0] {
	case '{', '[', '(', '*', '&', '|', '!', '=', '<':
		return value[0] != '<' || strings.IndexByte(value, '>') > 0
	}
	if rule.trust == header {
		return false
	}
	first := value
	if cut := strings.IndexAny(value, ",;&|)}](<>[{ "); cut >= 0 {
		first = value[:cut]
		if first == "" || placeholder(first) || (value[cut] == '(' || value[cut] == '[') && identifier(first) {
			return true
		}
	}
	c, other := classOf(first)
	if other || c&digit != 0 || c&^(letters|under|period) != 0 {
		return false
	}
	humps := c&lower != 0 && c&upper != 0
	return c&period != 0 && identifier(first) || !tight && (rule.trust != strong || humps || c&under != 0)
}

// identifier reports whether s is a name of a program: a.b_c.d
func identifier(s string) bool {
	c, other := classOf(s)
	return !other && c&^(word|period) == 0 && classes[s[0]]&(letters|under) != 0 && classes[s[len(s)-1]]&period == 0
}
