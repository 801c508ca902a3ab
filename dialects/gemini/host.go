// Package gemini is the dialect of the Gemini CLI: for Gemini itself, and for
// hook programs that were written for it and now run under any host.
//
// Three facts about Gemini shape this package. An ask hangs a run without a
// terminal until it is killed, so it is never sent. With an empty stdout Gemini
// reads stderr as the answer, so nothing is written there but the text of a
// block by exit code. And it tells its hooks neither the permission mode nor
// the id of a tool call: so it is unknown whether its own questions are
// switched off, and calls can be distinguished only by their order.
package gemini

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about Gemini CLI.
//
// It can ask, but hangs without a terminal, so asking is not declared. Context
// before a call is ignored. After a call a denial replaces the output with its
// reason, and output is rewritten this way. Changes of the model's requests,
// answers and choice of tools were not seen to work, or have no place for a
// reason, and are not declared. Events whose answer changes nothing have less
// time, because nobody waits for them. PreCompress is not wired: it fires
// before every call of the model, whether or not anything is compressed, and
// each costs a process.
var Host = dialects.Host{System: "gemini-cli", About: &about, Tools: tools,
	Servers: []dialects.Servers{{User: "settings.json", Project: ".gemini/settings.json", Key: "mcpServers"}},
	Wiring: []dialects.File{{User: "settings.json", Project: ".gemini/settings.json",
		Entry: func(c dialects.Call) dialects.Object {
			return dialects.Grouped(c.InBoth(), int(c.Timeout.Milliseconds()))
		},
		Managed: &dialects.Managed{Linux: "/etc/gemini-cli/settings.json", MacOS: "/Library/Application Support/GeminiCli/settings.json",
			Windows: `C:\ProgramData\gemini-cli\settings.json`}}},
}
