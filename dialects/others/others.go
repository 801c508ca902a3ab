// Package others knows agents that have no hooks which Trammel could be called
// by, or none that it speaks with yet. They are known so that a guarded agent
// does not start one of them in its place without anybody noticing.
package others

import "github.com/trammel-dev/trammel/dialects"

// The agents.
var (
	Aider = dialects.Host{System: "aider", Title: "Aider", Programs: []string{"aider"},
		Switches: []dialects.Switch{{Name: "--yes-always", Off: dialects.Approval}, {Name: "AIDER_YES_ALWAYS", Off: dialects.Approval},
			{Name: "--test-cmd", Off: dialects.Code}, {Name: "--lint-cmd", Off: dialects.Code}, {Name: "--load", Off: dialects.Code},
			{Name: "--config", Off: dialects.Moved}, {Name: "--env-file", Off: dialects.Moved}}}
	Amp = dialects.Host{System: "amp", Title: "Amp", Programs: []string{"amp"},
		Switches: []dialects.Switch{{Name: "--dangerously-allow-all", Off: dialects.Approval},
			{Name: "--settings-file", Off: dialects.Moved}, {Name: "AMP_SETTINGS_FILE", Off: dialects.Moved},
			{Name: "AMP_HOME", Off: dialects.Moved}}}
	Crush = dialects.Host{System: "crush", Title: "Crush", Programs: []string{"crush"},
		Switches: []dialects.Switch{{Name: "-y", Off: dialects.Approval}, {Name: "--yolo", Off: dialects.Approval},
			{Name: "-D", Off: dialects.Moved}, {Name: "CRUSH_GLOBAL_CONFIG", Off: dialects.Moved},
			{Name: "CRUSH_GLOBAL_DATA", Off: dialects.Moved}}}
	Droid = dialects.Host{System: "droid", Title: "Droid", Programs: []string{"droid"},
		Settings: []string{".factory/hooks.json", ".factory/settings.json"},
		Switches: []dialects.Switch{{Name: "--skip-permissions-unsafe", Off: dialects.Approval}, {Name: "--auto high", Off: dialects.Approval}}}
	Goose = dialects.Host{System: "goose", Title: "Goose", Programs: []string{"goose"},
		Settings: []string{".config/goose/config.yaml", ".config/goose/permission.yaml"},
		Switches: []dialects.Switch{{Name: "GOOSE_MODE", Off: dialects.Approval}}}
	Hermes = dialects.Host{System: "hermes", Title: "Hermes", Programs: []string{"hermes"},
		Switches: []dialects.Switch{{Name: "--yolo", Off: dialects.Approval}, {Name: "-z", Off: dialects.Approval},
			{Name: "--oneshot", Off: dialects.Approval}, {Name: "HERMES_YOLO_MODE", Off: dialects.Approval},
			{Name: "--safe-mode", Off: dialects.Hooks}, {Name: "--ignore-user-config", Off: dialects.Hooks},
			{Name: "--accept-hooks", Off: dialects.Code}, {Name: "HERMES_ACCEPT_HOOKS", Off: dialects.Code},
			{Name: "HERMES_HOME", Off: dialects.Moved}}}
	OpenClaw = dialects.Host{System: "openclaw", Title: "OpenClaw", Programs: []string{"openclaw"},
		Switches: []dialects.Switch{{Name: "OPENCLAW_HOME", Off: dialects.Moved}, {Name: "OPENCLAW_STATE_DIR", Off: dialects.Moved},
			{Name: "OPENCLAW_CONFIG_PATH", Off: dialects.Moved}}}
)
