// Package qwen speaks the language of Qwen Code towards Qwen Code. It has
// Claude Code's names for events and Gemini's for tools, and it ignores more of
// an answer than it says: new arguments, context before a call, a block or
// another output after one, context when it stops (hosts.md, section 5). None
// of these is claimed here, so a rewrite becomes a denial with the corrected
// call. SessionEnd is known but was never seen to fire.
package qwen

import (
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "qwen-code"

// Dialect is the language of Qwen Code, the half towards the host.
type Dialect struct{ *dialects.Host }

// New returns the language of Qwen Code.
func New() Dialect { return Dialect{&Host} }

// Host is what is known about Qwen Code. By its source, its project is the
// directory in the payload.
//
// It can ask; without a terminal that is a denial with the reason told. A block
// of a batch of calls replaces their results by the reason. PermissionRequest
// and UserPromptExpansion were not reached when the host was measured: that
// they can be blocked is what its documentation says, and saying nothing to the
// former is asking.
var Host = dialects.Host{
	System: Name, Title: "Qwen Code", Deadline: 30 * time.Second, Tools: shapes, Project: "QWEN_PROJECT_DIR",
	Events: []dialects.Event{
		{Name: "PreToolUse", Kind: trammel.PreToolUse, Wire: dialects.Closed, Can: trammel.Prevents | trammel.Block | trammel.CanAsk},
		{Name: "PermissionRequest", Kind: trammel.PermissionRequest, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.CanAsk},
		{Name: "UserPromptSubmit", Kind: trammel.UserPromptSubmit, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.Inject},
		{Name: "PostToolUse", Kind: trammel.PostToolUse, Wire: dialects.Open, Can: trammel.Inject},
		{Name: "PostToolUseFailure", Kind: trammel.PostToolFailure, Wire: dialects.Open},
		{Name: "Stop", Kind: trammel.Stop, Wire: dialects.Open, Deadline: dialects.StopDeadline, Can: trammel.Block | trammel.Continue},
		{Name: "SubagentStart", Kind: trammel.SubagentStart, Wire: dialects.Open},
		{Name: "SubagentStop", Kind: trammel.SubagentStop, Wire: dialects.Open, Deadline: dialects.StopDeadline},
		{Name: "SessionStart", Kind: trammel.SessionStart, Wire: dialects.Open, Can: trammel.Inject},
		{Name: "SessionEnd", Kind: trammel.SessionEnd, Wire: dialects.Open},
		{Name: "PreCompact", Kind: trammel.PreCompact, Wire: dialects.Open},
		{Name: "PostToolBatch", Kind: trammel.PostToolBatch, Can: trammel.Block},
		{Name: "UserPromptExpansion", Kind: trammel.UserPromptExpansion, Can: trammel.Prevents | trammel.Block},
		{Name: "SessionDelete", Kind: trammel.SessionDelete},
		{Name: "MessageDisplay", Kind: trammel.MessageDisplay},
		{Name: "StopFailure", Kind: trammel.StopFailure},
		{Name: "PostCompact", Kind: trammel.PostCompact},
		{Name: "Notification", Kind: trammel.Notification},
		{Name: "PermissionDenied", Kind: trammel.PermissionDenied},
		{Name: "TodoCreated", Kind: trammel.TaskCreated},
		{Name: "TodoCompleted", Kind: trammel.TaskCompleted},
		{Name: "InstructionsLoaded", Kind: trammel.InstructionsLoaded},
	},
	Programs: []string{"qwen"}, Packages: []string{"@qwen-code/qwen-code"},
	Marks:    []string{"QWEN_CODE"},
	Dirs:     []dialects.Dir{{Below: ".qwen"}},
	Settings: []string{".qwen/settings.json"},
	Switches: []dialects.Switch{
		{Name: "--bare", Off: dialects.Hooks}, {Name: "--safe-mode", Off: dialects.Hooks},
		{Name: "-y", Off: dialects.Approval}, {Name: "--yolo", Off: dialects.Approval}, {Name: "--approval-mode yolo", Off: dialects.Approval},
		{Name: "--allowed-tools", Off: dialects.Approval}, {Name: "QWEN_SANDBOX", Off: dialects.Sandbox},
		{Name: "QWEN_HOME", Off: dialects.Moved}, {Name: "QWEN_CODE_SYSTEM_SETTINGS_PATH", Off: dialects.Moved},
		{Name: "QWEN_CODE_SYSTEM_DEFAULTS_PATH", Off: dialects.Moved},
	},
	Wiring: &dialects.Wiring{
		Windows: dialects.PowerShell, Comments: true, Disabled: "disableAllHooks",
		Files: []dialects.File{{User: "settings.json", Project: ".qwen/settings.json",
			Entry: func(c dialects.Call) dialects.Object { return dialects.Grouped(c, c.Seconds()) }}},
		ProjectNotes: []string{"Qwen Code may ask whether you trust the folder before it reads a project's settings: start `qwen` in " +
			"{project} and answer its question."},
	},
	Gaps: []string{"the end of a session is never reported", "`--bare`, `--safe-mode` and `disableAllHooks` switch hooks off"},
}
