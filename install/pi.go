package install

import "path/filepath"

var pi = Host{
	Name: "pi", Title: "pi",
	binaries: []string{"pi"}, packages: []string{"@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"},
	dir: func(e Env) string { return e.or("", ".pi") },
	targets: func(s *site) error {
		path := s.config("", "agent", "extensions", "trammel.js")
		if s.Scope == Project {
			path = filepath.Join(s.Project, ".pi", "extensions", "trammel.js")
		}
		return s.plugin(path, s.Plugins.Pi)
	},
}
