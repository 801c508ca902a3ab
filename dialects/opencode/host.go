// Package opencode is the dialect of opencode, which cannot run commands as
// hooks: Trammel installs a plugin (plugin.js) that calls trammel-hook.
//
// The plugin hands over what opencode gave it, under opencode's own names:
//
//	{"event":"tool.execute.before","directory":"/src/app","worktree":"/src/app",
//	 "parents":["ses_1"],
//	 "input":{"tool":"bash","sessionID":"ses_2","callID":"c"},
//	 "output":{"args":{"command":"ls"}}}
//
// What goes over opencode's bus is {"event":"event","input":{"type":…}}. The
// plugin acts on the answer, one JSON object, exit code 0:
//
//	{"block":true,"reason":"…"}  throw: the call or prompt does not happen
//	{"args":{…}}                 all arguments of the call, as they have to be
//	{"output":"…"}               what the tool is to have said
//	{"context":"…"}              text for the model
//	{"notice":"…"}               text for the log
//
// No answer was found that keeps a session from ending.
package opencode

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

// loaded is the event with which the plugin reports that it is loaded.
const loaded = "plugin.init"

//go:embed plugin.js
var plugin string

//go:embed host.txt
var about string

// Host is what is known about opencode, and what the plugin reports. A prompt
// cannot be rewritten, and an idle session cannot be made to continue.
var Host = dialects.Host{System: "opencode", About: &about, Tools: tools,
	Servers: []dialects.Servers{{User: "opencode.json", Project: "opencode.json", Key: "mcp", Strict: true}},
	Wiring: []dialects.File{
		{User: "plugin/trammel.js", Project: ".opencode/plugin/trammel.js", Named: true, Plugin: &plugin}},
}
