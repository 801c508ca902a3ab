// Package pi is the dialect of pi, which cannot run commands as hooks: Trammel
// installs an extension (extension.js) that calls trammel-hook.
//
// The extension hands over pi's own event, and what is known of the session:
//
//	{"event":{"type":"tool_call","toolName":"bash","toolCallId":"c",
//	          "input":{"command":"ls"}},
//	 "cwd":"/src/app","session":"01a1","hasUI":false,"mode":"print"}
//
// When the agent ends, the event holds the last text instead of all messages,
// and active, if Trammel made it continue. The extension acts on the answer,
// one JSON object, exit code 0 (encode.Plugin).
package pi

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed extension.js
var extension string

//go:embed host.txt
var about string

// Host is what is known about pi, and what the extension reports. Context for
// a prompt or a session waits for before_agent_start, which follows both. A
// person's own command is blocked or runs as it is.
var Host = dialects.Host{System: "pi", About: &about, Tools: tools,
	Wiring: []dialects.File{
		{User: "agent/extensions/trammel.js", Project: ".pi/extensions/trammel.js", Named: true, Plugin: &extension}},
}
