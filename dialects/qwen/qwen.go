// Package qwen speaks the language of Qwen Code towards Qwen Code. It has
// Claude Code's names for events and Gemini's for tools, and it ignores more of
// an answer than it says: new arguments, context before a call, a block or
// another output after one, context when it stops (hosts.md, section 5). None
// of these is claimed here, so a rewrite becomes a denial with the corrected
// call. SessionEnd is known but was never seen to fire.
package qwen

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/claudelike"
)

// Name is what the host is called in configuration.
const Name = "qwen-code"

// Dialect is the language of Qwen Code, the half towards the host.
type Dialect struct{}

// New returns the language of Qwen Code.
func New() Dialect { return Dialect{} }

// Name returns "qwen-code".
func (Dialect) Name() string { return Name }

// ProjectDir is where the host says that its project is. By its source that is
// the directory in the payload.
func (Dialect) ProjectDir(getenv func(string) string) string { return getenv("QWEN_PROJECT_DIR") }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// events are the names that the host has for its events.
var events = claudelike.Events{
	{Name: "PreToolUse", Kind: trammel.PreToolUse},
	{Name: "PostToolUse", Kind: trammel.PostToolUse},
	{Name: "PostToolUseFailure", Kind: trammel.PostToolFailure},
	{Name: "PostToolBatch", Kind: trammel.PostToolBatch},
	{Name: "UserPromptSubmit", Kind: trammel.UserPromptSubmit},
	{Name: "UserPromptExpansion", Kind: trammel.UserPromptExpansion},
	{Name: "SessionStart", Kind: trammel.SessionStart},
	{Name: "SessionEnd", Kind: trammel.SessionEnd},
	{Name: "SessionDelete", Kind: trammel.SessionDelete},
	{Name: "MessageDisplay", Kind: trammel.MessageDisplay},
	{Name: "Stop", Kind: trammel.Stop},
	{Name: "StopFailure", Kind: trammel.StopFailure},
	{Name: "SubagentStart", Kind: trammel.SubagentStart},
	{Name: "SubagentStop", Kind: trammel.SubagentStop},
	{Name: "PreCompact", Kind: trammel.PreCompact},
	{Name: "PostCompact", Kind: trammel.PostCompact},
	{Name: "Notification", Kind: trammel.Notification},
	{Name: "PermissionRequest", Kind: trammel.PermissionRequest},
	{Name: "PermissionDenied", Kind: trammel.PermissionDenied},
	{Name: "TodoCreated", Kind: trammel.TaskCreated},
	{Name: "TodoCompleted", Kind: trammel.TaskCompleted},
	{Name: "InstructionsLoaded", Kind: trammel.InstructionsLoaded},
}
