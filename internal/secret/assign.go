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
	if rule == nil && strings.EqualFold(name, "value") {
		rule = s.pair(i)
	}
	if rule == nil {
		return i + 1
	}
	if s.text[i] == ':' && strings.EqualFold(name, "pass") { // "--- PASS: TestX", "First pass: read"
		if name == "PASS" {
			return i + 1
		}
		rule = &prosePass
	}
	at := i + 1
	for at < i+3 && (s.at(at) == '=' || s.at(at) == '>') { // ==, :=, =>
		at++
	}
	after := at
	for at < len(s.text) && at < after+32 && (s.text[at] == ' ' || s.text[at] == '\t') {
		at++
	}
	v := value{rule: rule, name: name, at: at, next: i + 1, sign: s.text[i:after], query: s.query(i - len(name))}
	v.tight = tight && at == after && s.text[i] == '='
	if tight && s.closes(i-len(name)-1, at) {
		v.at++ // "NAME="+value: the string ended with the sign
		v.sign = "+"
	}
	return s.judge(&v)
}

var prosePass = keyRule{kind: "password", trust: named}

// closes reports whether the quote at i ends the string that the one at open began.
func (s *scanner) closes(open, i int) bool {
	quote := s.at(i)
	return (quote == '"' || quote == '\'' || quote == '`') && s.at(open) == quote
}

// value is where a value under a telling name begins, and how it got there.
type value struct {
	rule *keyRule
	name string
	at   int    // where it begins
	next int    // where to go on if it stays
	sign string // what stands between: =, :, ==, :=, =>, + for a string that is put together; "" for an option
	// tight: nothing but the sign stands between name and value.
	tight bool
	query bool // a parameter of an address or a form
}

// nameBefore returns the name that ends before i, seen through blanks, quotes
// and their escapes. tight means that there is nothing but the name.
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

// judge decides whether a value is a secret and returns where to go on.
func (s *scanner) judge(v *value) int {
	start, end, quoted := s.quoted(v.at)
	capped := false
	if !quoted {
		start = v.at
		end, capped = s.bare(v.rule, v.at, v.query, glance)
		if end == v.at || s.code(v, end) {
			return v.next
		}
	}
	from, to, ok := v.rule.secretPart(s.text[start:end], quoted || v.tight)
	if !ok || echoes(v.name, s.text[start+from:start+to]) {
		return v.next
	}
	if capped {
		end, _ = s.bare(v.rule, v.at, v.query, len(s.text))
		to = end - start
	}
	return s.add(specific(s.text[start+from:start+to], v.rule.kind), start+from, start+to)
}

// echoes reports whether a value only repeats its name, as generated code and
// named parameters do: refresh_token=refresh_token.
func echoes(name, value string) bool {
	if cut := strings.IndexAny(value, ",;)"); cut > 0 {
		value = value[:cut]
	}
	value = value[strings.LastIndexByte(value, '.')+1:]
	name = name[strings.LastIndexByte(name, '.')+1:]
	return len(value) == len(name) && strings.EqualFold(value, name)
}

// code reports whether an unquoted value that ends at end is an expression of
// a program instead of a value: a call, a member, a structure, a variable.
func (s *scanner) code(v *value, end int) bool {
	text := s.text[v.at:end]
	if n := marked(text); n > 0 {
		return n == len(text)
	}
	switch text[0] {
	case '{', '[', '(', '*', '&', '|', '!', '=', '<':
		return text[0] != '<' || strings.IndexByte(text, '>') > 0
	case '+', ',', '.', ')':
		if v.sign == "+" {
			return true
		}
	}
	if v.sign == "==" || v.rule.trust == header && v.sign == ":" {
		return v.sign == "==" && !v.tight
	}
	if name, rest, _ := strings.Cut(text, "}"); strings.HasPrefix(name, "${") && strings.HasPrefix(rest, "&") {
		return true // a field of a form, and the next one
	}
	first := text
	if before, _, chained := strings.Cut(text, "?."); chained && before != "" && identifier(before) {
		return true
	}
	if cut := strings.IndexAny(text, ",;&|)}](<>[{ "); cut >= 0 {
		first = text[:cut]
		if first == "" || placeholder(first) || (text[cut] == '(' || text[cut] == '[') && identifier(first) {
			return true
		}
	}
	first = strings.TrimRight(first, ":")
	if !v.tight && strings.Contains(first, ".") {
		first = strings.TrimSuffix(first, "!") // process.env.TOKEN!
	}
	c, other := classOf(first)
	if other || first == "" || c&^(word|period) != 0 || c&digit != 0 && (c&period == 0 || v.tight || !wordy(first)) {
		return false
	}
	humps := c&lower != 0 && c&upper != 0
	return c&period != 0 && identifier(first) || !v.tight && (v.rule.trust != strong || humps || c&under != 0)
}

// identifier reports whether s is a name of a program: a.b_c.d
func identifier(s string) bool {
	c, other := classOf(s)
	return !other && c&^(word|period) == 0 && classes[s[0]]&(letters|under) != 0 && classes[s[len(s)-1]]&period == 0
}
