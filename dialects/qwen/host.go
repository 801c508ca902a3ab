// Package qwen speaks the language of Qwen Code towards Qwen Code. It has
// Claude Code's names for events and Gemini's for tools, and it ignores more of
// an answer than it says: new arguments, context before a call, a block or
// another output after one, context when it stops (hosts.md, section 5). None
// of these is claimed here, so a rewrite becomes a denial with the corrected
// call. SessionEnd is known but was never seen to fire.
package qwen

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "qwen-code"

// Dialect is the language of Qwen Code, the half towards the host.
type Dialect struct{ *dialects.Host }

// New returns the language of Qwen Code.
func New() Dialect { return Dialect{&Host} }

//go:embed events.txt
var events string

// Host is what is known about Qwen Code. By its source, its project is the
// directory in the payload.
//
// It can ask; without a terminal that is a denial with the reason told. A block
// of a batch of calls replaces their results by the reason. PermissionRequest
// and UserPromptExpansion were not reached when the host was measured: that
// they can be blocked is what its documentation says, and saying nothing to the
// former is asking.
var Host = dialects.Host{
	System: Name, Title: "Qwen Code", Tools: shapes, Table: &events, Project: "QWEN_PROJECT_DIR",
	Programs: []string{"qwen"}, Packages: []string{"@qwen-code/qwen-code"}, Marks: []string{"QWEN_CODE"},
	Dirs:     []dialects.Dir{{Below: ".qwen"}},
	Settings: []string{".qwen/settings.json"},
	Off: dialects.Off{
		Hooks:    []string{"--bare", "--safe-mode"},
		Settings: []string{"QWEN_HOME", "QWEN_CODE_SYSTEM_SETTINGS_PATH", "QWEN_CODE_SYSTEM_DEFAULTS_PATH"},
		Approval: []string{"-y", "--yolo", "--approval-mode yolo", "--allowed-tools", "QWEN_SANDBOX"},
	},
	Wiring: &dialects.Wiring{
		Windows: dialects.PowerShell, Comments: true, Disabled: "disableAllHooks",
		Files: []dialects.File{{User: "settings.json", Project: ".qwen/settings.json",
			Entry: func(c dialects.Call) dialects.Object { return dialects.Grouped(c, c.Seconds()) }}},
		ProjectNotes: []string{"Qwen Code may ask whether you trust the folder before it reads a project's settings: start `qwen` in " +
			"{project} and answer its question."},
	},
	Gaps: []string{"the end of a session is never reported", "`disableAllHooks` in its settings switches hooks off"},
}
