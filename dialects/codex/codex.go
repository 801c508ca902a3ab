// Package codex speaks the language of the Codex CLI: towards Codex itself,
// and towards hook programs that were written for it and now run under any
// host.
//
// Codex reads answers strictly: an unknown field, a word that it does not
// support, an allow without new arguments, a denial without a reason, noise
// around the JSON: each makes it drop the whole answer, and the tool runs
// (hosts.md, section 3). So only the smallest object that says what is meant is
// ever sent, and a denial carries nothing but its reason. Codex cannot ask its
// user for a hook, and has no cap on endless stop-blocks.
package codex

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/claudelike"
)

// Name is what the host is called in configuration.
const Name = "codex"

// Dialect is the language of Codex, both halves.
type Dialect struct{}

// New returns the language of Codex.
func New() Dialect { return Dialect{} }

// Name returns "codex".
func (Dialect) Name() string { return Name }

// ProjectDir is "": Codex does not tell its hooks where the project is. The
// directory in the payload has to do.
func (Dialect) ProjectDir(func(string) string) string { return "" }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// events are the names that the host has for its events.
var events = claudelike.Events{
	{Name: "PreToolUse", Kind: trammel.PreToolUse},
	{Name: "PostToolUse", Kind: trammel.PostToolUse},
	{Name: "PermissionRequest", Kind: trammel.PermissionRequest},
	{Name: "UserPromptSubmit", Kind: trammel.UserPromptSubmit},
	{Name: "SessionStart", Kind: trammel.SessionStart},
	{Name: "SessionEnd", Kind: trammel.SessionEnd},
	{Name: "SubagentStart", Kind: trammel.SubagentStart},
	{Name: "SubagentStop", Kind: trammel.SubagentStop},
	{Name: "Stop", Kind: trammel.Stop},
	{Name: "PreCompact", Kind: trammel.PreCompact},
	{Name: "PostCompact", Kind: trammel.PostCompact},
	{Name: "Interrupt", Kind: trammel.Interrupt},
}
