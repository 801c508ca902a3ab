// Package cursor speaks the language of Cursor. It was written from the host's
// documentation and not verified by running it: the host cannot be run here.
//
// Denials are JSON, {"permission":"deny"} with a text for the person and one
// for the agent; a prompt is stopped by {"continue":false}; an agent that wants
// to end goes on with {"followup_message":…}. An event that we do not know is
// blocked by exit code 2. Fields that the documentation leaves in doubt
// (updated_input, a changed MCP output) are not relied on.
package cursor

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about Cursor, by its documentation. A person is asked
// only about shell commands and MCP tools, and context is taken only by the
// general event after a tool. preToolUse sees every tool, so the events for
// single kinds of tools (beforeShellExecution, beforeReadFile, …) would only
// ask a second time and are not wired.
var Host = dialects.Host{System: "cursor", About: &about, Tools: tools,
	Servers: []dialects.Servers{{User: "mcp.json", Project: ".cursor/mcp.json", Key: "mcpServers"}},
	Wiring: []dialects.File{{User: "hooks.json", Project: ".cursor/hooks.json", Entry: entry,
		Head: dialects.Object{{Name: "version", Value: 1}},
		Managed: &dialects.Managed{Linux: "/etc/cursor/hooks.json", MacOS: "/Library/Application Support/Cursor/hooks.json",
			Windows: `C:\ProgramData\Cursor\hooks.json`}}},
}

func entry(c dialects.Call) dialects.Object {
	out := dialects.Object{{Name: "command", Value: c.InBoth()}, {Name: "timeout", Value: c.Seconds()}}
	if c.Wire != dialects.Open {
		out = append(out, dialects.Member{Name: "failClosed", Value: true})
	}
	return out
}
