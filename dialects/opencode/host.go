// Package opencode speaks with opencode, through the plugin that Trammel
// installs there (plugin.js): opencode runs no commands of its own as
// hooks.
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
// No form was found that keeps a session going which wants to end.
package opencode

import (
	_ "embed"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "opencode"

// Dialect is the language of opencode, towards the host.
type Dialect struct{ *dialects.Host }

// New returns the language of opencode.
func New() Dialect { return Dialect{&Host} }

// loaded is the event by which the plugin tells that it runs.
const loaded = "plugin.init"

//go:embed plugin.js
var plugin string

// Host is what is known about opencode, and what the plugin reports. A prompt
// cannot be rewritten and a session that is idle cannot be set to work again.
var Host = dialects.Host{
	System: Name, Title: "opencode", Deadline: 30 * time.Second, Tools: shapes,
	Events: []dialects.Event{
		{Name: "tool.execute.before", Kind: trammel.PreToolUse, Wire: dialects.Closed,
			Can: trammel.Prevents | trammel.Block | trammel.RewriteInput},
		{Name: "tool.execute.after", Kind: trammel.PostToolUse, Wire: dialects.Open,
			Can: trammel.Block | trammel.RewriteOutput | trammel.Inject},
		{Name: "chat.message", Kind: trammel.UserPromptSubmit, Wire: dialects.Open, Can: trammel.Prevents | trammel.Block | trammel.Inject},
		{Name: "session.created", Kind: trammel.SessionStart, Wire: dialects.Open},
		{Name: loaded, Kind: trammel.SessionStart, Wire: dialects.Open},
		{Name: "session.idle", Kind: trammel.Stop, Wire: dialects.Open, Deadline: dialects.StopDeadline},
		{Name: "session.error", Kind: trammel.ErrorOccurred, Wire: dialects.Open},
		{Name: "session.deleted", Kind: trammel.SessionEnd, Wire: dialects.Open},
		{Name: "dispose", Kind: trammel.SessionEnd},
		{Name: "session.compacted", Kind: trammel.PostCompact, Wire: dialects.Open},
		{Name: "experimental.session.compacting", Kind: trammel.PreCompact},
		{Name: "command.execute.before", Kind: trammel.UserPromptExpansion},
		{Name: "permission.ask", Kind: trammel.PermissionRequest},
		{Name: "permission.asked", Kind: trammel.UserInput},
		{Name: "permission.replied", Kind: trammel.PermissionDenied},
		{Name: "file.edited", Kind: trammel.FileChanged},
		{Name: "config", Kind: trammel.ConfigChange},
		{Name: "chat.params", Kind: trammel.BeforeLLMCall},
		{Name: "experimental.chat.messages.transform", Kind: trammel.BeforeLLMCall},
		{Name: "experimental.chat.system.transform", Kind: trammel.TurnStart},
		{Name: "experimental.text.complete", Kind: trammel.MessageDisplay},
		{Name: "tool.definition", Kind: trammel.ToolSelection},
	},
	Programs: []string{"opencode"}, Packages: []string{"opencode-ai"},
	Marks: []string{"OPENCODE"},
	Dirs:  []dialects.Dir{{Variable: "XDG_CONFIG_HOME", Below: "opencode"}, {Below: ".config/opencode"}},
	Settings: []string{".opencode/plugin/**", ".opencode/plugins/**", "opencode/plugin/**", "opencode/plugins/**",
		"opencode/opencode.json", "opencode.json", "opencode.jsonc"},
	Switches: []dialects.Switch{
		{Name: "--pure", Off: dialects.Hooks}, {Name: "OPENCODE_PURE", Off: dialects.Hooks},
		{Name: "--auto", Off: dialects.Approval}, {Name: "OPENCODE_PERMISSION", Off: dialects.Approval},
		{Name: "OPENCODE_CONFIG", Off: dialects.Moved}, {Name: "OPENCODE_CONFIG_DIR", Off: dialects.Moved},
		{Name: "OPENCODE_CONFIG_CONTENT", Off: dialects.Moved}, {Name: "OPENCODE_DISABLE_PROJECT_CONFIG", Off: dialects.Moved},
		{Name: "OPENCODE_DISABLE_DEFAULT_PLUGINS", Off: dialects.Moved}, {Name: "OPENCODE_TEST_HOME", Off: dialects.Moved},
	},
	Wiring: &dialects.Wiring{
		Files: []dialects.File{{User: "plugin/trammel.js", Project: ".opencode/plugin/trammel.js", Named: true, Plugin: &plugin}},
		Notes: []string{
			"opencode skips a plugin that fails to load and says nothing. Run `trammel doctor --canary` once to see that it is loaded.",
			"opencode fetches @opencode-ai/plugin from the npm registry when it first finds a plugin, so it needs the network for that start."},
	},
	Gaps: []string{"a plugin that fails to load is skipped without a word; doctor looks for its first event",
		"there is no way to keep a headless run from ending", "`--pure` starts without plugins"},
}
