// Package standard decides which built-in policies both programs link: one
// line each.
package standard

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/policies/readonly"
)

// All returns the built-in policies.
func All() []trammel.Policy {
	return []trammel.Policy{
		readonly.Policy(),
	}
}
