// Package extended lists the built-in policies that only the full program
// links, because they need more than the budget of the hot one allows: HTTP.
// The hot program hands events that they match to the full one.
package extended

import "github.com/trammel-dev/trammel"

// All returns these policies.
func All() []trammel.Policy { return nil }
