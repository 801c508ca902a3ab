// Package pi speaks with pi, through the extension that Trammel installs there
// (extension.js): pi runs no commands of its own as hooks.
//
// The extension hands over pi's own event, and what is known of the session:
//
//	{"event":{"type":"tool_call","toolName":"bash","toolCallId":"c",
//	          "input":{"command":"ls"}},
//	 "cwd":"/src/app","session":"01a1","hasUI":false,"mode":"print"}
//
// When the agent ends, the event holds the last text instead of all messages,
// and active, if it was us who made it go on. The extension acts on the answer,
// one JSON object, exit code 0 (encode.Plugin).
package pi

import (
	_ "embed"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "pi"

// Dialect is the language of pi, towards the host.
type Dialect struct{ *dialects.Host }

// New returns the language of pi.
func New() Dialect { return Dialect{&Host} }

//go:embed extension.js
var extension string

// Host is what is known about pi, and what the extension reports. Context for
// a prompt or a session waits for before_agent_start, which follows both. A
// person's own command is blocked or runs as it is.
var Host = dialects.Host{
	System: Name, Title: "pi", Deadline: 30 * time.Second, Tools: shapes,
	Events: []dialects.Event{
		{Name: "tool_call", Kind: trammel.PreToolUse, Wire: dialects.Closed, Can: trammel.Prevents | trammel.Block | trammel.RewriteInput},
		{Name: "user_bash", Kind: trammel.PreToolUse, Can: trammel.Prevents | trammel.Block},
		{Name: "tool_result", Kind: trammel.PostToolUse, Wire: dialects.Open, Can: trammel.Block | trammel.RewriteOutput | trammel.Inject},
		{Name: "input", Kind: trammel.UserPromptSubmit, Wire: dialects.Open, Can: trammel.Prevents | trammel.Block | trammel.RewriteInput},
		{Name: "before_agent_start", Kind: trammel.TurnStart, Wire: dialects.Open, Can: trammel.Inject},
		{Name: "turn_start", Kind: trammel.TurnStart},
		{Name: "turn_end", Kind: trammel.TurnEnd},
		{Name: "agent_end", Kind: trammel.Stop, Wire: dialects.Open, Deadline: dialects.StopDeadline, Endless: true,
			Can: trammel.Block | trammel.Continue},
		{Name: "agent_before_settle", Kind: trammel.Stop, Endless: true, Can: trammel.Block | trammel.Continue},
		{Name: "session_start", Kind: trammel.SessionStart, Wire: dialects.Open},
		{Name: "session_shutdown", Kind: trammel.SessionEnd, Wire: dialects.Open},
		{Name: "session_before_compact", Kind: trammel.PreCompact},
		{Name: "resources_discover", Kind: trammel.InstructionsLoaded},
		{Name: "before_provider_request", Kind: trammel.BeforeLLMCall},
		{Name: "context", Kind: trammel.BeforeLLMCall},
		{Name: "after_provider_response", Kind: trammel.AfterLLMCall},
		{Name: "message_end", Kind: trammel.MessageDisplay},
		{Name: "model_select", Kind: trammel.PostModelSwitch},
	},
	Programs: []string{"pi"}, Packages: []string{"@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"},
	Marks:    []string{"PI_SESSION_ID"},
	Dirs:     []dialects.Dir{{Below: ".pi"}},
	Settings: []string{".pi/extensions/**", ".pi/agent/extensions/**", ".pi/settings.json", ".pi/agent/settings.json"},
	Switches: []dialects.Switch{
		{Name: "-ne", Off: dialects.Hooks}, {Name: "--no-extensions", Off: dialects.Hooks},
		{Name: "-na", Off: dialects.Hooks}, {Name: "--no-approve", Off: dialects.Hooks},
		{Name: "-a", Off: dialects.Approval}, {Name: "--approve", Off: dialects.Approval}, {Name: "-e", Off: dialects.Code},
		{Name: "PI_CODING_AGENT_DIR", Off: dialects.Moved}, {Name: "PI_PACKAGE_DIR", Off: dialects.Moved},
	},
	Wiring: &dialects.Wiring{Files: []dialects.File{
		{User: "agent/extensions/trammel.js", Project: ".pi/extensions/trammel.js", Named: true, Plugin: &extension}}},
	Gaps: []string{"rewritten arguments are not validated again by the host"},
}

// Narrow takes away what is done only with some answers: of a prompt the text
// is rewritten and nothing else.
func (d Dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	return dialects.PromptOnly(ev, v, d.Host.Narrow(ev, v, p))
}
