package programs

import (
	_ "embed"

	"github.com/trammel-dev/trammel/effects/programs/rows"
)

// arity says which options of programs without a row take a value. Its head
// explains the format. It is searched when somebody asks, and never read as a
// whole.
//
//go:embed arity.txt
var arity string

// lookupOptions finds the row of a program, or one that has nothing but its
// options.
func lookupOptions(name string) *Row {
	row, ok := Lookup(name)
	if ok {
		return row
	}
	_, spec := rows.Bisect(arity, name)
	return &Row{opt: spec}
}
