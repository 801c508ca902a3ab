// Package filter is the one language in which records and approvals are looked
// for: in the console, the terminal view, the commands and the API.
//
//	query = and { "OR" and } ;  and = not { not } ;  not = [ "-" ] atom
//	atom  = "(" query ")" | key ":" [ "=" | "~" | ">" | ">=" | "<" | "<=" ] value { "," value } | word
//	value = bare | '"' { char | '\"' | '\\' } '"'
//
// A query is parsed once and then either asked about things in memory (Match)
// or turned into a condition of SQL (Where). What SQL cannot say exactly, it
// says too generously, and Match has the last word: so every store gives the
// same answer.
package filter

import (
	"fmt"
	"regexp"
)

// Limits of a query.
const (
	MaxBytes = 1 << 10
	MaxTerms = 32
)

// Query is a parsed query. The zero value wants everything.
type Query struct {
	Text string
	root node // nil wants everything
}

// Item is something that a query can be asked about.
type Item interface {
	// Texts are the values of a key; those of Word are where words are looked
	// for, in lower case.
	Texts(key string) []string
	// Number is the value of a key that is compared, in microseconds; At is when
	// it happened.
	Number(key string) int64
}

// What the query of a bare word, and of since and until, asks an Item for.
const (
	Word = ""
	At   = "at"
)

// Error is why a text is not a query.
type Error struct {
	Column  int // in characters, from 1
	Problem string
}

func (e *Error) Error() string {
	return fmt.Sprintf("column %d of the filter: %s", e.Column, e.Problem)
}

// node is a part of a query: or, and, not, *term.
type node interface {
	match(i Item) bool
	where(w *writer) condition
}

type (
	or  []node
	and []node
	not struct{ of node }
)

// term is a key with the values that are wanted, any of them.
type term struct {
	key    string // as an Item knows it
	op     string // "", =, ~, >, >=, <, <=
	values []value
}

// value is what a term compares with; which field it is in depends on the term.
type value struct {
	text    string
	pattern bool // text is a glob
	expr    *regexp.Regexp
	number  int64 // microseconds
}
