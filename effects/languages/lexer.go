package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/within"
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

func (t *token) is(mark string) bool { return t.kind == markToken && t.text == mark }

func (t *token) named(name string) bool { return t.kind == nameToken && t.text == name }

// opens and closes report whether the token is a bracket.
func (t *token) opens() bool { return t.is("(") || t.is("[") || t.is("{") }

func (t *token) closes() bool { return t.is(")") || t.is("]") || t.is("}") }

// lexer splits a program into tokens. It accepts anything: an unknown character
// becomes a mark, and an unterminated string ends with the program.
type lexer struct {
	*Language
	src      string
	i        int
	out      []token
	heredocs []heredoc
	lastLine int // where the last line begins
}

func tokenize(language *Language, src string) []token {
	l := lexer{Language: language, src: src, out: make([]token, 0, min(len(src)/4, maxTokens)+4), lastLine: strings.LastIndexByte(src, '\n')}
	for l.i < len(l.src) && len(l.out) < maxTokens {
		l.next()
	}
	l.out = append(l.out, token{kind: endToken, pos: l.i, end: l.i})
	return l.out
}

// cutOff reports whether a program was too long to be read to its end.
func cutOff(tokens []token, src string) bool { return tokens[len(tokens)-1].pos < len(src) }

func (l *lexer) add(kind tokenKind, text string, pos int) {
	l.out = append(l.out, token{kind: kind, text: text, pos: pos, end: l.i})
}

func (l *lexer) at(s string) bool { return strings.HasPrefix(l.src[l.i:], s) }

// move goes forward, at most to the end.
func (l *lexer) move(n int) { l.i = min(l.i+n, len(l.src)) }

func (l *lexer) next() {
	pos, b := l.i, l.src[l.i]
	switch {
	case b == '\n':
		l.i++
		l.add(lineToken, "\n", pos)
		l.takeHeredocs()
		if l.newLine != nil {
			l.newLine(l)
		}
	case b == ' ' || b == '\t' || b == '\r' || b == '\f':
		l.i++
	case b == '\\' && l.at("\\\n"):
		l.i += 2
	case l.comment():
	case l.special != nil && l.special(l, pos):
	case l.heredoc != "" && l.at(l.heredoc) && l.beginHeredoc(pos):
	case b == '/' && l.regexes && l.valueNext():
		l.regex(pos, '/', 1)
	case b == '"' || b == '\'':
		l.quoted(pos, b, b, b == '\'' && l.rawQuotes, textToken)
	case b == '`' && l.backtick != markToken:
		l.quoted(pos, b, b, false, l.backtick)
	case b >= '0' && b <= '9':
		for l.i < len(l.src) && (within.NameByte(l.src[l.i]) || l.src[l.i] == '.' && l.i+1 < len(l.src) && within.Digit(l.src[l.i+1])) {
			l.i++
		}
		l.add(numberToken, l.src[pos:l.i], pos)
	case within.NameByte(b):
		l.word()
		if name := l.src[pos:l.i]; l.prefixed == nil || !l.prefixed(l, pos, name) {
			l.add(nameToken, l.src[pos:l.i], pos)
		}
	default:
		l.mark(pos)
	}
}

// word moves to the end of an identifier.
func (l *lexer) word() {
	for l.i < len(l.src) && within.NameByte(l.src[l.i]) {
		l.i++
	}
}

// comment skips a comment.
func (l *lexer) comment() bool {
	for rest := l.blocks; rest != ""; {
		open, tail, _ := strings.Cut(rest, " ")
		end, more, _ := strings.Cut(tail, " ")
		if l.at(open) {
			l.i += len(open)
			l.skipPast(end)
			return true
		}
		rest = more
	}
	if within.PrefixIn(l.comments, l.src[l.i:]) == 0 {
		return false
	}
	l.skipTo("\n")
	return true
}

func (l *lexer) skipTo(end string) {
	if n := strings.Index(l.src[l.i:], end); n >= 0 {
		l.i += n
		return
	}
	l.i = len(l.src)
}

func (l *lexer) skipPast(end string) {
	l.skipTo(end)
	l.move(len(end))
}

// valueNext reports whether a value, and no operator, can come next.
func (l *lexer) valueNext() bool {
	if len(l.out) == 0 {
		return true
	}
	switch last := &l.out[len(l.out)-1]; last.kind {
	case textToken, numberToken, commandToken, globToken:
		return false
	case nameToken:
		return has(" return typeof case in of and or not if unless while until when x print split grep map join push unlink puts foreach for "+
			"await delete void system exec p rmtree remove_tree chmod say die require do then else elsif ", last.text)
	case markToken:
		return last.text != ")" && last.text != "]" && (last.text != "}" || l.hashes)
	}
	return true
}

// regex skips a pattern of n parts, and its flags.
func (l *lexer) regex(pos int, end byte, n int) {
	l.i++
	class := false
	for ; l.i < len(l.src) && n > 0; l.i++ {
		switch b := l.src[l.i]; {
		case b == '\\':
			l.i++
		case b == '[' && l.arrows:
			class = true
		case b == ']':
			class = false
		case b == end && !class:
			n--
		case b == '\n' && l.arrows:
			n = 0
		}
	}
	l.i = min(l.i, len(l.src))
	l.word()
	l.add(textToken, "", pos)
	l.out[len(l.out)-1].parts = []part{{text: "\x00", code: true}} // a value that is not known
}

// operators are the marks of more than one byte that all languages may have.
const operators = "=== !== **= <=> => -> :: ?. == != =~ !~ := += .= -= *= /= ||= //= ??= || && ?? << >> <= >= ++ -- **"

func (l *lexer) mark(pos int) {
	n := 1
	if rest := l.src[pos:]; len(rest) > 1 && strings.IndexByte("=.>:|&?/<~+-*", rest[1]) >= 0 {
		if n = within.PrefixIn(l.marks, rest); n == 0 {
			n = max(1, within.PrefixIn(operators, rest))
		}
		if n == 2 && len(rest) > 2 && rest[:2] == "?." && within.Digit(rest[2]) { // x ?.5 : y
			n = 1
		}
	}
	l.i += n
	l.add(markToken, l.src[pos:l.i], pos)
}

// words reads qw(a b) or %w[a b] as a list in brackets.
func (l *lexer) words(pos int, open byte) {
	l.i++
	start := l.i
	for end := within.Closing(open); l.i < len(l.src) && l.src[l.i] != end; {
		l.i++
	}
	body := l.src[start:l.i]
	l.move(1)
	l.add(markToken, "[", pos)
	for _, word := range strings.Fields(strings.ReplaceAll(body, `\ `, "\x00")) {
		l.add(textToken, strings.ReplaceAll(word, "\x00", " "), pos)
		l.add(markToken, ",", pos)
	}
	l.add(markToken, "]", pos)
}
