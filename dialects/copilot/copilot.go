// Package copilot speaks the language of GitHub Copilot CLI.
//
// The host has two languages and chooses by the case of the event's name in its
// configuration: preToolUse gets a camelCase payload and takes flat answers,
// PreToolUse gets a snake_case payload like Claude Code's and takes Claude
// Code's answers. What it sent says in which one it wants to be answered.
//
// What the host honours was measured (hosts.md). Exit code 2 blocks a tool call
// and nothing else, and its text is not told; so denials are JSON. In the
// second language only denial was measured: there nothing is rewritten.
//
// When a stop hook makes the agent go on, the host sends its prompt event again
// for the reason. No field of that payload tells it from a person's prompt, so
// Prompt.Synthetic stays false.
package copilot

import "github.com/trammel-dev/trammel"

// Name is what the host is called in configuration.
const Name = "copilot-cli"

// Dialect is the language of Copilot CLI, towards the host.
type Dialect struct{}

// New returns the language of Copilot CLI.
func New() Dialect { return Dialect{} }

// Name returns "copilot-cli".
func (Dialect) Name() string { return Name }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// events are the names that the host has for its events, in both languages.
var events = [...]struct {
	flat, claude string
	kind         trammel.Kind
}{
	{"preToolUse", "PreToolUse", trammel.PreToolUse},
	{"postToolUse", "PostToolUse", trammel.PostToolUse},
	{"postToolUseFailure", "PostToolUseFailure", trammel.PostToolFailure},
	{"permissionRequest", "PermissionRequest", trammel.PermissionRequest},
	{"userPromptSubmitted", "UserPromptSubmit", trammel.UserPromptSubmit},
	{"userPromptTransformed", "UserPromptTransformed", trammel.UserPromptTransformed},
	{"sessionStart", "SessionStart", trammel.SessionStart},
	{"sessionEnd", "SessionEnd", trammel.SessionEnd},
	{"agentStop", "Stop", trammel.Stop},
	{"subagentStart", "SubagentStart", trammel.SubagentStart},
	{"subagentStop", "SubagentStop", trammel.SubagentStop},
	{"preCompact", "PreCompact", trammel.PreCompact},
	{"notification", "Notification", trammel.Notification},
	{"errorOccurred", "ErrorOccurred", trammel.ErrorOccurred},
}

// language is one of the host's two, or neither if it cannot be told.
type language uint8

const (
	untold language = iota
	flat
	claude
)

// exact finds an event of this host by its name, which also tells the language.
func exact(name string) (trammel.Kind, language) {
	for i := range events {
		switch name {
		case events[i].flat:
			return events[i].kind, flat
		case events[i].claude:
			return events[i].kind, claude
		}
	}
	return trammel.Other, untold
}

// kindOf also takes any other spelling, which wiring may use and a payload may not.
func kindOf(name string) (trammel.Kind, bool) {
	if kind, l := exact(name); l != untold || name == "" {
		return kind, l != untold
	}
	kind, ok := trammel.ParseKindOf(Name, name)
	if !ok {
		kind, ok = trammel.ParseKind(name)
	}
	return kind, ok && nameOf(kind, flat) != ""
}

// nameOf is the host's name of a kind, "" if the host has no such event.
func nameOf(kind trammel.Kind, l language) string {
	for i := range events {
		if events[i].kind == kind {
			if l == claude {
				return events[i].claude
			}
			return events[i].flat
		}
	}
	return ""
}
