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

import (
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "claude-code"

// Dialect is the language of Claude Code, both halves.
type Dialect struct{ *dialects.Host }

// New returns the language of Claude Code.
func New() Dialect { return Dialect{&Host} }

// Host is what is known about Claude Code.
//
// Stop has no context: the host would take it for a reason to go on. Setup has
// none because the host drops it; it waits for the session to start. When the
// host is about to ask, saying nothing is asking.
var Host = dialects.Host{
	System: Name, Title: "Claude Code", Deadline: 30 * time.Second, Tools: shapes, Project: "CLAUDE_PROJECT_DIR",
	Events: []dialects.Event{
		{Name: "PreToolUse", Kind: trammel.PreToolUse, Wire: dialects.Closed,
			Can: trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.RewriteInput | trammel.Inject | trammel.Approve},
		{Name: "PermissionRequest", Kind: trammel.PermissionRequest, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.RewriteInput | trammel.Approve},
		{Name: "UserPromptSubmit", Kind: trammel.UserPromptSubmit, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.Inject},
		{Name: "PostToolUse", Kind: trammel.PostToolUse, Wire: dialects.Open, Can: trammel.Block | trammel.RewriteOutput | trammel.Inject},
		{Name: "PostToolUseFailure", Kind: trammel.PostToolFailure, Wire: dialects.Open, Can: trammel.Block | trammel.Inject},
		{Name: "Stop", Kind: trammel.Stop, Wire: dialects.Open, Deadline: dialects.StopDeadline, Can: trammel.Block | trammel.Continue},
		{Name: "SubagentStart", Kind: trammel.SubagentStart, Wire: dialects.Open, Can: trammel.Inject},
		{Name: "SubagentStop", Kind: trammel.SubagentStop, Wire: dialects.Open, Deadline: dialects.StopDeadline,
			Can: trammel.Block | trammel.Continue},
		{Name: "SessionStart", Kind: trammel.SessionStart, Wire: dialects.Open, Can: trammel.Inject},
		// All hooks together have this long, unless the settings raise it.
		{Name: "SessionEnd", Kind: trammel.SessionEnd, Wire: dialects.Open, Deadline: 1500 * time.Millisecond, Timeout: 30 * time.Second},
		{Name: "PreCompact", Kind: trammel.PreCompact, Wire: dialects.Open, Can: trammel.Block},

		{Name: "PostToolBatch", Kind: trammel.PostToolBatch, Can: trammel.Block | trammel.Inject},
		{Name: "Notification", Kind: trammel.Notification},
		{Name: "UserPromptExpansion", Kind: trammel.UserPromptExpansion, Can: trammel.Prevents | trammel.Block | trammel.Inject},
		{Name: "StopFailure", Kind: trammel.StopFailure},
		{Name: "PostCompact", Kind: trammel.PostCompact},
		{Name: "PreModelSwitch", Kind: trammel.PreModelSwitch, Can: trammel.Prevents | trammel.Block | trammel.CanAsk},
		{Name: "PostModelSwitch", Kind: trammel.PostModelSwitch},
		{Name: "PermissionDenied", Kind: trammel.PermissionDenied},
		{Name: "Setup", Kind: trammel.Setup},
		{Name: "TeammateIdle", Kind: trammel.TeammateIdle, Can: trammel.Block | trammel.Continue},
		{Name: "TaskCreated", Kind: trammel.TaskCreated, Can: trammel.Block},
		{Name: "TaskCompleted", Kind: trammel.TaskCompleted, Can: trammel.Block},
		{Name: "Elicitation", Kind: trammel.Elicitation, Can: trammel.Prevents | trammel.Block},
		{Name: "ElicitationResult", Kind: trammel.ElicitationResult, Can: trammel.Prevents | trammel.Block},
		{Name: "ConfigChange", Kind: trammel.ConfigChange, Can: trammel.Prevents | trammel.Block},
		{Name: "WorktreeCreate", Kind: trammel.WorktreeCreate, Can: trammel.Prevents | trammel.Block},
		{Name: "WorktreeRemove", Kind: trammel.WorktreeRemove},
		{Name: "InstructionsLoaded", Kind: trammel.InstructionsLoaded},
		{Name: "CwdChanged", Kind: trammel.CwdChanged},
		{Name: "FileChanged", Kind: trammel.FileChanged},
		{Name: "DirectoryAdded", Kind: trammel.DirectoryAdded},
		{Name: "MessageDisplay", Kind: trammel.MessageDisplay, Deadline: 10 * time.Second},
	},
	Programs: []string{"claude"}, Packages: []string{"@anthropic-ai/claude-code"},
	Marks:    []string{"CLAUDECODE"},
	Dirs:     []dialects.Dir{{Variable: "CLAUDE_CONFIG_DIR"}, {Below: ".claude"}},
	Settings: []string{".claude/settings.json", ".claude/settings.local.json", ".claude.json", "claude-code/managed-settings.json"},
	Switches: []dialects.Switch{
		{Name: "--bare", Off: dialects.Hooks}, {Name: "CLAUDE_CODE_SIMPLE", Off: dialects.Hooks},
		{Name: "--safe-mode", Off: dialects.Hooks}, {Name: "CLAUDE_CODE_SAFE_MODE", Off: dialects.Hooks},
		{Name: "--settings", Off: dialects.Moved}, {Name: "--setting-sources", Off: dialects.Moved},
		{Name: "--restricted", Off: dialects.Moved}, {Name: "CLAUDE_CODE_MANAGED_SETTINGS_PATH", Off: dialects.Moved},
		{Name: "--dangerously-skip-permissions", Off: dialects.Approval}, {Name: "--allowedTools", Off: dialects.Approval},
		{Name: "--allow-dangerously-skip-permissions", Off: dialects.Approval},
		{Name: "--permission-mode bypassPermissions", Off: dialects.Approval},
		{Name: "CLAUDE_CODE_SHELL", Off: dialects.Code}, {Name: "CLAUDE_CODE_SHELL_PREFIX", Off: dialects.Code},
		{Name: "--mcp-config", Off: dialects.Code}, {Name: "--plugin-dir", Off: dialects.Code},
	},
	Wiring: &dialects.Wiring{
		// On Windows Claude Code runs hooks with the sh of Git.
		Windows: dialects.POSIX, Disabled: "disableAllHooks",
		Files: []dialects.File{{User: "settings.json", Project: ".claude/settings.json", Entry: entry}},
	},
	Transcripts: &dialects.Transcripts{Below: "projects", Line: transcriptLine, Mine: func(rel string) bool {
		// <project>/<session>.jsonl; what lies deeper belongs to sub-agents
		return strings.HasSuffix(rel, ".jsonl") && strings.Count(rel, "/") == 1
	}},
	Gaps: []string{"a hook that Claude Code itself times out lets the call through; Trammel answers before that",
		"`claude --bare` starts without hooks"},
}

func entry(c dialects.Call) dialects.Object {
	var more []dialects.Member
	if c.Wire != dialects.Open && c.AtLeast("2.1.295") { // older ones are not known to take the key
		more = []dialects.Member{{Name: "onFailure", Value: "block"}}
	}
	return dialects.Grouped(c, c.Seconds(), more...)
}

// transcriptLine reads a line of a transcript: one per message, calls in the
// content of the assistant's.
func transcriptLine(line map[string]any) (dialects.Line, bool) {
	text := func(m map[string]any, key string) string { s, _ := m[key].(string); return s }
	out := dialects.Line{Session: text(line, "sessionId"), Dir: text(line, "cwd"), Version: text(line, "version")}
	message, _ := line["message"].(map[string]any)
	parts, _ := message["content"].([]any)
	if line["type"] != "assistant" {
		return out, true
	}
	at, _ := time.Parse(time.RFC3339Nano, text(line, "timestamp"))
	for _, p := range parts {
		part, ok := p.(map[string]any)
		if !ok {
			return out, false
		}
		if part["type"] == "tool_use" {
			out.Calls = append(out.Calls, dialects.ToolUse{ID: text(part, "id"), Tool: text(part, "name"), Time: at})
		}
	}
	return out, true
}

// Narrow takes away what the host does only with some answers: it replaces a
// tool's output only in the tool's own shape, changes the arguments of a call
// that it is asking about only together with an approval, and does not let
// hooks block a change of its managed settings.
func (d Dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	switch ev.Kind {
	case trammel.PostToolUse:
		if v.Output != nil && reshape(ev.Tool, *v.Output) == nil {
			p.Can &^= trammel.RewriteOutput
		}
	case trammel.PermissionRequest:
		if !v.Granted {
			p.Can &^= trammel.RewriteInput
		}
	case trammel.ConfigChange:
		if ev.Source == "policy_settings" {
			p.Can &^= trammel.Block
		}
	}
	return p
}
