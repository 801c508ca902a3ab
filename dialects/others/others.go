// Package others knows agents that have no hooks which Trammel could be called
// by, or none that it speaks with yet: their names, so that they are not taken
// for ordinary programs, and their settings.
package others

import "github.com/trammel-dev/trammel/dialects"

// The agents.
var (
	Aider = dialects.Host{System: "aider", Title: "Aider", Programs: []string{"aider"}}
	Amp   = dialects.Host{System: "amp", Title: "Amp", Programs: []string{"amp"}}
	Crush = dialects.Host{System: "crush", Title: "Crush", Programs: []string{"crush"}}
	Droid = dialects.Host{System: "droid", Title: "Droid", Programs: []string{"droid"},
		Settings: []string{".factory/hooks.json", ".factory/settings.json"}}
	Goose = dialects.Host{System: "goose", Title: "Goose", Programs: []string{"goose"},
		Settings: []string{".config/goose/config.yaml", ".config/goose/permission.yaml"}}
	Hermes   = dialects.Host{System: "hermes", Title: "Hermes", Programs: []string{"hermes"}}
	OpenClaw = dialects.Host{System: "openclaw", Title: "OpenClaw", Programs: []string{"openclaw"}}
)
