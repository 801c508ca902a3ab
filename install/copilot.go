package install

import "path/filepath"

var copilot = Host{
	Name: "copilot-cli", Title: "Copilot CLI",
	binaries: []string{"copilot"}, packages: []string{"@github/copilot"},
	dir: func(e Env) string { return e.or("COPILOT_HOME", ".copilot") },
	targets: func(s *site) error {
		path := s.config("", "hooks", "trammel.json")
		if s.Scope == Project {
			path = filepath.Join(s.Project, ".github", "hooks", "trammel.json")
			s.note("Copilot CLI ignores .github/hooks, with no message, until you trust the folder: start `copilot` in %s and confirm that you "+
				"trust it.", s.Project)
		}
		key := "bash"
		if s.GOOS == "windows" {
			key = "powershell"
		}
		s.flat(path, true, object{{"version", 1}}, copilotEvents, func(e hookedEvent) object {
			return object{{"type", "command"}, {key, s.line(powershell, e)}, {"timeoutSec", e.wait(30)}}
		})
		return nil
	},
}

// The case of these names matters: it chooses the language that Copilot speaks.
var copilotEvents = []hookedEvent{
	{"preToolUse", closed, 0},
	{"permissionRequest", open, 0},
	{"userPromptSubmitted", open, 0},
	{"postToolUse", open, 0},
	{"postToolUseFailure", open, 0},
	{"agentStop", open, 0},
	{"subagentStart", open, 0},
	{"subagentStop", open, 0},
	{"sessionStart", open, 0},
	{"sessionEnd", open, 0},
	{"preCompact", open, 0},
}
