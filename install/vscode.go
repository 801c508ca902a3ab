package install

import (
	"fmt"
	"path/filepath"
)

// vscode reads other hosts' files: a user's and a project's Claude Code
// settings, and .github/hooks. Only the last can hold a file of our own.
var vscode = Host{
	Name: "vscode", Title: "VS Code",
	binaries: []string{"code"},
	dir:      func(e Env) string { return e.or("", ".vscode") },
	targets: func(s *site) error {
		if s.Scope != Project {
			return fmt.Errorf("it has no hooks of its own for a user: it reads ~/.claude/settings.json, so wire claude-code, or use the scope " +
				"project")
		}
		key := "command"
		if s.GOOS == "windows" {
			key = "powershell"
		}
		s.flat(filepath.Join(s.Project, ".github", "hooks", "trammel-vscode.json"), true, object{{"version", 1}}, vscodeEvents,
			func(e hookedEvent) object {
				return object{{"type", "command"}, {key, s.line(powershell, e)}, {"timeout", e.wait(30)}}
			})
		s.note("VS Code also reads .claude/settings.json and .github/hooks/trammel.json. If these are wired, too, each call is judged more " +
			"than " +
			"once; that costs time and changes no answer.")
		return nil
	},
}

var vscodeEvents = []hookedEvent{
	{"PreToolUse", closed, 0},
	{"UserPromptSubmit", open, 0},
	{"PostToolUse", open, 0},
	{"Stop", open, 0},
	{"SubagentStart", open, 0},
	{"SubagentStop", open, 0},
	{"SessionStart", open, 0},
	{"PreCompact", open, 0},
}
