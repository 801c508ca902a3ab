package install

var codex = Host{
	Name: "codex", Title: "Codex",
	binaries: []string{"codex"}, packages: []string{"@openai/codex"},
	dir: func(e Env) string { return e.or("CODEX_HOME", ".codex") },
	targets: func(s *site) error {
		s.grouped(s.config(".codex", "hooks.json"), cmdexe, 30, nil, codexEvents)
		s.note("Codex runs a hook only after you have approved it, and skips it silently until then, also in `codex exec`. Start `codex`, type " +
			"/hooks, and approve each entry that calls trammel-hook. Do it again whenever trammel changes the wiring.")
		if s.Scope == Project {
			s.note("Codex reads .codex/hooks.json only in a project that you trust: start `codex` in %s and answer its question.", s.Project)
		}
		return nil
	},
}

// Codex clamps the hook at the end of a session to 3 seconds, and warns of
// more.
var codexEvents = []hookedEvent{
	{"PreToolUse", closed, 0},
	{"PermissionRequest", open, 0},
	{"UserPromptSubmit", open, 0},
	{"PostToolUse", open, 0},
	{"Stop", open, 0},
	{"SubagentStart", open, 0},
	{"SubagentStop", open, 0},
	{"SessionStart", open, 0},
	{"SessionEnd", open, 3},
	{"PreCompact", open, 0},
}
