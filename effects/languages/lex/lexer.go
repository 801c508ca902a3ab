package lex

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/calls"
	"github.com/trammel-dev/trammel/effects/languages/within"
)

// Kind is the sort of a token.
type Kind uint8

const (
	End     Kind = iota
	Name         // an identifier; with its sigil where the language has them
	Text         // a string
	Number       // a number, as written
	Mark         // an operator or bracket
	Command      // a string that is run by a shell: `…`, qx(…), %x(…)
	Glob         // <*.txt> of Perl
	Line         // the end of a line
)

// Token is one word of a program.
type Token struct {
	Kind  Kind
	Text  string // decoded, if it is a string without code in it
	Parts []Part // a string with code in it
	Pos   int    // where it begins
	End   int    // where it ends
}

// Part is a piece of a string: text, or code whose value goes in its place.
type Part struct {
	Text string
	Code bool
}

func (t *Token) Is(mark string) bool { return t.Kind == Mark && t.Text == mark }

func (t *Token) Named(name string) bool { return t.Kind == Name && t.Text == name }

// Opens and Closes report whether the token is a bracket.
func (t *Token) Opens() bool { return t.Is("(") || t.Is("[") || t.Is("{") }

func (t *Token) Closes() bool { return t.Is(")") || t.Is("]") || t.Is("}") }

// lexer splits a program into tokens. It accepts anything: an unknown character
// becomes a mark, and an unterminated string ends with the program.
type lexer struct {
	*Syntax
	src      string
	i        int
	out      []Token
	heredocs []heredoc
	lastLine int // where the last line begins
}

// Tokenize cuts a program into tokens; the last is an End.
func Tokenize(syntax *Syntax, src string) []Token {
	l := lexer{Syntax: syntax, src: src, out: make([]Token, 0, min(len(src)/4, MaxTokens)+4), lastLine: strings.LastIndexByte(src, '\n')}
	for l.i < len(l.src) && len(l.out) < MaxTokens {
		l.next()
	}
	l.out = append(l.out, Token{Kind: End, Pos: l.i, End: l.i})
	return l.out
}

// CutOff reports whether a program was too long to be read to its end.
func CutOff(tokens []Token, src string) bool { return tokens[len(tokens)-1].Pos < len(src) }

func (l *lexer) add(kind Kind, text string, pos int) {
	l.out = append(l.out, Token{Kind: kind, Text: text, Pos: pos, End: l.i})
}

func (l *lexer) at(s string) bool { return strings.HasPrefix(l.src[l.i:], s) }

// move goes forward, at most to the end.
func (l *lexer) move(n int) { l.i = min(l.i+n, len(l.src)) }

func (l *lexer) next() {
	pos, b := l.i, l.src[l.i]
	switch {
	case b == '\n':
		l.i++
		l.add(Line, "\n", pos)
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
		l.quoted(pos, b, b, b == '\'' && l.rawQuotes, Text)
	case b == '`' && l.backtick != Mark:
		l.quoted(pos, b, b, false, l.backtick)
	case b >= '0' && b <= '9':
		for l.i < len(l.src) && (within.NameByte(l.src[l.i]) || l.src[l.i] == '.' && l.i+1 < len(l.src) && within.Digit(l.src[l.i+1])) {
			l.i++
		}
		l.add(Number, l.src[pos:l.i], pos)
	case within.NameByte(b):
		l.word()
		if name := l.src[pos:l.i]; l.prefixed == nil || !l.prefixed(l, pos, name) {
			l.add(Name, l.src[pos:l.i], pos)
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
	switch last := &l.out[len(l.out)-1]; last.Kind {
	case Text, Number, Command, Glob:
		return false
	case Name:
		return calls.Has(" return typeof case in of and or not if unless while until when x print split grep map join push unlink puts "+
			"foreach for await delete void system exec p rmtree remove_tree chmod say die require do then else elsif ", last.Text)
	case Mark:
		return last.Text != ")" && last.Text != "]" && (last.Text != "}" || l.Hashes)
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
		case b == '[' && l.Arrows:
			class = true
		case b == ']':
			class = false
		case b == end && !class:
			n--
		case b == '\n' && l.Arrows:
			n = 0
		}
	}
	l.i = min(l.i, len(l.src))
	l.word()
	l.add(Text, "", pos)
	l.out[len(l.out)-1].Parts = []Part{{Text: "\x00", Code: true}} // a value that is not known
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
	l.add(Mark, l.src[pos:l.i], pos)
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
	l.add(Mark, "[", pos)
	for _, word := range strings.Fields(strings.ReplaceAll(body, `\ `, "\x00")) {
		l.add(Text, strings.ReplaceAll(word, "\x00", " "), pos)
		l.add(Mark, ",", pos)
	}
	l.add(Mark, "]", pos)
}
