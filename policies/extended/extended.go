// Package extended lists the built-in policies that only the full program
// links, because they need more than the budget of the hot one allows: HTTP,
// templates. The hot program hands events that they match to the full one.
package extended

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/policies/addcontext"
	"github.com/trammel-dev/trammel/policies/httppost"
	"github.com/trammel-dev/trammel/policies/notify"
	"github.com/trammel-dev/trammel/policies/unload"
)

// All returns these policies.
func All() []trammel.Policy {
	return []trammel.Policy{
		addcontext.Policy(),
		httppost.Policy(),
		notify.Policy(),
		unload.Policy(),
	}
}
