package sql

import (
	"strings"
	"unicode"
)

type kind uint8

const (
	word   kind = iota + 1 // a name or a key word, in lower case
	number                 // a number or a parameter
	quoted                 // a text or a name in quotes
	sign
)

type token struct {
	kind kind
	text string
}

// scanner takes a text apart. What databases would take apart differently ends it.
type scanner struct {
	text   string
	at     int
	tokens []token
}

func scan(text string) ([]token, bool) {
	s := scanner{text: text}
	for s.at < len(text) {
		if !s.next() {
			return nil, false
		}
	}
	return s.tokens, true
}

func (s *scanner) rest() string { return s.text[s.at:] }

func (s *scanner) add(k kind, length int) bool {
	text := s.rest()[:length]
	if k == word && ascii(text) {
		text = strings.ToLower(text)
	}
	s.tokens = append(s.tokens, token{k, text})
	s.at += length
	return true
}

func (s *scanner) next() bool {
	rest := s.rest()
	c := rest[0]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || strings.HasPrefix(rest, "\r\n"):
		s.at++
		return true
	case c < ' ' || c == 0x7f || c == '\\' || c == '{' || c == '}':
		return false // commands of clients, templates
	case strings.HasPrefix(rest, "--"), c == '#':
		return s.line()
	case strings.HasPrefix(rest, "/*"):
		return s.comment()
	case c == '\'' || c == '"' || c == '`':
		return s.quote(c)
	case c == '[':
		return s.bracket()
	case letter(c):
		return s.word()
	case digit(c) || c == '.' && len(rest) > 1 && digit(rest[1]) && !s.afterName():
		return s.add(number, span(rest, func(c byte) bool { return letter(c) || digit(c) || c == '.' }))
	case c == '$':
		n := 1 + span(rest[1:], digit)
		return n > 1 && (len(rest) == n || !letter(rest[n]) && rest[n] != '$') && s.add(number, n)
	case strings.HasPrefix(rest, ":="):
		return false
	case (c == ':' || c == '!' || c == '.' || c == '@') && s.startsLine() && !strings.HasPrefix(rest, "::"):
		return false // commands of clients
	}
	return s.add(sign, 1)
}

func (s *scanner) afterName() bool {
	return len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].kind != sign && s.at > 0 && s.text[s.at-1] != ' '
}

func (s *scanner) startsLine() bool {
	before := strings.TrimRight(s.text[:s.at], " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// line is the beginning of a comment, for some databases. Where only some think
// so, the rest of the line must be the same for all.
func (s *scanner) line() bool {
	line, _, _ := strings.Cut(s.rest(), "\n")
	if line[0] == '-' && (len(line) == 2 || line[2] == ' ' || line[2] == '\t' || line[2] == '\r') {
		if strings.Contains(strings.TrimSuffix(line, "\r"), "\r") {
			return false
		}
		s.at += len(line)
		return true
	}
	if strings.ContainsAny(line, "'\"`[\r\\") || strings.Contains(line, "/*") || strings.Contains(line, "*/") {
		return false
	}
	return s.add(sign, 1)
}

// comment is one in /* */. Some databases nest them, some run what is in them.
func (s *scanner) comment() bool {
	body, _, closed := strings.Cut(s.rest()[2:], "*/")
	if !closed || strings.Contains(body, "/*") || strings.HasPrefix(body, "!") || strings.HasPrefix(body, "M!") ||
		strings.HasSuffix(body, "/") {
		return false
	}
	s.at += len(body) + 4
	return true
}

// quote reads a text or a name in quotes. A quote in it is doubled. Some databases
// also escape it with a backslash, so the end of a text with one is ambiguous.
func (s *scanner) quote(q byte) bool {
	rest := s.rest()
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == 0:
			return false
		case rest[i] != q:
		case rest[i-1] == '\\':
			return false
		case i+1 < len(rest) && rest[i+1] == q:
			i++
		case q == '`' && (strings.ContainsAny(rest[1:i], ";'\"#") || strings.Contains(rest[1:i], "--") || strings.Contains(rest[1:i], "/*")):
			return false // not all databases know this quote
		default:
			return s.add(quoted, i+1)
		}
	}
	return false
}

// bracket is a name for some databases, and an index for others: what is in it
// must read the same for both.
func (s *scanner) bracket() bool {
	body, _, closed := strings.Cut(s.rest()[1:], "]")
	if !closed || strings.ContainsAny(body, ";#$\\[{\r") || strings.Contains(body, "--") || strings.Contains(body, "/*") {
		return false
	}
	for _, q := range []string{"'", `"`, "`"} {
		if n := strings.Count(body, q); n%2 != 0 {
			return false
		}
	}
	return s.add(sign, 1)
}

func (s *scanner) word() bool {
	rest := s.rest()
	n := span(rest, func(c byte) bool { return letter(c) || digit(c) || c == '$' })
	name := strings.ToLower(rest[:n])
	if strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 && !unicode.IsLetter(r) }) {
		return false // a space, for some
	}
	if strings.Contains(name, "$$") || strings.HasSuffix(name, "$") {
		return false
	}
	if (name == "q" || name == "nq") && n < len(rest) && rest[n] == '\'' {
		return false // quotes of its own choice
	}
	return s.add(word, n)
}

func letter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

func ascii(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func span(text string, in func(byte) bool) int {
	n := 0
	for n < len(text) && in(text[n]) {
		n++
	}
	return n
}
