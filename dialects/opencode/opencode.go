// Package opencode speaks with opencode, through the plugin that Trammel
// installs there (install/plugins): opencode runs no commands of its own as
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

import "github.com/trammel-dev/trammel"

// Name is what the host is called in configuration.
const Name = "opencode"

// Dialect is the language of opencode, towards the host.
type Dialect struct{}

// New returns the language of opencode.
func New() Dialect { return Dialect{} }

// Name returns "opencode".
func (Dialect) Name() string { return Name }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// loaded is the event by which the plugin tells that it runs.
const loaded = "plugin.init"

// events are the names that the host has for its events.
var events = [...]struct {
	name string
	kind trammel.Kind
}{
	{"tool.execute.before", trammel.PreToolUse},
	{"tool.execute.after", trammel.PostToolUse},
	{"chat.message", trammel.UserPromptSubmit},
	{"session.created", trammel.SessionStart},
	{loaded, trammel.SessionStart},
	{"session.idle", trammel.Stop},
	{"session.error", trammel.ErrorOccurred},
	{"session.deleted", trammel.SessionEnd},
	{"dispose", trammel.SessionEnd},
	{"session.compacted", trammel.PostCompact},
	{"experimental.session.compacting", trammel.PreCompact},
	{"command.execute.before", trammel.UserPromptExpansion},
	{"permission.ask", trammel.PermissionRequest},
	{"permission.asked", trammel.UserInput},
	{"permission.replied", trammel.PermissionDenied},
	{"file.edited", trammel.FileChanged},
	{"config", trammel.ConfigChange},
	{"chat.params", trammel.BeforeLLMCall},
	{"experimental.chat.messages.transform", trammel.BeforeLLMCall},
	{"experimental.chat.system.transform", trammel.TurnStart},
	{"experimental.text.complete", trammel.MessageDisplay},
	{"tool.definition", trammel.ToolSelection},
}

// exact finds an event of this host by its name.
func exact(name string) (trammel.Kind, bool) {
	for i := range events {
		if events[i].name == name {
			return events[i].kind, true
		}
	}
	return trammel.Other, false
}

// kindOf also takes any other spelling, which wiring may use and a payload may not.
func kindOf(name string) (trammel.Kind, bool) {
	kind, ok := exact(name)
	if ok || name == "" {
		return kind, ok
	}
	if kind, ok = trammel.ParseKindOf(Name, name); !ok {
		kind, ok = trammel.ParseKind(name)
	}
	for i := range events {
		if ok && events[i].kind == kind {
			return kind, true
		}
	}
	return trammel.Other, false
}
