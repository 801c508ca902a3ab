package languages

import (
	"strings"
	"unicode/utf8"
)

// tokenKind is the sort of a token.
type tokenKind uint8

const (
	endToken     tokenKind = iota
	nameToken              // an identifier; with its sigil where the language has them
	textToken              // a string
	numberToken            // a number, as written
	markToken              // an operator or bracket
	commandToken           // a string that is run by a shell: `…`, qx(…), %x(…)
	globToken              // <*.txt> of Perl
	lineToken              // the end of a line
)

// token is one word of a program.
type token struct {
	kind  tokenKind
	text  string // decoded, if it is a string without code in it
	parts []part // a string with code in it
	pos   int    // where it begins
	end   int    // where it ends
}

// part is a piece of a string: text, or code whose value goes in its place.
type part struct {
	text string
	code bool
}

// lexer cuts a program into tokens. It takes anything: what it does not know
// becomes a mark, and a string without an end ends with the program.
type lexer struct {
	language string
	src      string
	i        int
	out      []token
	heredocs []heredoc
	lastLine int // where the last line begins
}

// maxName is how far the end of a name in brackets may be away.
const maxName = 512

// heredoc is a string whose text begins on the next line.
type heredoc struct {
	at     int // index of its token
	end    string
	raw    bool
	indent bool
}

func tokenize(language, src string) []token {
	l := lexer{language: language, src: src, out: make([]token, 0, min(len(src)/4, maxTokens)+4), lastLine: strings.LastIndexByte(src, '\n')}
	for l.i < len(l.src) && len(l.out) < maxTokens {
		l.next()
	}
	l.out = append(l.out, token{kind: endToken, pos: l.i, end: l.i})
	return l.out
}

// maxTokens of one program are read. Code that people write has one for every
// four bytes or so; what has many more is made to take long.
const maxTokens = 1 << 15

// cutOff reports whether a program was too long to be read to its end.
func cutOff(tokens []token, src string) bool { return tokens[len(tokens)-1].pos < len(src) }

func (l *lexer) add(kind tokenKind, text string, pos int) {
	l.out = append(l.out, token{kind: kind, text: text, pos: pos, end: l.i})
}

func (l *lexer) peek(s string) bool { return strings.HasPrefix(l.src[l.i:], s) }

func (l *lexer) next() {
	pos, b := l.i, l.src[l.i]
	switch {
	case b == '\n':
		l.i++
		l.add(lineToken, "\n", pos)
		l.takeHeredocs()
		l.skipPod()
	case b == ' ' || b == '\t' || b == '\r' || b == '\f':
		l.i++
	case b == '\\' && strings.HasPrefix(l.src[l.i:], "\\\n"):
		l.i += 2
	case l.language == "lua" && l.peek("--"):
		if l.peek("--[[") {
			l.skipTo("]]")
			l.i = min(l.i+2, len(l.src))
			return
		}
		l.skipTo("\n")
	case l.language == "lua" && l.peek("[["):
		l.i += 2
		start := l.i
		l.skipTo("]]")
		body := l.src[start:l.i]
		l.i = min(l.i+2, len(l.src))
		l.add(textToken, body, pos)
	case b == '#' && l.language != "node" && l.language != "lua" && !(l.language == "php" && l.peek("#[")):
		l.skipTo("\n")
	case (l.language == "node" || l.language == "php") && l.peek("//"):
		l.skipTo("\n")
	case (l.language == "node" || l.language == "php") && l.peek("/*"):
		l.skipTo("*/")
		l.i = min(l.i+2, len(l.src))
	case l.language == "php" && l.peek("<?"):
		l.i += 2
		if l.peek("php") {
			l.i += 3
		}
	case l.language == "php" && l.peek("?>"):
		l.skipTo("<?")
	case l.special(pos):
	case b == '"' || b == '\'':
		l.quoted(pos, b, b, b == '\'' && l.language != "python" && l.language != "node" && l.language != "lua", textToken)
	case b == '`':
		kind := commandToken
		if l.language == "node" {
			kind = textToken
		}
		if l.language == "python" {
			l.i++
			l.add(markToken, "`", pos)
			return
		}
		l.quoted(pos, b, b, false, kind)
	case b >= '0' && b <= '9':
		for l.i < len(l.src) && (isNameByte(l.src[l.i]) || l.src[l.i] == '.' && l.i+1 < len(l.src) && l.src[l.i+1] >= '0' &&
			l.src[l.i+1] <= '9') {
			l.i++
		}
		l.add(numberToken, l.src[pos:l.i], pos)
	case isNameByte(b):
		l.name(pos)
	default:
		l.mark(pos)
	}
}

func isNameByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= utf8.RuneSelf
}

func (l *lexer) skipTo(end string) {
	if n := strings.Index(l.src[l.i:], end); n >= 0 {
		l.i += n
		return
	}
	l.i = len(l.src)
}

// skipPod skips the documentation of Perl and the block comments of Ruby.
func (l *lexer) skipPod() {
	switch {
	case l.language == "ruby" && l.peek("=begin"):
		l.skipTo("\n=end")
		l.i = min(l.i+5, len(l.src))
	case l.language == "perl" && l.i+1 < len(l.src) && l.src[l.i] == '=' && isNameByte(l.src[l.i+1]):
		l.skipTo("\n=cut")
		l.i = min(l.i+5, len(l.src))
	case (l.language == "perl" || l.language == "ruby") && l.peek("__END__"):
		l.i = len(l.src)
	}
}

// name reads an identifier, and the strings that begin with one.
func (l *lexer) name(pos int) {
	for l.i < len(l.src) && isNameByte(l.src[l.i]) {
		l.i++
	}
	word := l.src[pos:l.i]
	if l.i < len(l.src) {
		b := l.src[l.i]
		switch {
		case l.language == "python" && (b == '"' || b == '\'') && len(word) <= 2 && strings.Trim(strings.ToLower(word), "rbuft") == "":
			l.pythonString(pos, strings.ToLower(word))
			return
		case l.language == "perl" && l.perlQuote(pos, word):
			return
		case l.language == "ruby" && (b == '?' || b == '!') && !strings.HasPrefix(l.src[l.i:], "!=") && !strings.HasPrefix(l.src[l.i:], "?:"):
			if l.i+1 >= len(l.src) || l.src[l.i+1] == '(' || l.src[l.i+1] == ' ' || l.src[l.i+1] == '\n' || l.src[l.i+1] == ')' ||
				l.src[l.i+1] == ';' {
				l.i++
			}
		}
	}
	l.add(nameToken, l.src[pos:l.i], pos)
}

// special reads what only one language has.
func (l *lexer) special(pos int) bool {
	b := l.src[pos]
	rest := l.src[pos:]
	switch l.language {
	case "python":
		if b == '"' || b == '\'' {
			l.pythonString(pos, "")
			return true
		}
	case "node":
		if b == '$' {
			l.sigil(pos)
			return true
		}
		if b == '/' && l.regexAllowed() {
			l.regex(pos, '/', 1)
			return true
		}
	case "perl", "php":
		if b == '$' || l.language == "perl" && (b == '@' || b == '%' && len(rest) > 1 && (isNameByte(rest[1]) || rest[1] == '{' ||
			rest[1] == '$') && l.regexAllowed()) {
			l.sigil(pos)
			return true
		}
		if l.language == "php" {
			return strings.HasPrefix(rest, "<<<") && l.heredoc(pos, 3)
		}
		if b == '/' && l.regexAllowed() {
			l.regex(pos, '/', 1)
			return true
		}
		if b == '<' && l.regexAllowed() {
			if strings.HasPrefix(rest, "<<") && l.heredoc(pos, 2) {
				return true
			}
			if end := strings.IndexAny(rest[:min(len(rest), maxName)], ">\n;"); end > 0 && rest[end] == '>' {
				l.i += end + 1
				l.add(globToken, rest[1:end], pos)
				return true
			}
		}
		return b == '<' && strings.HasPrefix(rest, "<<") && l.heredoc(pos, 2)
	case "awk":
		if b == '/' && l.regexAllowed() {
			l.regex(pos, '/', 1)
			return true
		}
	case "ruby":
		return l.rubySpecial(pos, rest)
	}
	return false
}

