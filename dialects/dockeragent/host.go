// Package dockeragent speaks the language of docker-agent: towards docker-agent
// itself, whose command hooks may be trammel-hook on any event (DA-61), and
// towards hook programs that were written for it and now run under any host.
//
// Where the released system and its contract of September 2026 differ, the
// contract is spoken, in forms that the released system honours too: arguments
// go back whole, because one merges them and the other replaces them, and a
// tool call is denied by permission_decision, because on the lane that runs
// before its rules the released system looks at nothing else.
//
// That lane is the one that is wired, because the other is skipped under
// --yolo. It ignores new arguments, and no payload tells the lanes apart: so a
// rewrite before a call is a denial with the corrected call.
package dockeragent

import (
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "docker-agent"

// Dialect is the language of docker-agent, both halves.
type Dialect struct{ *dialects.Host }

// New returns the language of docker-agent.
func New() Dialect { return Dialect{&Host} }

// Host is what is known about docker-agent (DA-01). It throws away context
// around a tool call and at a stop, and takes a block there for a remark. When
// it is about to ask, saying nothing is asking.
//
// Every event is wired that all known versions have, because it skips a file
// with an event that it does not know. The newer ones are in a file of their
// own, so that an older version loses nothing else with it.
var Host = dialects.Host{
	System: Name, Title: "docker-agent", Deadline: 30 * time.Second, Tools: shapes,
	Events: []dialects.Event{
		{Name: "pre_tool_use", Kind: trammel.PreToolUse, Wire: dialects.ClosedByJSON,
			Can: trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.Approve},
		{Name: "permission_request", Kind: trammel.PermissionRequest, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.CanAsk | trammel.Approve},
		{Name: "tool_response_transform", Kind: trammel.ToolResponseTransform, Wire: dialects.Open, Can: trammel.RewriteOutput},
		{Name: "post_tool_use", Kind: trammel.PostToolUse, Wire: dialects.Open, Can: trammel.Block},
		{Name: "user_prompt_submit", Kind: trammel.UserPromptSubmit, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.Inject},
		{Name: "session_start", Kind: trammel.SessionStart, Wire: dialects.Open, Can: trammel.Inject},
		{Name: "session_end", Kind: trammel.SessionEnd, Wire: dialects.Open},
		{Name: "turn_start", Kind: trammel.TurnStart, Wire: dialects.Open, Can: trammel.Inject},
		{Name: "turn_end", Kind: trammel.TurnEnd, Wire: dialects.Open},
		{Name: "before_llm_call", Kind: trammel.BeforeLLMCall, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.RewriteInput},
		{Name: "after_llm_call", Kind: trammel.AfterLLMCall, Wire: dialects.Open},
		{Name: "stop", Kind: trammel.Stop, Wire: dialects.Open, Deadline: dialects.StopDeadline},
		{Name: "subagent_stop", Kind: trammel.SubagentStop, Wire: dialects.Open, Deadline: dialects.StopDeadline},
		{Name: "pre_compact", Kind: trammel.PreCompact, Wire: dialects.Open, Can: trammel.Block | trammel.Inject},
		{Name: "before_compaction", Kind: trammel.BeforeCompaction, Wire: dialects.Open, Can: trammel.Block | trammel.RewriteOutput},
		{Name: "after_compaction", Kind: trammel.PostCompact, Wire: dialects.Open},
		{Name: "notification", Kind: trammel.Notification, Wire: dialects.Open},
		{Name: "on_user_input", Kind: trammel.UserInput, Wire: dialects.Open},
		{Name: "on_error", Kind: trammel.ErrorOccurred, Wire: dialects.Open},
		{Name: "on_max_iterations", Kind: trammel.MaxIterations, Wire: dialects.Open},
		{Name: "on_agent_switch", Kind: trammel.AgentSwitch, Wire: dialects.Open},
		{Name: "on_session_resume", Kind: trammel.SessionResume, Wire: dialects.Open},
		{Name: "on_tool_approval_decision", Kind: trammel.ToolApprovalDecision, Wire: dialects.Open},

		{Name: "user_steering_messages_submit", Kind: trammel.UserSteeringSubmit, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.Inject},
		{Name: "user_followup_submit", Kind: trammel.UserFollowupSubmit, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.Inject},
		{Name: "worktree_create", Kind: trammel.WorktreeCreate, Wire: dialects.Open,
			Can: trammel.Prevents | trammel.Block | trammel.Inject},

		// These are in the contract and in no release yet.
		{Name: "tool_input_transform", Kind: trammel.ToolInputTransform, Can: trammel.Prevents | trammel.Block | trammel.RewriteInput},
		{Name: "tool_guard", Kind: trammel.ToolGuard, Can: trammel.Prevents | trammel.Block | trammel.CanAsk},
	},
	Programs: []string{"docker-agent", "cagent"},
	Dirs:     []dialects.Dir{{Variable: "DOCKER_AGENT_CONFIG_DIR"}, {Variable: "CAGENT_CONFIG_DIR"}, {Below: ".config/cagent"}},
	Settings: []string{"cagent/hooks.d/**", "docker-agent/hooks.d/**", "cagent/config.yaml"},
	Switches: []dialects.Switch{{Name: "--config-dir", Off: dialects.Moved}, {Name: "--yolo", Off: dialects.Approval}},
	Wiring: &dialects.Wiring{
		Windows: dialects.CmdExe,
		Denial: `{"hook_specific_output":{"hook_event_name":"pre_tool_use","permission_decision":"deny",` +
			`"permission_decision_reason":"%s"}}`,
		Files: []dialects.File{
			{User: "hooks.d/trammel.yaml", Named: true, Text: dropIn, Except: newer},
			{User: "hooks.d/trammel-newer.yaml", Named: true, Text: dropIn, Only: newer},
		},
		NoProject: "it has no hooks for a project, expected the scope user",
		Notes: []string{"docker-agent skips a file in hooks.d that it cannot read, with a warning. If you start it with --config-dir, " +
			"these files are not read."},
	},
	Gaps: []string{"a call cannot be rewritten before it runs: hooks of the default lane are skipped under `--yolo`, and the preempting " +
		"lane, which the wiring uses, ignores new arguments; such a rewrite is a denial with the corrected call",
		"`--config-dir` makes it read other hooks; `--yolo` does not switch ours off",
		"most payloads are recorded ones, most tool names are from documentation"},
}

// newer are the events that older versions do not have.
var newer = []string{"user_steering_messages_submit", "user_followup_submit", "worktree_create"}

// Narrow takes away what the host does only with some answers: of what goes to
// the model it takes the whole list of messages and nothing else, and of a
// compaction it takes the summary.
func (Dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	switch ev.Kind {
	case trammel.BeforeLLMCall:
		if list, ok := v.Input["messages"].([]any); !ok || len(list) == 0 || len(v.Input) != 1 {
			p.Can &^= trammel.RewriteInput
		}
	case trammel.BeforeCompaction:
		if v.Summary == "" {
			p.Can &^= trammel.RewriteOutput
		}
	}
	return p
}
