package windows

import "strings"

// item is one part of a command: a word, a value, a block.
type item struct {
	value
	raw   string // as written
	bare  bool   // it is a word without quotes, and no expression
	block bool   // raw is the inside of { }
}

// scanner cuts a script into commands and these into items.
type scanner struct {
	r    *reader
	text string
	at   int
}

func (s *scanner) done() bool { return s.at >= len(s.text) }

// peek is the byte at some distance, 0 behind the end.
func (s *scanner) peek(n int) byte {
	if s.at+n < len(s.text) {
		return s.text[s.at+n]
	}
	return 0
}

// pipeline reads a command with what it is piped into, up to the next separator.
func (s *scanner) pipeline(in value) value {
	for {
		items, end := s.command()
		out := value{}
		if len(items) > 0 {
			out = s.r.command(items, in)
		}
		if end != '|' {
			return out
		}
		in = out
	}
}

// command reads the items of one command, and what ends it.
func (s *scanner) command() (items []item, end byte) {
	for !s.done() {
		switch c := s.peek(0); {
		case c == ' ' || c == '\t' || c == '\r':
			s.at++
		case c == '|' && s.peek(1) != '|':
			s.at++
			return items, '|'
		case c == '&' && len(items) == 0 && !s.r.batch:
			s.at++
			items = append(items, item{raw: "&", bare: true})
		case c == ';' || c == '\n' || c == '|' || c == '&' || c == ')' || c == '}':
			s.at++
			if len(items) == 1 && items[0].raw == "&" {
				items = nil
			}
			return items, c
		case c == '#' && !s.r.batch:
			s.skipLine()
		case c == '<' && s.peek(1) == '#':
			if n := strings.Index(s.text[s.at:], "#>"); n >= 0 {
				s.at += n + 2
			} else {
				s.at = len(s.text)
			}
		case c == '>' || (c >= '0' && c <= '6' || c == '*') && s.peek(1) == '>':
			items = s.redirect(items)
		case c == '<':
			s.at++
			items = append(items, item{raw: "<", bare: true})
		case c == ',' || c == '=' && len(items) == 1 && strings.HasPrefix(items[0].raw, "$"):
			s.at++
			items = append(items, item{raw: string(c), bare: true})
		case c == '{':
			s.at++
			items = append(items, item{raw: s.bracket('{', '}'), block: true})
		default:
			items = append(items, s.item())
		}
	}
	return items, 0
}

func (s *scanner) skipLine() {
	if n := strings.IndexByte(s.text[s.at:], '\n'); n >= 0 {
		s.at += n
	} else {
		s.at = len(s.text)
	}
}

// redirect reads > file, which may stand anywhere.
func (s *scanner) redirect(items []item) []item {
	s.at += strings.IndexByte(s.text[s.at:], '>') + 1
	mark := ">"
	if s.peek(0) == '>' {
		s.at++
		mark = ">>"
	}
	if s.peek(0) == '&' { // 2>&1
		s.at = min(s.at+2, len(s.text))
		return items
	}
	for s.peek(0) == ' ' || s.peek(0) == '\t' {
		s.at++
	}
	if s.done() || strings.IndexByte("|;&\n)", s.peek(0)) >= 0 {
		return items
	}
	file := s.item()
	return append(items, item{raw: mark, bare: true}, file)
}

// bracket returns the text inside an opened bracket, and moves past it.
func (s *scanner) bracket(open, end byte) string {
	from, level, quote := s.at, 1, byte(0)
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' && !s.r.batch:
			quote = c
		case c == '`' || c == '^' && s.r.batch:
			s.at++
		case c == open:
			level++
		case c == end:
			if level--; level == 0 {
				s.at++
				return s.text[from : s.at-1]
			}
		}
	}
	s.at = min(s.at, len(s.text))
	return s.text[from:]
}

// builder puts one item together.
type builder struct {
	item
	r     *reader
	parts bool // there is something in it already
}

// maxWord bounds a word that is put together piece by piece.
const maxWord = 1 << 15

// special are the characters at which a plain word may end or go on differently.
const special = " \t\r\n|;&,{}()>\"'@`^$%![+"

func (b *builder) add(v value) {
	if !b.parts {
		b.value, b.parts = v, true
		return
	}
	if kind := b.text; b.bare && strings.HasPrefix(kind, "[") && strings.HasSuffix(kind, "]") && !strings.HasPrefix(v.text, ".") &&
		!strings.HasPrefix(v.text, ":") { // a type in front of a value
		b.value, b.bare = b.r.cast(kind, v), false
		return
	}
	if b.known = b.known && v.known; len(b.text) > maxWord {
		b.known = false
		return
	}
	b.text += v.text
	b.network, b.paths, b.list = b.network || v.network, nil, nil
}

// plain adds what is written without quotes.
func (b *builder) plain(text string) {
	b.bare = b.bare || !b.parts
	if b.environ != "" && text != "" && text[0] == '.' && !strings.EqualFold(text, ".value") { // $env:X.Length
		b.environ = ""
	}
	if name, ok := strings.CutPrefix(text, "."); ok && b.parts {
		if v, ok := b.fields[strings.ToLower(name)]; ok {
			b.value = v
			return
		}
	}
	paths, list := b.paths, b.list
	if b.add(known(text)); len(paths) > 0 && (strings.HasPrefix(b.text, ".") || b.kind != "") { // $_.FullName
		b.paths = paths
	}
	if b.kind == "powershell" {
		b.list = list
	}
}