func (l *lexer) rubySpecial(pos int, rest string) bool {
	b := rest[0]
	switch {
	case b == '$' || b == '@':
		l.i++
		for l.i < len(l.src) && (isNameByte(l.src[l.i]) || l.src[l.i] == '@' || l.src[l.i] == '!' && l.i == pos+1) {
			l.i++
		}
		l.add(nameToken, l.src[pos:l.i], pos)
	case b == ':' && len(rest) > 1 && isNameByte(rest[1]) && (pos == 0 || l.src[pos-1] != ':'):
		l.i++
		for l.i < len(l.src) && (isNameByte(l.src[l.i]) || l.src[l.i] == '?' || l.src[l.i] == '!') {
			l.i++
		}
		l.add(textToken, l.src[pos+1:l.i], pos)
	case b == '/' && l.regexAllowed():
		l.regex(pos, '/', 1)
	case strings.HasPrefix(rest, "<<") && l.heredoc(pos, 2):
	case b == '%' && len(rest) > 2 && l.regexAllowed():
		kind, open, n := byte('Q'), rest[1], 1
		if rest[1] >= 'A' && rest[1] <= 'z' && rest[1] != '[' && rest[1] != '\\' && rest[1] != '_' {
			kind, open, n = rest[1], rest[2], 2
		}
		if isNameByte(open) || open == ' ' || open == '=' || open == '\n' {
			return false
		}
		l.i += n
		switch kind {
		case 'x':
			l.quoted(pos, open, closing(open), false, commandToken)
		case 'w', 'W', 'i', 'I':
			l.words(pos, open)
		case 'q', 's':
			l.quoted(pos, open, closing(open), true, textToken)
		case 'r':
			l.regex(pos, closing(open), 1)
		default:
			l.quoted(pos, open, closing(open), false, textToken)
		}
	default:
		return false
	}
	return true
}

