package install

var gemini = Host{
	Name: "gemini-cli", Title: "Gemini CLI",
	binaries: []string{"gemini"}, packages: []string{"@google/gemini-cli"}, comments: true,
	dir: func(e Env) string { return e.or("", ".gemini") },
	targets: func(s *site) error {
		s.grouped(s.config(".gemini", "settings.json"), powershell, 30000, nil, geminiEvents) // milliseconds
		if s.Scope == Project {
			s.note("Gemini CLI reads a project's settings only in a folder that you trust: start `gemini` in %s and answer its question.", s.Project)
		}
		return nil
	},
}

// PreCompress is left out: it fires before every call of the model, whether or
// not anything is compressed, and each costs a process.
var geminiEvents = []hookedEvent{
	{"BeforeTool", closed, 0},
	{"BeforeAgent", open, 0},
	{"AfterTool", open, 0},
	{"AfterAgent", open, 0},
	{"SessionStart", open, 0},
	{"SessionEnd", open, 0},
}