// item reads one word or value.
func (s *scanner) item() item {
	b := builder{r: s.r}
	from := s.at
loop:
	for !s.done() {
		c := s.peek(0)
		switch {
		case strings.IndexByte(" \t\r\n|;&,{})>", c) >= 0:
			break loop
		case c == '"', c == '\'' && !s.r.batch:
			s.at++
			b.add(s.quoted(c))
		case c == '@' && (s.peek(1) == '"' || s.peek(1) == '\'') && !s.r.batch:
			s.at += 2
			b.add(s.here(s.text[s.at-1]))
		case c == '`' || c == '^':
			if s.at++; s.peek(0) == '\n' || s.peek(0) == '\r' {
				s.at++
			} else if !s.done() {
				b.plain(s.text[s.at : s.at+1])
				s.at++
			}
		case c == '@' && s.peek(1) == '{' && !s.r.batch:
			s.at += 2
			b.add(s.r.table(s.bracket('{', '}')))
		case (c == '$' || c == '@') && s.peek(1) == '(':
			s.at += 2
			b.add(s.r.script(s.bracket('(', ')'), value{}))
		case c == '$' && !s.r.batch && isName(s.peek(1)), c == '$' && !s.r.batch && s.peek(1) == '{':
			first := !b.parts
			if b.add(s.variable()); first && (s.peek(0) == '=' || s.peek(0) == '+' && s.peek(1) == '=') { // $x=1
				break loop
			}
		case c == '=' && !b.parts && !s.r.batch:
			s.at++
			b.plain("=")
			break loop
		case c == '+' && !b.parts && s.peek(1) == '=' && !s.r.batch:
			s.at += 2
			b.plain("+=")
			break loop
		case c == '%' || c == '!' && s.r.batch:
			if v, n, ok := s.r.percent(s.text[s.at:]); ok {
				s.at += n
				b.add(v)
			} else {
				s.at++
				b.plain(s.text[s.at-1 : s.at])
			}
		case c == '(':
			if !s.call(&b) {
				break loop
			}
		case c == '[' && !s.r.batch:
			s.at++
			inner := s.bracket('[', ']')
			if v, ok := s.r.index(b.value, inner); ok && b.parts && !b.bare {
				b.value = v
			} else {
				b.plain("[" + inner + "]")
			}
		case c == '+' && b.parts && !b.bare && !s.r.batch:
			break loop
		case c == '+' && !b.parts && !(s.at+1 < len(s.text) && strings.IndexByte(special, s.text[s.at+1]) < 0 &&
			s.text[s.at+1] > '9'): // attrib +h
			s.at++
			b.plain("+")
			break loop
		default:
			n := strings.IndexAny(s.text[s.at+1:], special) + 1
			if n == 0 {
				n = len(s.text) - s.at
			}
			property, _, set := strings.Cut(s.text[s.at:s.at+n], "=") // $x.Name='y', ($x).Name=1
			set = set && !s.r.batch && (s.text[from] == '$' || s.text[from] == '(') && strings.HasPrefix(property, ".")
			if set {
				n = len(property)
			}
			b.plain(s.text[s.at : s.at+n])
			if s.at += n; set {
				break loop
			}
		}
	}
	b.raw = s.text[from:s.at]
	if s.at == from { // a character that fits nowhere
		s.at++
	}
	return b.item
}

// call reads what stands in brackets: a value, or the arguments of a method. It
// reports false if the bracket begins the next item: iex(…).
func (s *scanner) call(b *builder) bool {
	method := ""
	if i := strings.LastIndexAny(b.text, ".:"); b.parts && i >= 0 && isWord(b.text[i+1:]) {
		method = b.text[i+1:]
	} else if b.parts && b.bare && !strings.HasSuffix(b.text, "]") {
		return false
	}
	s.at++
	inner := s.bracket('(', ')')
	switch {
	case s.r.batch:
		b.add(value{text: "(" + inner + ")"})
	case method != "":
		base := b.value
		if b.bare && b.text[0] != '[' && b.text[0] != '$' { // New-Object Net.Sockets.TcpClient(…)
			b.value = s.r.make(b.text, s.r.arguments(inner), nil)
			break
		}
		base.text = strings.TrimRight(b.text[:len(b.text)-len(method)], ".:")
		b.value = s.r.method(strings.ToLower(method), base, s.r.arguments(inner))
	default:
		b.add(s.r.script(inner, value{}))
	}
	b.bare = false
	return true
}

// arguments evaluates what stands between the commas of a call.
func (r *reader) arguments(text string) (out []value) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	s := scanner{r: r, text: text}
	items, _ := s.command()
	from := 0
	for n := range len(items) + 1 {
		if n < len(items) && !(items[n].bare && items[n].raw == ",") {
			continue
		}
		if from < n && r.fits(len(out), "arguments") {
			out = append(out, r.expression(items[from:n], value{}))
		}
		from = n + 1
	}
	return out
}

func isName(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '?' || c == '^'
}

func isWord(s string) bool {
	for i := range len(s) {
		if !isName(s[i]) {
			return false
		}
	}
	return s != ""
}
