// Package qwen speaks the language of Qwen Code towards Qwen Code. It has
// Claude Code's names for events and Gemini's for tools, and it ignores more of
// an answer than it says: new arguments, context before a call, a block or
// another output after one, context when it stops (hosts.md, section 5). None
// of these is claimed here, so a rewrite becomes a denial with the corrected
// call. SessionEnd is known but was never seen to fire.
package qwen

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about Qwen Code. By its source, its project is the
// directory in the payload. It gives a hook up after a minute, whatever its
// settings say, and lets the call through.
//
// It can ask; without a terminal that is a denial with the reason told. A block
// of a batch of calls replaces their results by the reason. PermissionRequest
// and UserPromptExpansion were not reached when the host was measured: that
// they can be blocked is what its documentation says, and saying nothing to the
// former is asking.
var Host = dialects.Host{System: "qwen-code", About: &about, Tools: tools,
	Servers: []dialects.Servers{{User: "settings.json", Project: ".qwen/settings.json", Key: "mcpServers"}},
	Wiring:  []dialects.File{{User: "settings.json", Project: ".qwen/settings.json", Entry: dialects.GroupedSeconds}},
}
