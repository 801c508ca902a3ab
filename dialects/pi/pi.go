// Package pi speaks with pi, through the extension that Trammel installs there
// (install/plugins): pi runs no commands of its own as hooks.
//
// The extension hands over pi's own event, and what is known of the session:
//
//	{"event":{"type":"tool_call","toolName":"bash","toolCallId":"c",
//	          "input":{"command":"ls"}},
//	 "cwd":"/src/app","session":"01a1","hasUI":false,"mode":"print"}
//
// When the agent ends, the event holds the last text instead of all messages,
// and active, if it was us who made it go on. The extension acts on the answer,
// one JSON object, exit code 0:
//
//	{"block":true,"reason":"…"}  the call or prompt does not happen
//	{"args":{…}}                 all arguments of the call, as they have to be;
//	                             of a prompt {"prompt":"…"}
//	{"output":"…"}               what the tool is to have said
//	{"context":"…"}              text for the model
//	{"continue":"…"}             the agent goes on with this text
//	{"notice":"…"}               text for the person
package pi

import "github.com/trammel-dev/trammel"

// Name is what the host is called in configuration.
const Name = "pi"

// Dialect is the language of pi, towards the host.
type Dialect struct{}

// New returns the language of pi.
func New() Dialect { return Dialect{} }

// Name returns "pi".
func (Dialect) Name() string { return Name }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// events are the names that the host has for its events.
var events = [...]struct {
	name string
	kind trammel.Kind
}{
	{"tool_call", trammel.PreToolUse},
	{"user_bash", trammel.PreToolUse},
	{"tool_result", trammel.PostToolUse},
	{"input", trammel.UserPromptSubmit},
	{"before_agent_start", trammel.TurnStart},
	{"turn_start", trammel.TurnStart},
	{"turn_end", trammel.TurnEnd},
	{"agent_end", trammel.Stop},
	{"agent_before_settle", trammel.Stop},
	{"session_start", trammel.SessionStart},
	{"session_shutdown", trammel.SessionEnd},
	{"session_before_compact", trammel.PreCompact},
	{"resources_discover", trammel.InstructionsLoaded},
	{"before_provider_request", trammel.BeforeLLMCall},
	{"context", trammel.BeforeLLMCall},
	{"after_provider_response", trammel.AfterLLMCall},
	{"message_end", trammel.MessageDisplay},
	{"model_select", trammel.PostModelSwitch},
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
