// Package gemini speaks the language of the Gemini CLI: towards Gemini itself,
// and towards hook programs that were written for it and now run under any
// host.
//
// Three things about it decide what is said here (hosts.md, section 4). An ask
// hangs a run without a terminal until it is killed, so it is never sent. With
// an empty stdout Gemini reads stderr as the answer, so nothing is written
// there but the text of a block by exit code. And it tells its hooks neither
// the permission mode nor the id of a tool call: whether its own questions are
// switched off cannot be known, and calls are told apart by their order alone.
package gemini

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/claudelike"
)

// Name is what the host is called in configuration.
const Name = "gemini-cli"

// Dialect is the language of Gemini CLI, both halves.
type Dialect struct{}

// New returns the language of Gemini CLI.
func New() Dialect { return Dialect{} }

// Name returns "gemini-cli".
func (Dialect) Name() string { return Name }

// ProjectDir is where the host says that its project is.
func (Dialect) ProjectDir(getenv func(string) string) string { return getenv("GEMINI_PROJECT_DIR") }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// events are the names that the host has for its events.
var events = claudelike.Events{
	{Name: "BeforeTool", Kind: trammel.PreToolUse},
	{Name: "AfterTool", Kind: trammel.PostToolUse},
	{Name: "BeforeAgent", Kind: trammel.UserPromptSubmit},
	{Name: "AfterAgent", Kind: trammel.Stop},
	{Name: "BeforeModel", Kind: trammel.BeforeLLMCall},
	{Name: "AfterModel", Kind: trammel.AfterLLMCall},
	{Name: "BeforeToolSelection", Kind: trammel.ToolSelection},
	{Name: "SessionStart", Kind: trammel.SessionStart},
	{Name: "SessionEnd", Kind: trammel.SessionEnd},
	{Name: "PreCompress", Kind: trammel.PreCompact},
	{Name: "Notification", Kind: trammel.Notification},
}
