package lex

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/calls"
	"github.com/trammel-dev/trammel/effects/languages/within"
)

// Perl is the syntax of Perl.
var Perl = Syntax{
	comments:  "#",
	marks:     "... .. //",
	rawQuotes: true,
	backtick:  Command,
	regexes:   true,
	heredoc:   "<<",
	special:   perlSpecial,
	prefixed:  perlQuote,
	newLine:   perlLine,
	embedded:  within.Perl,
	Hashes:    true,
}

// perlLine skips documentation, and everything after __END__.
func perlLine(l *lexer) {
	switch {
	case l.at("=") && l.i+1 < len(l.src) && within.NameByte(l.src[l.i+1]):
		l.skipPast("\n=cut")
	case l.at("__END__") || l.at("__DATA__"):
		l.i = len(l.src)
	}
}

// perlSpecial reads $x, @x, %x and <*.txt>.
func perlSpecial(l *lexer, pos int) bool {
	rest := l.src[pos:]
	switch b := rest[0]; {
	case b == '$' || b == '@' || b == '%' && len(rest) > 1 && (within.NameByte(rest[1]) || rest[1] == '{' || rest[1] == '$') && l.valueNext():
		perlSigil(l, pos)
	case b == '<' && l.valueNext() && !strings.HasPrefix(rest, "<<"):
		end := strings.IndexAny(rest[:min(len(rest), maxAhead)], ">\n;")
		if end <= 0 || rest[end] != '>' {
			return false
		}
		l.i += end + 1
		l.add(Glob, rest[1:end], pos)
	default:
		return false
	}
	return true
}

// perlSigil reads $x, @x, %x, ${x}, $$x, $_ and the like as one name.
func perlSigil(l *lexer, pos int) {
	if l.i++; l.dollars(pos) {
		return
	}
	switch {
	case l.i >= len(l.src):
	case within.NameByte(l.src[l.i]) || l.src[l.i] == ':':
		for l.word(); l.at("::"); l.word() {
			l.i += 2
		}
	case l.src[pos] == '$' && strings.IndexByte("&`'+!@/\\,;.0^", l.src[l.i]) >= 0:
		l.i++
	}
	l.add(Name, l.src[pos:l.i], pos)
}

// dollars skips further dollars of $$x, and reads all of ${x}.
func (l *lexer) dollars(pos int) bool {
	for l.at("$") {
		l.i++
	}
	if !l.at("{") {
		return false
	}
	end := strings.IndexByte(l.src[l.i:min(len(l.src), l.i+maxAhead)], '}')
	if end <= 1 || !within.IsName(l.src[l.i+1:l.i+end]) {
		return false
	}
	name := l.src[pos:pos+1] + l.src[l.i+1:l.i+end]
	l.i += end + 1
	l.add(Name, name, pos)
	return true
}

// perlQuote reads what begins with q, qq, qw, qx, m, s, y, tr or qr.
func perlQuote(l *lexer, pos int, word string) bool {
	if !calls.Has(" q qq qw qx m s y tr qr ", word) {
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
	if within.NameByte(open) || strings.IndexByte(",;)\n", open) >= 0 || open == '=' && (strings.HasPrefix(l.src[at:], "=>") || at > l.i) ||
		open == '#' && at > l.i || pos > 0 && (l.src[pos-1] == '>' || l.src[pos-1] == '{' && open == '}') {
		return false
	}
	l.i = at
	switch word {
	case "q", "qq":
		l.quoted(pos, open, within.Closing(open), word == "q", Text)
	case "qx":
		l.quoted(pos, open, within.Closing(open), open == '\'', Command)
	case "qw":
		l.words(pos, open)
	case "m", "qr":
		l.regex(pos, within.Closing(open), 1)
	default:
		perlSubstitution(l, pos, open, word)
	}
	return true
}

// perlSubstitution is s/a/b/: with the flag e, b is code.
func perlSubstitution(l *lexer, pos int, open byte, word string) {
	start := l.i
	if within.Closing(open) != open { // s{a}{b}
		l.regex(pos, within.Closing(open), 1)
		l.out = l.out[:len(l.out)-1]
		for l.at(" ") || l.at("\n") {
			l.i++
		}
		if start = l.i; l.i >= len(l.src) {
			return
		}
		open = within.Closing(l.src[l.i])
		l.regex(pos, open, 1)
	} else {
		l.regex(pos, open, 2)
	}
	text := l.src[start:l.i]
	at := strings.LastIndexByte(text, open)
	if word != "s" || at <= 0 || !strings.ContainsRune(text[at+1:], 'e') {
		return
	}
	code := text[1:at]
	if k := strings.LastIndexByte(code, open); k >= 0 {
		code = code[k+1:]
	}
	l.out[len(l.out)-1].Parts = []Part{{Text: code, Code: true}}
}
