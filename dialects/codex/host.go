// Package codex speaks the language of the Codex CLI: towards Codex itself,
// and towards hook programs that were written for it and now run under any
// host.
//
// Codex reads answers strictly: an unknown field, a word that it does not
// support, an allow without new arguments, a denial without a reason, noise
// around the JSON: each makes it drop the whole answer, and the tool runs
// (hosts.md, section 3). So only the smallest object that says what is meant is
// ever sent, and a denial carries nothing but its reason. Codex cannot ask its
// user for a hook, and has no cap on endless stop-blocks.
package codex

import (
	_ "embed"
	"path"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "codex"

// Dialect is the language of Codex, both halves.
type Dialect struct{ *dialects.Host }

// New returns the language of Codex.
func New() Dialect { return Dialect{&Host} }

//go:embed host.txt
var about string

// Host is what is known about Codex. It does not tell its hooks where the
// project is.
//
// It cannot ask, also not when it is about to ask itself, because then a
// reviewer that is no person may answer. An allow before a call is no grant: it
// only comes with new arguments. After a call a block replaces the output by
// its reason, which is how an output is rewritten. A compaction or the start of
// a session could be ended with continue:false, but that ends more than the
// event, so it is not used. On events at which Codex is about to leave it cuts a
// timeout to three seconds, and warns of more.
var Host = dialects.Host{
	System: Name, About: &about, Tools: shapes,
	Wiring: &dialects.Wiring{
		Patience: dialects.PeopleTime,
		Windows:  dialects.CmdExe, Consent: true,
		Files: []dialects.File{{User: "hooks.json", Project: ".codex/hooks.json",
			Entry: func(c dialects.Call) dialects.Object { return dialects.Grouped(c, c.Seconds()) }}},
	},
	Transcripts: &dialects.Transcripts{Below: "sessions", Line: transcriptLine, Mine: func(rel string) bool {
		name := path.Base(rel)
		return strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, ".jsonl")
	}},
}

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
