// Package qwen is the dialect of Qwen Code as a host. Qwen Code has Claude
// Code's names for events and Gemini's for tools, and ignores parts of an
// answer that it documents: new arguments, context before a call, a block or
// another output after one, context when it stops. None of these is declared
// here, so a rewrite becomes a denial with the corrected call. SessionEnd is
// known but was never seen to fire.
package qwen

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about Qwen Code. By its source, its project is the
// directory in the payload. It abandons a hook after a minute, whatever its
// settings say, and lets the call through.
//
// It can ask; without a terminal that becomes a denial with the reason. A block
// of a batch of calls replaces their results by the reason. PermissionRequest
// and UserPromptExpansion did not occur when the host was measured: that they
// can be blocked is documented. Without an answer to the former, the host asks.
var Host = dialects.Host{System: "qwen-code", About: &about, Tools: tools,
	Servers: []dialects.Servers{{User: "settings.json", Project: ".qwen/settings.json", Key: "mcpServers"}},
	Wiring:  []dialects.File{{User: "settings.json", Project: ".qwen/settings.json", Entry: dialects.GroupedSeconds}},
}