// sigil reads $x, @x, %x, ${x}, $$x, $_ and the like as one name.
func (l *lexer) sigil(pos int) {
	l.i++
	if l.language == "node" {
		for l.i < len(l.src) && (isNameByte(l.src[l.i]) || l.src[l.i] == '$') {
			l.i++
		}
		l.add(nameToken, l.src[pos:l.i], pos)
		return
	}
	for l.i < len(l.src) && l.src[l.i] == '$' {
		l.i++
	}
	switch {
	case l.i < len(l.src) && l.src[l.i] == '{':
		end := strings.IndexByte(l.src[l.i:min(len(l.src), l.i+maxName)], '}')
		if end > 1 && isName(l.src[l.i+1:l.i+end]) {
			name := l.src[pos:pos+1] + l.src[l.i+1:l.i+end]
			l.i += end + 1
			l.add(nameToken, name, pos)
			return
		}
	case l.i < len(l.src) && (isNameByte(l.src[l.i]) || l.src[l.i] == ':' && l.language == "perl"):
		for l.i < len(l.src) && (isNameByte(l.src[l.i]) || l.language == "perl" && l.src[l.i] == ':' && strings.HasPrefix(l.src[l.i:], "::")) {
			if l.src[l.i] == ':' {
				l.i++
			}
			l.i++
		}
	case l.i < len(l.src) && l.language == "perl" && strings.IndexByte("&`'+!@/\\,;.0^", l.src[l.i]) >= 0 && l.src[pos] == '$':
		l.i++
	}
	l.add(nameToken, l.src[pos:l.i], pos)
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// regexAllowed reports whether a value, and no operator, can come next.
func (l *lexer) regexAllowed() bool {
	if len(l.out) == 0 {
		return true
	}
	switch last := &l.out[len(l.out)-1]; last.kind {
	case textToken, numberToken, commandToken, globToken:
		return false
	case nameToken:
		switch last.text {
		case "return", "typeof", "case", "in", "of", "and", "or", "not", "if", "unless", "while", "until", "when", "x", "print", "split",
			"grep", "map", "join", "push", "unlink", "puts", "foreach", "for", "await", "delete", "void", "system", "exec", "p", "rmtree",
			"remove_tree", "chmod", "say", "die", "require", "do", "then", "else", "elsif":
			return true
		}
		return false
	case markToken:
		return last.text != ")" && last.text != "]" && last.text != "}" || l.language == "perl" && last.text == "}"
	}
	return true
}

// regex skips a pattern of n parts, and its flags. With the flag e the last
// part is code.
func (l *lexer) regex(pos int, end byte, n int) {
	l.i++
	class := false
	for ; l.i < len(l.src) && n > 0; l.i++ {
		switch b := l.src[l.i]; {
		case b == '\\':
			l.i++
		case b == '[' && l.language == "node":
			class = true
		case b == ']':
			class = false
		case b == end && !class:
			n--
		case b == '\n' && l.language == "node":
			n = 0
		}
	}
	l.i = min(l.i, len(l.src))
	for l.i < len(l.src) && isNameByte(l.src[l.i]) {
		l.i++
	}
	l.add(textToken, "", pos)
	l.out[len(l.out)-1].parts = []part{{text: "\x00", code: true}} // a value that is not known
}

func (l *lexer) mark(pos int) {
	rest := l.src[pos:]
	if len(rest) < 2 || strings.IndexByte("=.>:|&?/<~+-*", rest[1]) < 0 { // the common case, at once
		l.i++
		l.add(markToken, rest[:1], pos)
		return
	}
	for _, op := range [...]string{"...", "===", "!==", "**=", "<=>", "=>", "->", "::", "?.", "==", "!=", "=~", "!~", ":=", "+=", ".=", "-=",
		"*=", "/=", "||=", "//=", "??=", "||", "&&", "??", "//", "<<", ">>", "<=", ">=", "..", "++", "--", "**"} {
		if strings.HasPrefix(rest, op) {
			if (op == "..." || op == "..") && l.language == "python" || op == "//" && l.language != "perl" && l.language != "python" {
				continue
			}
			if op == "?." && len(rest) > 2 && rest[2] >= '0' && rest[2] <= '9' {
				continue
			}
			l.i += len(op)
			l.add(markToken, op, pos)
			return
		}
	}
	l.i++
	l.add(markToken, rest[:1], pos)
}

func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return open
}

// words reads qw(a b) or %w[a b] as a list in brackets.
func (l *lexer) words(pos int, open byte) {
	end := strings.IndexByte(l.src[l.i+1:], closing(open))
	if end < 0 {
		end = len(l.src) - l.i - 1
	}
	body := l.src[l.i+1 : l.i+1+end]
	l.i = min(l.i+end+2, len(l.src))
	l.add(markToken, "[", pos)
	for _, word := range strings.Fields(body) {
		l.add(textToken, word, pos)
		l.add(markToken, ",", pos)
	}
	l.add(markToken, "]", pos)
}

// perlQuote reads what begins with q, qq, qw, qx, m, s, y, tr or qr.
func (l *lexer) perlQuote(pos int, word string) bool {
	switch word {
	case "q", "qq", "qw", "qx", "m", "s", "y", "tr", "qr":
	default:
		return false
	}
	at := l.i
	for at < len(l.src) && (l.src[at] == ' ' || l.src[at] == '\t') {
		at++
	}
	if at >= len(l.src) {
		return false
	}
	open := l.src[at]
	if isNameByte(open) || open == ',' || open == ';' || open == ')' || open == '=' && (strings.HasPrefix(l.src[at:], "=>") || at > l.i) ||
		open == '#' && at > l.i || open == '\n' || pos > 0 && (l.src[pos-1] == '>' || l.src[pos-1] == '{' && open == '}') {
		return false
	}
	l.i = at
	switch word {
	case "q":
		l.quoted(pos, open, closing(open), true, textToken)
	case "qq":
		l.quoted(pos, open, closing(open), false, textToken)
	case "qx":
		l.quoted(pos, open, closing(open), open == '\'', commandToken)
	case "qw":
		l.words(pos, open)
	default:
		n := 1
		if word == "s" || word == "y" || word == "tr" {
			n = 2
			if closing(open) != open { // s{a}{b}
				l.regex(pos, closing(open), 1)
				l.out = l.out[:len(l.out)-1]
				for l.i < len(l.src) && (l.src[l.i] == ' ' || l.src[l.i] == '\n') {
					l.i++
				}
				if l.i < len(l.src) {
					l.regex(pos, closing(l.src[l.i]), 1)
				}
				return true
			}
		}
		l.substitution(pos, open, n, word)
	}
	return true
}

