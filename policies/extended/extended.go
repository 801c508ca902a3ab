// Package extended lists the built-in policies that only the full program
// links, because they need more than the budget of the hot one allows: HTTP,
// templates. The hot program hands events that they match to the full one.
package extended

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/policies/abilityavailability"
	"github.com/trammel-dev/trammel/policies/addcontext"
	"github.com/trammel-dev/trammel/policies/buildcheck"
	"github.com/trammel-dev/trammel/policies/httppost"
	"github.com/trammel-dev/trammel/policies/notify"
	"github.com/trammel-dev/trammel/policies/promptrouter"
	"github.com/trammel-dev/trammel/policies/unload"
)

// All lists these policies.
var All = [...]trammel.Listed{
	{Name: "ability-availability", Policy: abilityavailability.Policy},
	{Name: "add_context", Policy: addcontext.Policy},
	{Name: "build-check", Policy: buildcheck.Policy},
	{Name: "http_post", Policy: httppost.Policy},
	{Name: "notify", Policy: notify.Policy},
	{Name: "prompt-router", Policy: promptrouter.Policy},
	{Name: "unload", Policy: unload.Policy},
}
