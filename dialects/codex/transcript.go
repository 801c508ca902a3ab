package codex

import (
	"path"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dialects"
)

var transcripts = dialects.Transcripts{Below: "sessions", Line: transcriptLine, Mine: func(rel string) bool {
	name := path.Base(rel)
	return strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, ".jsonl")
}}

// transcriptLine reads a line of a rollout: a head with the session, then one
// line per item.
func transcriptLine(line map[string]any) (dialects.Line, bool) {
	p, _ := line["payload"].(map[string]any)
	text := func(m map[string]any, key string) string { s, _ := m[key].(string); return s }
	if line["type"] == "session_meta" {
		return dialects.Line{Session: text(p, "id"), Dir: text(p, "cwd"), Version: text(p, "cli_version")}, true
	}
	at, _ := time.Parse(time.RFC3339Nano, text(line, "timestamp"))
	use := dialects.ToolUse{ID: text(p, "call_id"), Tool: text(p, "name"), Time: at}
	switch {
	case line["type"] != "response_item":
		return dialects.Line{}, true
	case p["type"] == "local_shell_call":
		use.Tool = "local_shell"
	case p["type"] == "function_call" || p["type"] == "custom_tool_call":
		use.Hooks = hookUse(use.Tool)
	default:
		return dialects.Line{}, true
	}
	return dialects.Line{Calls: []dialects.ToolUse{use}}, true
}

// hookUse says for which tools Codex calls hooks. It does not for input to a
// program that runs (write_stdin), and for code mode's exec only for the calls
// that the script makes.
func hookUse(tool string) dialects.HookUse {
	switch tool {
	case "exec_command", "shell", "shell_command", "local_shell", patchTool, "spawn_agent", "view_image":
		return dialects.Hooked
	case "exec":
		return dialects.Indirect
	}
	return dialects.Unhooked
}
