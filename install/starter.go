package install

import _ "embed"

//go:embed starter.yaml
var starter []byte

// Starter is the policy for a user who has none yet, for trammel.yaml in the
// user's configuration directory. testdata/starter_test.yaml proves each of
// its rules.
func Starter() []byte { return starter }
