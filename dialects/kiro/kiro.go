// Package kiro speaks the language of Kiro, of its CLI v2 (preToolUse) and of
// CLI v3 and IDE 1.0 (PreToolUse). It was written from the host's documentation
// and not verified by running it: the host cannot be run here.
//
// The host knows two answers: exit code 2, which blocks, with the reason on
// stderr, and plain text on stdout with exit code 0, which is context where a
// session or a prompt begins. Nothing can be rewritten and nobody asked.
package kiro

import "github.com/trammel-dev/trammel"

// Name is what the host is called in configuration.
const Name = "kiro"

// Dialect is the language of Kiro, towards the host.
type Dialect struct{}

// New returns the language of Kiro.
func New() Dialect { return Dialect{} }

// Name returns "kiro".
func (Dialect) Name() string { return Name }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// events are the names that the host has for its events.
var events = [...]struct {
	name string
	kind trammel.Kind
}{
	{"agentSpawn", trammel.SessionStart},
	{"userPromptSubmit", trammel.UserPromptSubmit},
	{"preToolUse", trammel.PreToolUse},
	{"postToolUse", trammel.PostToolUse},
	{"stop", trammel.Stop},

	{"SessionStart", trammel.SessionStart},
	{"UserPromptSubmit", trammel.UserPromptSubmit},
	{"PreToolUse", trammel.PreToolUse},
	{"PostToolUse", trammel.PostToolUse},
	{"PreTaskExec", trammel.PreTaskExec},
	{"PostTaskExec", trammel.PostTaskExec},
	{"PostFileCreate", trammel.FileChanged},
	{"PostFileSave", trammel.FileChanged},
	{"PostFileDelete", trammel.FileChanged},
	{"Manual", trammel.Manual},
	{"Stop", trammel.Stop},
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
