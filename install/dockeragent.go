package install

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// dockerAgent is wired by a drop-in file, so that the user's own YAML is never
// touched.
var dockerAgent = Host{
	Name: "docker-agent", Title: "docker-agent",
	binaries: []string{"docker-agent", "cagent"},
	dir: func(e Env) string {
		if dir := e.Getenv("DOCKER_AGENT_CONFIG_DIR"); filepath.IsAbs(dir) {
			return dir
		}
		return e.or("CAGENT_CONFIG_DIR", ".config", "cagent")
	},
	targets: func(s *site) error {
		if s.Scope != User {
			return fmt.Errorf("it has no hooks for a project, expected the scope user")
		}
		s.note("docker-agent skips a file in hooks.d that it cannot read, with a warning. If you start it with --config-dir, this file is not " +
			"read.")
		s.targets = append(s.targets, target{path: s.config("", "hooks.d", "trammel.yaml"), text: s.dropIn(), named: true})
		return nil
	},
}

// dropIn is a bare block of hooks. Before a tool runs we stand in the lane
// that comes before --yolo; in the other one, hooks are not asked there.
func (s *site) dropIn() []byte {
	var b strings.Builder
	b.WriteString("# " + Marker + ": written by trammel init; changes are lost\n")
	for _, e := range dockerToolEvents {
		fmt.Fprintf(&b, "%s:\n  - matcher: \"*\"\n", e.name)
		if e.guard != open {
			b.WriteString("    preempt_yolo: true\n")
		}
		b.WriteString("    hooks:\n")
		s.dropInHook(&b, "      ", e)
	}
	for _, e := range dockerEvents {
		fmt.Fprintf(&b, "%s:\n", e.name)
		s.dropInHook(&b, "  ", e)
	}
	return []byte(b.String())
}

func (s *site) dropInHook(b *strings.Builder, indent string, e hookedEvent) {
	// A JSON string is a YAML string.
	fmt.Fprintf(b, "%[1]s- name: trammel\n%[1]s  type: command\n%[1]s  command: %[2]s\n%[1]s  timeout: %[3]d\n", indent,
		canonical.AppendString(nil, s.line(cmdexe, e)), e.wait(30))
	if e.guard != open {
		fmt.Fprintf(b, "%s  on_error: block\n", indent)
	}
}

var dockerToolEvents = []hookedEvent{
	{"pre_tool_use", closedByJSON, 0},
	{"permission_request", open, 0},
	{"post_tool_use", open, 0},
}

var dockerEvents = []hookedEvent{
	{"user_prompt_submit", open, 0},
	{"session_start", open, 0},
	{"session_end", open, 0},
	{"stop", open, 0},
	{"subagent_stop", open, 0},
	{"pre_compact", open, 0},
}
