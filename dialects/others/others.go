// Package others knows agents that have no hooks which Trammel could be called
// by, or none that it speaks with yet: their names, so that they are not taken
// for ordinary programs, and their settings.
package others

import "github.com/trammel-dev/trammel/dialects"

// The agents, and what is known about them.
var (
	aider    = "title Aider\nprograms aider"
	amp      = "title Amp\nprograms amp"
	crush    = "title Crush\nprograms crush"
	droid    = "title Droid\nprograms droid\nsettings .factory/hooks.json, .factory/settings.json"
	goose    = "title Goose\nprograms goose\nsettings .config/goose/config.yaml, .config/goose/permission.yaml"
	hermes   = "title Hermes\nprograms hermes"
	openClaw = "title OpenClaw\nprograms openclaw"

	Aider    = dialects.Host{System: "aider", About: &aider}
	Amp      = dialects.Host{System: "amp", About: &amp}
	Crush    = dialects.Host{System: "crush", About: &crush}
	Droid    = dialects.Host{System: "droid", About: &droid}
	Goose    = dialects.Host{System: "goose", About: &goose}
	Hermes   = dialects.Host{System: "hermes", About: &hermes}
	OpenClaw = dialects.Host{System: "openclaw", About: &openClaw}
)