// substitution is s/a/b/: with the flag e, b is code.
func (l *lexer) substitution(pos int, open byte, n int, word string) {
	start := l.i
	l.regex(pos, open, n)
	if word != "s" {
		return
	}
	text := l.src[start:l.i]
	flags := text[strings.LastIndexByte(text, open)+1:]
	if strings.ContainsRune(flags, 'e') && len(text) > len(flags)+1 {
		text = text[1 : len(text)-len(flags)-1]
		if at := strings.LastIndexByte(text, open); at >= 0 {
			l.out[len(l.out)-1].parts = []part{{text: text[at+1:], code: true}}
		}
	}
}

// heredoc notes <<EOT; its text is read at the end of the line.
func (l *lexer) heredoc(pos, n int) bool {
	rest := l.src[pos+n:]
	h := heredoc{}
	if rest != "" && (rest[0] == '~' || rest[0] == '-') && l.language != "php" {
		h.indent = true
		rest = rest[1:]
		n++
	}
	if l.language == "php" {
		h.indent = true
		trimmed := strings.TrimLeft(rest, " \t")
		n += len(rest) - len(trimmed)
		rest = trimmed
	}
	if rest == "" {
		return false
	}
	switch q := rest[0]; {
	case q == '"' || q == '\'' || q == '`':
		end := strings.IndexByte(rest[1:], q)
		if end < 0 {
			return false
		}
		h.end, h.raw = rest[1:1+end], q == '\''
		n += end + 2
	case q >= 'A' && q <= 'Z' || q == '_' || q >= 'a' && q <= 'z' && (l.language == "php" || h.indent):
		end := 0
		for end < len(rest) && isNameByte(rest[end]) {
			end++
		}
		h.end = rest[:end]
		n += end
	default:
		return false
	}
	if pos > l.lastLine {
		return false
	}
	l.i = pos + n
	h.at = len(l.out)
	l.add(textToken, "", pos)
	l.heredocs = append(l.heredocs, h)
	return true
}

func (l *lexer) takeHeredocs() {
	for _, h := range l.heredocs {
		start := l.i
		for {
			end := strings.IndexByte(l.src[l.i:], '\n')
			line, next := l.src[l.i:], len(l.src)
			if end >= 0 {
				line, next = l.src[l.i:l.i+end], l.i+end+1
			}
			stop := line
			if h.indent {
				stop = strings.TrimLeft(line, " \t")
			}
			if l.language == "php" && strings.HasPrefix(stop, h.end) && !isName(strings.TrimPrefix(stop, h.end)) {
				l.fillHeredoc(h, l.src[start:l.i])
				l.i += strings.Index(line, h.end) + len(h.end)
				break
			}
			if strings.TrimRight(stop, "\r") == h.end || next >= len(l.src) {
				text := l.src[start:l.i]
				if strings.TrimRight(stop, "\r") != h.end {
					text = l.src[start:]
				}
				l.fillHeredoc(h, text)
				l.i = next
				break
			}
			l.i = next
		}
	}
	l.heredocs = l.heredocs[:0]
}

func (l *lexer) fillHeredoc(h heredoc, text string) {
	t := &l.out[h.at]
	if h.raw {
		t.text = text
		return
	}
	t.text, t.parts = decode(l.language, text, false)
}
