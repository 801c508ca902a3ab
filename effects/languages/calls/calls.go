// Package calls finds rows in the tables of what a language's functions do.
// table.go in effects/languages explains their format.
package calls

import "strings"

// Row finds a row of a table.
func Row(table, module, name string) string {
	for head, at := Header(table, 0); head != ""; head, at = Header(table, at) {
		if module == "" && head == " " || Has(head, module) {
			rows := Rows(table, at)
			if row := rowIn(rows, name); row != "" {
				return row
			}
			if row := rowIn(rows, Any); row != "" {
				return row
			}
		}
	}
	return ""
}

// Header finds the names of the next part of a table, and where its rows begin.
func Header(table string, from int) (head string, rows int) {
	for {
		n := strings.IndexByte(table[from:], '[')
		if n < 0 {
			return "", 0
		}
		from += n + 1
		if end := strings.IndexByte(table[from:], ']'); end > 0 { // not the function []
			return table[from : from+end], from + end
		}
	}
}

// Rows are the rows of the part that begin there.
func Rows(table string, at int) string {
	if n := strings.Index(table[at:], "\n[ "); n >= 0 {
		return table[at : at+n]
	}
	return table[at:]
}

// Any is the name for every function that has no row.
const Any = "_"

// rowIn finds a row among those of one part.
func rowIn(rows, name string) string {
	for at := 0; ; {
		n := strings.Index(rows[at:], name)
		if n < 0 || name == "" {
			return ""
		}
		n += at
		at = n + 1
		end := n + len(name)
		if end >= len(rows) || rows[end] != ' ' || n > 0 && rows[n-1] != ' ' && rows[n-1] != '\n' {
			continue
		}
		line, _, _ := strings.Cut(rows[end:], "\n")
		if _, steps, ok := strings.Cut(line, "|"); ok { // otherwise it is a word of the steps of another row
			return strings.TrimSpace(steps)
		}
	}
}

// Has reports whether a list of words, each between spaces, holds a word.
func Has(list, word string) bool {
	for at := 0; ; {
		n := strings.Index(list[at:], word)
		if n < 0 || word == "" {
			return false
		}
		n += at
		if end := n + len(word); n > 0 && list[n-1] == ' ' && end < len(list) && list[end] == ' ' {
			return true
		}
		at = n + 1
	}
}
