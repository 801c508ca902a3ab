// Package standard decides which languages both programs link: one line each.
package standard

import (
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/claudecode"
	"github.com/trammel-dev/trammel/dialects/native"
)

// Dialects returns the standard languages.
func Dialects() *dialects.Set {
	return dialects.New(
		native.New(),
		claudecode.New(),
	)
}
