// Package copilot is the dialect of GitHub Copilot CLI.
//
// The host has two languages and chooses by the case of the event's name in its
// configuration: preToolUse gets a camelCase payload and takes flat answers,
// PreToolUse gets a snake_case payload like Claude Code's and takes Claude
// Code's answers. The answer is in the language of the payload.
//
// What the host accepts was measured. Exit code 2 blocks only tool calls, and
// the model does not get its text; so denials are JSON. In the second language
// only denial was measured: there nothing is rewritten.
//
// When a stop hook makes the agent continue, the host sends its prompt event
// again for the reason. No field of that payload tells it from a person's
// prompt, so Prompt.Synthetic stays false.
package copilot

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about Copilot CLI: its events in the first language,
// then those in the second. Without a person it treats an ask as a denial. When
// it is about to ask and gets no answer, it asks.
var Host = dialects.Host{System: "copilot-cli", About: &about, Tools: tools,
	Wiring: []dialects.File{{User: "hooks/trammel.json", Project: ".github/hooks/trammel.json", Named: true, Entry: entry,
		Head: dialects.Object{{Name: "version", Value: 1}},
		Managed: &dialects.Managed{Linux: "/etc/github-copilot/policy.d/trammel.json", MacOS: "/etc/github-copilot/policy.d/trammel.json",
			Windows: `C:\ProgramData\GitHub\Copilot\policy.d\trammel.json`,
			Key:     `SOFTWARE\Policies\GitHub\Copilot\trammel`, Value: "Policy"}}},
	Servers: []dialects.Servers{{User: "mcp-config.json", Key: "mcpServers"}},
}

func entry(c dialects.Call) dialects.Object {
	return dialects.Plain(c, "bash", "powershell", "timeoutSec")
}
