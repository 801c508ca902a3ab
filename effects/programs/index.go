package programs

import _ "embed"

// index has the offsets of the rows in the table, for a fast search. A test
// generates it (go test ./effects/programs -update). If it is stale, the table
// itself is searched, with the same result, but slower.
//
//go:embed table.idx
var index string

// loaded has the names of files in the field "loads" of all rows, as rows that say nothing.
// The same test generates it.
//
//go:embed loaded.txt
var loaded string
