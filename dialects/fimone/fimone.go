// Package fimone has FIM-One's names for events. Its hooks are classes, which
// package classhook implements; there is no protocol.
package fimone

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about FIM-One (FIM-01).
var Host = dialects.Host{System: "fim-one", About: &about}
