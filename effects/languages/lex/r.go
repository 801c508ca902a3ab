package lex

import "github.com/trammel-dev/trammel/effects/languages/within"

// R is the syntax of R.
var R = Syntax{
	comments: "#",
	marks:    "<-",
	backtick: Command,
	special:  rName,
}

// rName reads a name, which may have dots in it, and the raw string r"(…)".
func rName(l *lexer, pos int) bool {
	if (l.at(`r"(`) || l.at(`r'(`)) && (pos == 0 || !within.NameByte(l.src[pos-1])) {
		l.i += 3
		start := l.i
		l.skipTo(")" + l.src[pos+1:pos+2])
		body := l.src[start:l.i]
		l.move(2)
		l.add(Text, body, pos)
		return true
	}
	if b := l.src[pos]; !within.NameByte(b) || within.Digit(b) {
		return false
	}
	for l.i < len(l.src) && (within.NameByte(l.src[l.i]) || l.src[l.i] == '.') {
		l.i++
	}
	l.add(Name, l.src[pos:l.i], pos)
	return true
}
