package install

var qwen = Host{
	Name: "qwen-code", Title: "Qwen Code",
	binaries: []string{"qwen"}, packages: []string{"@qwen-code/qwen-code"}, comments: true,
	dir: func(e Env) string { return e.or("", ".qwen") },
	targets: func(s *site) error {
		s.grouped(s.config(".qwen", "settings.json"), powershell, 30, nil, claudeEvents) // the same events
		if s.Scope == Project {
			s.note("Qwen Code may ask whether you trust the folder before it reads a project's settings: start `qwen` in %s and answer its "+
				"question.", s.Project)
		}
		return nil
	},
}
