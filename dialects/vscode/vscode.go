// Package vscode speaks the language of the agent hooks of Visual Studio Code
// towards VS Code.
//
// Nothing here was verified by running it: it is written from the
// documentation of a preview, and so are the payloads in testdata. These are
// Claude Code's with other names for tools. Matchers in the configuration are ignored, so every hook
// gets every tool. Only what is documented is claimed, and what is blocked
// outside of a tool call is blocked by exit code 2, the form that blocked on
// every host that was measured.
package vscode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/claudelike"
)

// Name is what the host is called in configuration.
const Name = "vscode"

// Dialect is the language of VS Code, the half towards the host.
type Dialect struct{}

// New returns the language of VS Code.
func New() Dialect { return Dialect{} }

// Name returns "vscode".
func (Dialect) Name() string { return Name }

// ProjectDir is "": VS Code documents no variable for it. The directory in the
// payload is the one of the workspace.
func (Dialect) ProjectDir(func(string) string) string { return "" }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// events are the names that the host has for its events.
var events = claudelike.Events{
	{Name: "PreToolUse", Kind: trammel.PreToolUse},
	{Name: "PostToolUse", Kind: trammel.PostToolUse},
	{Name: "UserPromptSubmit", Kind: trammel.UserPromptSubmit},
	{Name: "SessionStart", Kind: trammel.SessionStart},
	{Name: "Stop", Kind: trammel.Stop},
	{Name: "SubagentStart", Kind: trammel.SubagentStart},
	{Name: "SubagentStop", Kind: trammel.SubagentStop},
	{Name: "PreCompact", Kind: trammel.PreCompact},
}
