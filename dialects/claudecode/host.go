// Package claudecode is the dialect of Claude Code: for Claude Code itself, and
// for hook programs that were written for it and now run under any host.
//
// What the host accepts was measured; only such forms are ever sent. Denials go
// as JSON with exit code 0 where there is a JSON form, because the text of an
// exit code 2 shows the model the whole command line of the hook. stdout is
// empty or one JSON object and a newline: the host takes anything else for
// plain text and lets the call through.
package claudecode

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about Claude Code.
//
// Stop has no context: the host would take it for a reason to continue. Setup
// has none because the host drops it; it waits for the session to start. When
// the host is about to ask and gets no answer, it asks. On Windows it runs
// hooks with the sh of Git.
var Host = dialects.Host{System: "claude-code", About: &about, Tools: tools,
	Wiring:      []dialects.File{{User: "settings.json", Project: ".claude/settings.json", Entry: entry, Managed: &managed}},
	Transcripts: &transcripts,
	Servers: []dialects.Servers{{User: ".claude.json", Home: true, Project: ".mcp.json", Key: "mcpServers"},
		{User: ".claude.json", Home: true, Key: "projects.*.mcpServers"}},
}

// managed is a drop-in, so that it adds to what the administrator has.
var managed = dialects.Managed{Linux: "/etc/claude-code/managed-settings.d/trammel.json",
	MacOS:   "/Library/Application Support/ClaudeCode/managed-settings.d/trammel.json",
	Windows: `C:\Program Files\ClaudeCode\managed-settings.d\trammel.json`,
	Lock:    dialects.Object{{Name: "allowManagedHooksOnly", Value: true}},
	Domain:  "com.anthropic.claudecode", Key: `SOFTWARE\Policies\ClaudeCode`, Value: "Settings"}

func entry(c dialects.Call) dialects.Object {
	var more []dialects.Member
	if c.Wire != dialects.Open && c.AtLeast("2.1.295") { // older ones are not known to take the key
		more = []dialects.Member{{Name: "onFailure", Value: "block"}}
	}
	return dialects.Grouped(c.Command, c.Seconds(), more...)
}
