package lex

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/within"
)

// Ruby is the syntax of Ruby.
var Ruby = Syntax{
	comments:  "#",
	marks:     "... .. &.",
	rawQuotes: true,
	backtick:  Command,
	regexes:   true,
	heredoc:   "<<",
	special:   rubySpecial,
	prefixed:  rubyName,
	newLine:   rubyLine,
	nested:    "#{",
}

// rubyName reads the mark behind a name: empty?, save!.
func rubyName(l *lexer, pos int, word string) bool {
	if l.i < len(l.src) && (l.at("?") && !l.at("?:") || l.at("!") && !l.at("!=")) &&
		(l.i+1 >= len(l.src) || strings.IndexByte("( \n);", l.src[l.i+1]) >= 0) {
		l.i++
	}
	return false
}

// rubyLine skips the comments in =begin and =end, and everything after __END__.
func rubyLine(l *lexer) {
	switch {
	case l.at("=begin"):
		l.skipPast("\n=end")
	case l.at("__END__"):
		l.i = len(l.src)
	}
}

// rubySpecial reads $x, @x, :symbol and %w[…].
func rubySpecial(l *lexer, pos int) bool {
	rest := l.src[pos:]
	switch b := rest[0]; {
	case b == '$' || b == '@':
		l.i++
		for l.i < len(l.src) && (within.NameByte(l.src[l.i]) || l.src[l.i] == '@' || l.src[l.i] == '!' && l.i == pos+1) {
			l.i++
		}
		l.add(Name, l.src[pos:l.i], pos)
	case b == ':' && len(rest) > 1 && within.NameByte(rest[1]) && (pos == 0 || l.src[pos-1] != ':'):
		l.i++
		for l.i < len(l.src) && (within.NameByte(l.src[l.i]) || l.src[l.i] == '?' || l.src[l.i] == '!') {
			l.i++
		}
		l.add(Text, l.src[pos+1:l.i], pos)
	case b == '%' && len(rest) > 2 && (l.valueNext() || pos > 0 && l.src[pos-1] == ' ' && strings.IndexByte("([{<", rest[2]) >= 0):
		kind, open, n := byte('Q'), rest[1], 1
		if rest[1] >= 'A' && rest[1] <= 'Z' || rest[1] >= 'a' && rest[1] <= 'z' {
			kind, open, n = rest[1], rest[2], 2
		}
		if within.NameByte(open) || open == ' ' || open == '=' || open == '\n' {
			return false
		}
		l.i += n
		switch kind {
		case 'x':
			l.quoted(pos, open, within.Closing(open), false, Command)
		case 'w', 'W', 'i', 'I':
			l.words(pos, open)
		case 'r':
			l.regex(pos, within.Closing(open), 1)
		default:
			l.quoted(pos, open, within.Closing(open), kind == 'q' || kind == 's', Text)
		}
	default:
		return false
	}
	return true
}
