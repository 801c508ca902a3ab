package install

import (
	"path/filepath"

	"golang.org/x/mod/semver"
)

var claudeCode = Host{
	Name: "claude-code", Title: "Claude Code",
	binaries: []string{"claude"}, packages: []string{"@anthropic-ai/claude-code"},
	dir: func(e Env) string { return e.or("CLAUDE_CONFIG_DIR", ".claude") },
	targets: func(s *site) error {
		var more object
		if v := s.version(); v != "" && semver.Compare("v"+v, "v2.1.295") >= 0 {
			more = object{{"onFailure", "block"}} // older ones are not known to take the key
		}
		// On Windows Claude Code runs hooks with the sh of Git.
		s.grouped(s.config(".claude", "settings.json"), posix, 30, more, claudeEvents)
		return nil
	},
}

var claudeEvents = []hookedEvent{
	{"PreToolUse", closed, 0},
	{"PermissionRequest", open, 0},
	{"UserPromptSubmit", open, 0},
	{"PostToolUse", open, 0},
	{"PostToolUseFailure", open, 0},
	{"Stop", open, 0},
	{"SubagentStart", open, 0},
	{"SubagentStop", open, 0},
	{"SessionStart", open, 0},
	{"SessionEnd", open, 0},
	{"PreCompact", open, 0},
}

// or is the directory that a variable names, or one in the home directory.
func (e Env) or(variable string, path ...string) string {
	if dir := e.Getenv(variable); variable != "" && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(append([]string{e.Home}, path...)...)
}
