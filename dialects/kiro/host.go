// Package kiro is the dialect of Kiro, of its CLI v2 (preToolUse) and of CLI v3
// and IDE 1.0 (PreToolUse). It was written from the host's documentation and
// not verified by running it: the host cannot be run here.
//
// The host knows two answers: exit code 2, which blocks, with the reason on
// stderr, and plain text on stdout with exit code 0, which is context where a
// session or a prompt begins. Nothing can be rewritten, and nobody can be
// asked.
package kiro

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about Kiro: the events of v2, which blocks tool calls
// only, and those of v3. It is wired twice, because its two generations look in
// different places: v3 in a file of hooks for every agent, v2 in each agent's
// own file.
var Host = dialects.Host{System: "kiro", About: &about, Tools: tools,
	Wiring: []dialects.File{
		{User: "hooks/trammel.json", Project: ".kiro/hooks/trammel.json", Named: true, Entry: listedEntry, Listed: true,
			Head: dialects.Object{{Name: "version", Value: "v1"}},
			Only: []string{"PreToolUse", "UserPromptSubmit", "PostToolUse", "Stop", "SessionStart"}},
		{User: "agents/*.json", Project: ".kiro/agents/*.json", Entry: agentEntry,
			Only: []string{"preToolUse", "userPromptSubmit", "postToolUse", "stop", "agentSpawn"}},
	},
	Servers: []dialects.Servers{{User: "settings/mcp.json", Project: ".kiro/settings/mcp.json", Key: "mcpServers"}},
}

func listedEntry(c dialects.Call) dialects.Object {
	return dialects.Object{{Name: "name", Value: "trammel-" + c.Name}, {Name: "trigger", Value: c.Name},
		{Name: "action", Value: dialects.Object{{Name: "type", Value: "command"}, {Name: "command", Value: c.Command}}},
		{Name: "timeout", Value: c.Seconds()}}
}

func agentEntry(c dialects.Call) dialects.Object {
	entry := dialects.Object{{Name: "command", Value: c.Command}, {Name: "timeout_ms", Value: int(c.Timeout.Milliseconds())}}
	if strings.HasSuffix(c.Name, "ToolUse") {
		entry = append(dialects.Object{{Name: "matcher", Value: "*"}}, entry...)
	}
	return entry
}
