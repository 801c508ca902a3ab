// Package cursor speaks the language of Cursor. It was written from the host's
// documentation and not verified by running it: the host cannot be run here.
//
// Denials are JSON, {"permission":"deny"} with a text for the person and one
// for the agent; a prompt is stopped by {"continue":false}; an agent that wants
// to end goes on with {"followup_message":…}. An event that we do not know is
// blocked by exit code 2. Fields that the documentation leaves in doubt
// (updated_input, a changed MCP output) are not relied on.
package cursor

import "github.com/trammel-dev/trammel"

// Name is what the host is called in configuration.
const Name = "cursor"

// Dialect is the language of Cursor, towards the host.
type Dialect struct{}

// New returns the language of Cursor.
func New() Dialect { return Dialect{} }

// Name returns "cursor".
func (Dialect) Name() string { return Name }

// ProjectDir is where the host says that its project is.
func (Dialect) ProjectDir(getenv func(string) string) string { return getenv("CURSOR_PROJECT_DIR") }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// events are the names that the host has for its events.
var events = [...]struct {
	name string
	kind trammel.Kind
}{
	{"preToolUse", trammel.PreToolUse},
	{"beforeShellExecution", trammel.PreToolUse},
	{"beforeMCPExecution", trammel.PreToolUse},
	{"beforeReadFile", trammel.PreToolUse},
	{"beforeTabFileRead", trammel.PreToolUse},
	{"postToolUse", trammel.PostToolUse},
	{"afterShellExecution", trammel.PostToolUse},
	{"afterMCPExecution", trammel.PostToolUse},
	{"afterFileEdit", trammel.PostToolUse},
	{"afterTabFileEdit", trammel.PostToolUse},
	{"postToolUseFailure", trammel.PostToolFailure},
	{"beforeSubmitPrompt", trammel.UserPromptSubmit},
	{"sessionStart", trammel.SessionStart},
	{"sessionEnd", trammel.SessionEnd},
	{"stop", trammel.Stop},
	{"subagentStart", trammel.SubagentStart},
	{"subagentStop", trammel.SubagentStop},
	{"preCompact", trammel.PreCompact},
	{"afterAgentResponse", trammel.AfterLLMCall},
	{"afterAgentThought", trammel.AfterLLMCall},
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
