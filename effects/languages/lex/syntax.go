// Package lex cuts code into tokens: one file per language, with its Syntax and
// what only this language has.
package lex

import "strings"

// Syntax says how code of a language is cut into tokens.
//
// Lists of words have a space around each word.
type Syntax struct {
	comments  string                                    // marks of comments up to the end of the line
	blocks    string                                    // pairs of marks around other comments
	rawQuotes bool                                      // '…' has neither escapes nor code in it
	backtick  Kind                                      // what `…` is
	regexes   bool                                      // /…/ is a pattern
	heredoc   string                                    // what a here-document begins with
	special   func(l *lexer, pos int) bool              // tokens that only this language has
	prefixed  func(l *lexer, pos int, word string) bool // and those that begin with a word: f"…", qw(…)
	newLine   func(l *lexer)                            // what only counts at the beginning of a line
	nested    string                                    // begins code in a string, which ends with a brace
	embedded  func(s string) (code string, n int)       // other code that the rest of a string begins with
	escapes   func(s string, out *strings.Builder) int  // escapes that differ: their length, 0 for no such
	marks     string                                    // operators that not all have, long ones first

	Arrows bool // x => y is a function, {a, b} = c takes a value apart
	Hashes bool // x{key} is an element
}

// Limits. A program with more tokens is cut off, which CutOff reports.
const (
	MaxTokens = 1 << 15 // code that people write has one for every four bytes or so
	maxAhead  = 512     // bytes that are looked at in advance
)

// Plain has strings, names and marks, and nothing else. Awk has patterns too.
var (
	Plain = Syntax{comments: "#", rawQuotes: true, backtick: Command}
	Awk   = Syntax{comments: "#", rawQuotes: true, backtick: Command, regexes: true}
)
