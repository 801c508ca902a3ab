// Package dockeragent speaks the language of docker-agent: towards docker-agent
// itself, whose command hooks may be trammel-hook on any event (DA-61), and
// towards hook programs that were written for it and now run under any host.
//
// Where the released system and its contract of September 2026 differ, the
// contract is spoken, in forms that the released system honours too: arguments
// go back whole, because one merges them and the other replaces them, and a
// tool call is denied by permission_decision, because on the lane that runs
// before its rules the released system looks at nothing else. On that lane it
// also ignores rewrites, which no payload tells.
package dockeragent

import "github.com/trammel-dev/trammel"

// Name is what the host is called in configuration.
const Name = "docker-agent"

// Dialect is the language of docker-agent, both halves.
type Dialect struct{}

// New returns the language of docker-agent.
func New() Dialect { return Dialect{} }

// Name returns "docker-agent".
func (Dialect) Name() string { return Name }

// Shapes says how this host's tools translate into Actions.
func (Dialect) Shapes() trammel.Shapes { return tools() }

// events are the names that the host has for its events (DA-01).
var events = [...]struct {
	name string
	kind trammel.Kind
}{
	{"pre_tool_use", trammel.PreToolUse},
	{"post_tool_use", trammel.PostToolUse},
	{"permission_request", trammel.PermissionRequest},
	{"session_start", trammel.SessionStart},
	{"user_prompt_submit", trammel.UserPromptSubmit},
	{"turn_start", trammel.TurnStart},
	{"turn_end", trammel.TurnEnd},
	{"before_llm_call", trammel.BeforeLLMCall},
	{"after_llm_call", trammel.AfterLLMCall},
	{"session_end", trammel.SessionEnd},
	{"pre_compact", trammel.PreCompact},
	{"subagent_stop", trammel.SubagentStop},
	{"on_user_input", trammel.UserInput},
	{"stop", trammel.Stop},
	{"notification", trammel.Notification},
	{"on_error", trammel.ErrorOccurred},
	{"on_max_iterations", trammel.MaxIterations},
	{"on_agent_switch", trammel.AgentSwitch},
	{"on_session_resume", trammel.SessionResume},
	{"on_tool_approval_decision", trammel.ToolApprovalDecision},
	{"before_compaction", trammel.BeforeCompaction},
	{"after_compaction", trammel.PostCompact},
	{"tool_response_transform", trammel.ToolResponseTransform},
	{"tool_input_transform", trammel.ToolInputTransform},
	{"tool_guard", trammel.ToolGuard},
	{"user_steering_messages_submit", trammel.UserSteeringSubmit},
	{"user_followup_submit", trammel.UserFollowupSubmit},
	{"worktree_create", trammel.WorktreeCreate},
}

// kindOf finds an event of this host by its exact name, or by any other
// spelling, which wiring may use and a payload may not.
func kindOf(name string) (trammel.Kind, bool) {
	for i := range events {
		if events[i].name == name {
			return events[i].kind, true
		}
	}
	if name != "" {
		if kind, ok := trammel.ParseKind(name); ok && nameOf(kind) != "" {
			return kind, true
		}
	}
	return trammel.Other, false
}

// nameOf is the host's name of a kind, "" if the host has no such event.
func nameOf(kind trammel.Kind) string {
	for i := range events {
		if events[i].kind == kind {
			return events[i].name
		}
	}
	return ""
}
