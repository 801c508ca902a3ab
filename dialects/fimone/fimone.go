// Package fimone knows what FIM-One calls its events. Its hooks are classes,
// which package classhook takes over; nothing is spoken over a pipe.
package fimone

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Host is what is known about FIM-One (FIM-01).
var Host = dialects.Host{
	System: "fim-one", Title: "FIM-One",
	Events: []dialects.Event{
		{Name: "PreToolUse", Kind: trammel.PreToolUse},
		{Name: "PostToolUse", Kind: trammel.PostToolUse},
		{Name: "SessionStart", Kind: trammel.SessionStart},
	},
}
