package install

import (
	"path/filepath"
	"strings"
)

// kiro is wired twice, because its two generations look in different places:
// version 3 in a file of hooks that hold for every agent, version 2 in each
// agent's own file.
var kiro = Host{
	Name: "kiro", Title: "Kiro",
	binaries: []string{"kiro-cli", "kiro"},
	dir:      func(e Env) string { return e.or("", ".kiro") },
	targets: func(s *site) error {
		w := &wiring{head: object{{"version", "v1"}}, listed: true}
		for _, e := range kiroEvents {
			w.entries = append(w.entries, entry{e.name, object{
				{"name", "trammel-" + e.name},
				{"trigger", e.name},
				{"action", object{{"type", "command"}, {"command", s.line(cmdexe, e)}}},
				{"timeout", e.wait(30)},
			}})
		}
		s.targets = append(s.targets, target{path: s.config(".kiro", "hooks", "trammel.json"), wiring: w, named: true})

		agents, err := filepath.Glob(filepath.Join(globQuote(s.config(".kiro", "agents")), "*.json"))
		if err != nil {
			return err
		}
		for _, path := range agents {
			s.flat(path, false, nil, kiroAgentEvents, func(e hookedEvent) object {
				entry := object{{"command", s.line(cmdexe, e)}, {"timeout_ms", e.wait(30000)}}
				if strings.HasSuffix(e.name, "ToolUse") {
					entry = append(object{{"matcher", "*"}}, entry...)
				}
				return entry
			})
		}
		s.note("Kiro 2 takes hooks only from an agent's own file: %d were found. Run `trammel init --host kiro` again when you add one; its "+
			"built-in agent cannot be guarded, so start `kiro-cli chat --agent NAME`.", len(agents))
		return nil
	},
}

var kiroEvents = []hookedEvent{
	{"PreToolUse", closedByExit, 0},
	{"UserPromptSubmit", open, 0},
	{"PostToolUse", open, 0},
	{"Stop", open, 0},
	{"SessionStart", open, 0},
}

var kiroAgentEvents = []hookedEvent{
	{"preToolUse", closedByExit, 0},
	{"userPromptSubmit", open, 0},
	{"postToolUse", open, 0},
	{"stop", open, 0},
	{"agentSpawn", open, 0},
}

// globQuote makes a path match only itself.
func globQuote(path string) string {
	if filepath.Separator == '\\' {
		return path // there is no quoting on Windows, and none of these may be in a name but [
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
