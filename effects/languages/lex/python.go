package lex

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/within"
)

// Python is the syntax of Python.
var Python = Syntax{
	comments: "#",
	marks:    "//",
	backtick: Mark,
	special:  pythonQuote,
	prefixed: pythonPrefix,
	embedded: within.Python,
	escapes:  within.PythonEscape,
}

// pythonPrefix reads a string behind letters: f"…", rb'…'.
func pythonPrefix(l *lexer, pos int, word string) bool {
	if l.i >= len(l.src) || l.src[l.i] != '"' && l.src[l.i] != '\'' || len(word) > 2 || strings.Trim(strings.ToLower(word), "rbuft") != "" {
		return false
	}
	pythonString(l, pos, strings.ToLower(word))
	return true
}

func pythonQuote(l *lexer, pos int) bool {
	if l.src[pos] != '"' && l.src[pos] != '\'' {
		return false
	}
	pythonString(l, pos, "")
	return true
}

// pythonString reads a string behind its prefix.
func pythonString(l *lexer, pos int, prefix string) {
	q := l.src[l.i : l.i+1]
	if l.at(q + q + q) {
		q = q + q + q
	}
	l.i += len(q)
	start := l.i
	for l.i < len(l.src) && !l.at(q) && (len(q) > 1 || l.src[l.i] != '\n') {
		if l.src[l.i] == '\\' {
			l.i++
		}
		l.i++
	}
	l.i = min(l.i, len(l.src))
	body := l.src[start:l.i]
	l.move(len(q))
	l.add(Text, body, pos)
	t := &l.out[len(l.out)-1]
	raw := strings.Contains(prefix, "r")
	t.Text, t.Parts = l.decode(body, !raw, strings.ContainsAny(prefix, "ft"))
}
