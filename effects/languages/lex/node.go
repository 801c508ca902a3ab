package lex

import "github.com/trammel-dev/trammel/effects/languages/within"

// Node is the syntax of JavaScript.
var Node = Syntax{
	comments: "//",
	blocks:   "/* */",
	marks:    "...",
	backtick: Text,
	regexes:  true,
	special:  nodeName,
	nested:   "${",
	Arrows:   true,
}

// nodeName reads a name with a dollar in front.
func nodeName(l *lexer, pos int) bool {
	if l.src[pos] != '$' {
		return false
	}
	for l.i < len(l.src) && (within.NameByte(l.src[l.i]) || l.src[l.i] == '$') {
		l.i++
	}
	l.add(Name, l.src[pos:l.i], pos)
	return true
}
