package install

var cursor = Host{
	Name: "cursor", Title: "Cursor",
	binaries: []string{"cursor", "cursor-agent"},
	dir:      func(e Env) string { return e.or("", ".cursor") },
	targets: func(s *site) error {
		s.flat(s.config(".cursor", "hooks.json"), false, object{{"version", 1}}, cursorEvents, func(e hookedEvent) object {
			entry := object{{"command", s.line(powershell, e)}, {"timeout", e.wait(30)}}
			if e.guard != open {
				entry = append(entry, member{"failClosed", true})
			}
			return entry
		})
		s.note("Cursor runs a project's hooks only in a workspace that you trust, and its cloud agents run no stop hooks.")
		return nil
	},
}

// preToolUse sees every tool, so the events for single kinds of tools
// (beforeShellExecution, beforeReadFile, …) would only ask a second time.
var cursorEvents = []hookedEvent{
	{"preToolUse", closed, 0},
	{"beforeSubmitPrompt", open, 0},
	{"postToolUse", open, 0},
	{"postToolUseFailure", open, 0},
	{"stop", open, 0},
	{"subagentStart", open, 0},
	{"subagentStop", open, 0},
	{"sessionStart", open, 0},
	{"sessionEnd", open, 0},
	{"preCompact", open, 0},
}
