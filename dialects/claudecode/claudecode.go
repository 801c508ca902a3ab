// Package claudecode speaks the language of Claude Code: towards Claude Code
// itself, and towards hook programs that were written for it and now run under
// any host.
//
// What the host honours was measured (hosts.md); only such forms are ever
// sent. Denials go as JSON with exit code 0 where there is a JSON form,
// because the text of an exit code 2 shows the model the whole command line of
// the hook. stdout is empty or one JSON object and a newline: the host takes
// anything else for plain text and lets the call through.
package claudecode

import "github.com/trammel-dev/trammel"

// Name is what the host is called in configuration.
const Name = "claude-code"

// Dialect is the language of Claude Code, both halves.
type Dialect struct{}

// New returns the language of Claude Code.
func New() Dialect { return Dialect{} }

// Name returns "claude-code".
func (Dialect) Name() string { return Name }

// ProjectDir is where the host says that its project is. Unlike the directory
// in the payload, which follows the agent's cd, it stays.
func (Dialect) ProjectDir(getenv func(string) string) string { return getenv("CLAUDE_PROJECT_DIR") }

// events are the names that the host has for its events.
var events = [...]struct {
	name string
	kind trammel.Kind
}{
	{"PreToolUse", trammel.PreToolUse},
	{"PostToolUse", trammel.PostToolUse},
	{"PostToolUseFailure", trammel.PostToolFailure},
	{"PostToolBatch", trammel.PostToolBatch},
	{"Notification", trammel.Notification},
	{"UserPromptSubmit", trammel.UserPromptSubmit},
	{"UserPromptExpansion", trammel.UserPromptExpansion},
	{"SessionStart", trammel.SessionStart},
	{"SessionEnd", trammel.SessionEnd},
	{"Stop", trammel.Stop},
	{"StopFailure", trammel.StopFailure},
	{"SubagentStart", trammel.SubagentStart},
	{"SubagentStop", trammel.SubagentStop},
	{"PreCompact", trammel.PreCompact},
	{"PostCompact", trammel.PostCompact},
	{"PreModelSwitch", trammel.PreModelSwitch},
	{"PostModelSwitch", trammel.PostModelSwitch},
	{"PermissionRequest", trammel.PermissionRequest},
	{"PermissionDenied", trammel.PermissionDenied},
	{"Setup", trammel.Setup},
	{"TeammateIdle", trammel.TeammateIdle},
	{"TaskCreated", trammel.TaskCreated},
	{"TaskCompleted", trammel.TaskCompleted},
	{"Elicitation", trammel.Elicitation},
	{"ElicitationResult", trammel.ElicitationResult},
	{"ConfigChange", trammel.ConfigChange},
	{"WorktreeCreate", trammel.WorktreeCreate},
	{"WorktreeRemove", trammel.WorktreeRemove},
	{"InstructionsLoaded", trammel.InstructionsLoaded},
	{"CwdChanged", trammel.CwdChanged},
	{"FileChanged", trammel.FileChanged},
	{"DirectoryAdded", trammel.DirectoryAdded},
	{"MessageDisplay", trammel.MessageDisplay},
}

// kindOf finds an event of this host by its exact name, or by any other
// spelling, which wiring may use and a payload may not.
func kindOf(name string) (trammel.Kind, bool) {
	for i := range events {
		if events[i].name == name {
			return events[i].kind, true
		}
	}
	if name != "" {
		if kind, ok := trammel.ParseKind(name); ok && nameOf(kind) != "" {
			return kind, true
		}
	}
	return trammel.Other, false
}

// nameOf is the host's name of a kind, "" if the host has no such event.
func nameOf(kind trammel.Kind) string {
	for i := range events {
		if events[i].kind == kind {
			return events[i].name
		}
	}
	return ""
}

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }
