// Package lex has the steps that readers of several languages take.
package lex

import "strings"

// Line is the length of the first line, with its end.
func Line(s string) int {
	if end := strings.IndexByte(s, '\n'); end >= 0 {
		return end + 1
	}
	return len(s)
}

// Quoted is the length of a quoted text, with its quotes. A quote is doubled or has a
// backslash before it where it does not end the text.
func Quoted(s string, quote byte) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case s[i] == quote && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return len(s)
}

// Word reports whether a byte is part of a word: letters, digits, _ and the dot.
func Word(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
