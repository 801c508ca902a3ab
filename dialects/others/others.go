// Package others has the names and settings of agents without hooks that could
// call Trammel, or without a dialect so far, so that they are not taken for
// ordinary programs.
package others

import "github.com/trammel-dev/trammel/dialects"

// The agents, and what is known about them.
var (
	aider = "title Aider\nprograms aider\noff-settings --config, --env-file\noff-approval --yes-always, AIDER_YES_ALWAYS\n" +
		"off-code --test-cmd, --lint-cmd, --load"
	amp = "title Amp\nprograms amp\nsettings .config/amp/settings.json\noff-settings --settings-file, AMP_SETTINGS_FILE, AMP_HOME\n" +
		"off-approval --dangerously-allow-all"
	crush = "title Crush\nprograms crush\noff-settings -D, CRUSH_GLOBAL_CONFIG, CRUSH_GLOBAL_DATA\noff-approval -y, --yolo"
	droid = "title Droid\nprograms droid\nsettings .factory/hooks.json, .factory/settings.json\n" +
		"off-approval --skip-permissions-unsafe, --auto high"
	goose = "title Goose\nprograms goose\nsettings .config/goose/config.yaml, .config/goose/permission.yaml\n" +
		"off-approval GOOSE_MODE auto"
	hermes = "title Hermes\nprograms hermes\noff-hooks --safe-mode, --ignore-user-config\noff-settings -p, HERMES_HOME\n" +
		"off-approval --yolo, -z, --oneshot, HERMES_YOLO_MODE, --accept-hooks, HERMES_ACCEPT_HOOKS"
	openClaw = "title OpenClaw\nprograms openclaw\noff-settings OPENCLAW_HOME, OPENCLAW_STATE_DIR, OPENCLAW_CONFIG_PATH\n" +
		"off-approval approvals set, allowlist add"

	Aider    = dialects.Host{System: "aider", About: &aider}
	Amp      = dialects.Host{System: "amp", About: &amp}
	Crush    = dialects.Host{System: "crush", About: &crush}
	Droid    = dialects.Host{System: "droid", About: &droid}
	Goose    = dialects.Host{System: "goose", About: &goose}
	Hermes   = dialects.Host{System: "hermes", About: &hermes}
	OpenClaw = dialects.Host{System: "openclaw", About: &openClaw}
)
