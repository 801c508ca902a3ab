package secret

import "strings"

// element looks at <password>value</password>. i is at the bracket of the
// closing tag, if it is one.
func (s *scanner) element(i int) int {
	if s.at(i+1) != '/' {
		return i + 1
	}
	end := s.runMax(i+2, dotted, 64)
	if s.at(end) != '>' || end == i+2 {
		return i + 1
	}
	rule := ruleOf(s.text[i+2 : end])
	if rule == nil || rule.trust == header {
		return i + 1
	}
	from := max(0, i-look)
	start := from + strings.LastIndexByte(s.text[from:i], '>') + 1
	if tag := s.text[i+1 : end+1]; start == from || !strings.HasSuffix(s.text[:start], "<"+tag[1:]) {
		return i + 1
	}
	if _, _, ok := rule.secretPart(s.text[start:i], true); ok {
		s.add(specific(s.text[start:i], rule.kind), start, i)
	}
	return i + 1
}

// pair returns what the name says of a value where the two stand side by side:
// "name": "DB_PASSWORD", "value": "…". i is at the sign behind "value".
func (s *scanner) pair(i int) *keyRule {
	const between = " \t\r\n\"'`,;\\"
	back := func(at int, skips string) int {
		for stop := max(0, at-64); at > stop && strings.IndexByte(skips, s.text[at-1]) >= 0; {
			at--
		}
		return at
	}
	name := func(at int) (start int) {
		for start = at; start > max(0, at-64) && classes[s.text[start-1]]&token != 0; {
			start--
		}
		return start
	}
	at := back(i, between)
	at = back(at-len("value"), between)
	start := name(at)
	if start == at {
		return nil
	}
	sign := back(start, between)
	if sign == 0 || s.text[sign-1] != ':' && s.text[sign-1] != '=' {
		return nil
	}
	label := back(sign-1, between)
	switch strings.ToLower(s.text[name(label):label]) {
	case "name", "key":
		return ruleOf(s.text[start:at])
	}
	return nil
}
