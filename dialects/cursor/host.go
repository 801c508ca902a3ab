// Package cursor speaks the language of Cursor. It was written from the host's
// documentation and not verified by running it: the host cannot be run here.
//
// Denials are JSON, {"permission":"deny"} with a text for the person and one
// for the agent; a prompt is stopped by {"continue":false}; an agent that wants
// to end goes on with {"followup_message":…}. An event that we do not know is
// blocked by exit code 2. Fields that the documentation leaves in doubt
// (updated_input, a changed MCP output) are not relied on.
package cursor

import (
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "cursor"

// Dialect is the language of Cursor, towards the host.
type Dialect struct{ *dialects.Host }

// New returns the language of Cursor.
func New() Dialect { return Dialect{&Host} }

// Host is what is known about Cursor, by its documentation. A person is asked
// only about shell commands and MCP tools, and context is taken only by the
// general event after a tool. preToolUse sees every tool, so the events for
// single kinds of tools (beforeShellExecution, beforeReadFile, …) would only
// ask a second time and are not wired.
var Host = dialects.Host{
	System: Name, Title: "Cursor", Deadline: 30 * time.Second, Tools: shapes, Project: "CURSOR_PROJECT_DIR",
	Events: []dialects.Event{
		{Name: "preToolUse", Kind: trammel.PreToolUse, Wire: dialects.Closed, Can: trammel.Prevents | trammel.Block},
		{Name: "beforeSubmitPrompt", Kind: trammel.UserPromptSubmit, Wire: dialects.Open, Can: trammel.Prevents | trammel.Block},
		{Name: "postToolUse", Kind: trammel.PostToolUse, Wire: dialects.Open, Can: trammel.Inject},
		{Name: "postToolUseFailure", Kind: trammel.PostToolFailure, Wire: dialects.Open},
		{Name: "stop", Kind: trammel.Stop, Wire: dialects.Open, Deadline: dialects.StopDeadline, Can: trammel.Block | trammel.Continue},
		{Name: "subagentStart", Kind: trammel.SubagentStart, Wire: dialects.Open, Can: trammel.Block},
		{Name: "subagentStop", Kind: trammel.SubagentStop, Wire: dialects.Open, Deadline: dialects.StopDeadline,
			Can: trammel.Block | trammel.Continue},
		{Name: "sessionStart", Kind: trammel.SessionStart, Wire: dialects.Open, Can: trammel.Inject},
		{Name: "sessionEnd", Kind: trammel.SessionEnd, Wire: dialects.Open},
		{Name: "preCompact", Kind: trammel.PreCompact, Wire: dialects.Open},
		{Name: "beforeShellExecution", Kind: trammel.PreToolUse,
			Can: trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.Approve},
		{Name: "beforeMCPExecution", Kind: trammel.PreToolUse, Can: trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.Approve},
		{Name: "beforeReadFile", Kind: trammel.PreToolUse, Can: trammel.Prevents | trammel.Block},
		{Name: "beforeTabFileRead", Kind: trammel.PreToolUse, Can: trammel.Prevents | trammel.Block},
		{Name: "afterShellExecution", Kind: trammel.PostToolUse},
		{Name: "afterMCPExecution", Kind: trammel.PostToolUse},
		{Name: "afterFileEdit", Kind: trammel.PostToolUse},
		{Name: "afterTabFileEdit", Kind: trammel.PostToolUse},
		{Name: "afterAgentResponse", Kind: trammel.AfterLLMCall},
		{Name: "afterAgentThought", Kind: trammel.AfterLLMCall},
	},
	Programs: []string{"cursor", "cursor-agent"},
	Marks:    []string{"CURSOR_AGENT"},
	Dirs:     []dialects.Dir{{Below: ".cursor"}},
	Settings: []string{".cursor/hooks.json"},
	Switches: []dialects.Switch{
		{Name: "-f", Off: dialects.Approval}, {Name: "--force", Off: dialects.Approval}, {Name: "--yolo", Off: dialects.Approval},
		{Name: "--trust", Off: dialects.Approval}, {Name: "--approve-mcps", Off: dialects.Approval},
		{Name: "--sandbox disabled", Off: dialects.Sandbox}, {Name: "CURSOR_CONFIG_DIR", Off: dialects.Moved},
	},
	Wiring: &dialects.Wiring{
		Windows: dialects.PowerShell,
		Files: []dialects.File{{User: "hooks.json", Project: ".cursor/hooks.json", Entry: entry,
			Head: dialects.Object{{Name: "version", Value: 1}}}},
		Notes: []string{"Cursor runs a project's hooks only in a workspace that you trust, and its cloud agents run no stop hooks."},
	},
	Gaps: []string{"not verified by running the program", "cloud machines do not run stop hooks"},
}

func entry(c dialects.Call) dialects.Object {
	out := dialects.Object{{Name: "command", Value: c.Command}, {Name: "timeout", Value: c.Seconds()}}
	if c.Wire != dialects.Open {
		out = append(out, dialects.Member{Name: "failClosed", Value: true})
	}
	return out
}
