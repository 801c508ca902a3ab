package install

import "path/filepath"

var openCode = Host{
	Name: "opencode", Title: "opencode",
	binaries: []string{"opencode"}, packages: []string{"opencode-ai"},
	dir: func(e Env) string {
		if dir := e.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "opencode")
		}
		return e.or("", ".config", "opencode")
	},
	targets: func(s *site) error {
		s.note("opencode skips a plugin that fails to load and says nothing. Run `trammel doctor --canary` once to see that it is loaded.")
		s.note("opencode fetches @opencode-ai/plugin from the npm registry when it first finds a plugin, so it needs the network for that start.")
		return s.plugin(s.config(".opencode", "plugin", "trammel.js"), s.Plugins.OpenCode)
	},
}
