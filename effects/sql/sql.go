// Package sql says whether SQL statements only read, and which destroy data. For reading, it supports no particular
// dialect: anything that two dialects could read differently does not count as only
// reading, and neither does an unknown function, statement or setting.
package sql

import "slices"

// OnlyReads reports whether a text is statements of SQL that are known to
// change nothing, whichever database reads it.
func OnlyReads(text string) bool {
	tokens, ok := scan(text)
	some := false
	for statement := range split(tokens) {
		if len(statement) == 0 {
			continue
		}
		if some = statement.reads(); !some {
			return false
		}
	}
	return ok && some
}

type statement []token

func split(tokens []token) func(yield func(statement) bool) {
	return func(yield func(statement) bool) {
		for len(tokens) > 0 {
			end := slices.IndexFunc(tokens, func(t token) bool { return t.text == ";" && t.kind == sign })
			if end < 0 {
				yield(tokens)
				return
			}
			if !yield(tokens[:end]) {
				return
			}
			tokens = tokens[end+1:]
		}
	}
}

// at is the text of a token, "" beyond the ends and for what is quoted.
func (s statement) at(i int) string {
	if i < 0 || i >= len(s) || s[i].kind == quoted {
		return ""
	}
	return s[i].text
}

func (s statement) reads() bool {
	switch first := s.at(0); first {
	case "select", "with", "values", "table", "describe", "desc", "(":
		return s.harmless()
	case "show":
		if s.at(1) == "create" { // it shows how
			return s[2:].harmless()
		}
		return s.harmless()
	case "explain":
		return s.explains() && s.harmless()
	case "pragma":
		return s.asks()
	}
	return false
}

// explains reports whether what is explained is a query: with ANALYZE it runs.
func (s statement) explains() bool {
	i := 1
options:
	for ; i < len(s); i++ {
		switch s.at(i) {
		case "analyze", "analyse", "verbose", "extended", "partitions", "query", "plan", "format", "json", "tree", "traditional", "text", "=":
			continue
		case "(":
			i = s.closing(i)
			continue
		}
		break options
	}
	if s.at(i) == "for" { // EXPLAIN PLAN FOR writes a table
		return false
	}
	switch s.at(i) {
	case "select", "with", "values", "table":
		return true
	}
	return i == len(s)-1 && s[i].kind != sign || i >= len(s) && s.at(len(s)-1) == ")" // a table; a query in parentheses
}

// closing is where the parenthesis at i ends, or the end of the statement.
func (s statement) closing(i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s.at(i) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// harmless reports whether a query changes nothing. Some databases accept several
// statements without a separator, so no word anywhere may begin one that writes.
func (s statement) harmless() bool {
	for i, t := range s {
		switch {
		case (t.kind == quoted || s.at(i) == "]") && s.at(i+1) == "(" && !s.list(i):
			return false // a function under a quoted name
		case t.kind != word:
			continue
		case t.text == "nextval" || t.text == "next" && s.at(i+1) == "value":
			return false
		case t.text == "for" && slices.Contains([]string{"share", "no", "key"}, s.at(i+1)), t.text == "lock" && s.at(i+1) == "in":
			return false
		case t.text == "using" && i+1 < len(s) && s[i+1].kind == quoted:
			return false // a script
		case s.at(i-1) == "." && s.at(i+1) != "(":
			continue // a column
		case s.at(i+1) == "(" && i > 0 && (t.text == "replace" || t.text == "truncate"):
		case writes(t.text):
			return false
		}
		if s.at(i+1) == "(" && !syntax(t.text) && !s.list(i) && !s.pure(i) {
			return false
		}
	}
	return true
}

// pure reports whether the function at i is known to only compute. A function in a
// schema may be user-defined.
func (s statement) pure(i int) bool {
	return function(s[i].text) && (s.at(i-1) != "." || s.at(i-2) == "pg_catalog")
}

// list reports whether the name at i is that of a common table expression with
// its columns: WITH name (a, b) AS (SELECT …).
func (s statement) list(i int) bool {
	before := s.at(i - 1)
	if before != "with" && before != "recursive" && (before != "," || s.at(i-2) != ")") {
		return false
	}
	end := s.closing(i + 1)
	if s.at(end+1) != "as" {
		return false
	}
	for end += 2; s.at(end) == "not" || s.at(end) == "materialized"; end++ {
	}
	switch s.at(end + 1) {
	case "select", "with", "values", "table", "(":
		return s.at(end) == "("
	}
	return false
}
