package programs

import _ "embed"

// index says where the rows of the table begin, so that one is found in a few steps.
// A test makes it (go test ./effects/programs -update); while it is stale the table
// itself is searched, which is as right, and slower.
//
//go:embed table.idx
var index string
