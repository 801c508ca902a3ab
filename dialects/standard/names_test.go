package standard_test

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	_ "github.com/trammel-dev/trammel/dialects/standard"
)

// Every event of the five described systems, and of the hosts that fire them,
// is in the catalogue: DA-01, FLOW-01, FIM-01, AIC-10.
func TestEverySystemsEventsAreKnown(t *testing.T) {
	for system, names := range map[string]string{
		"docker-agent": "pre_tool_use post_tool_use permission_request session_start user_prompt_submit turn_start turn_end before_llm_call " +
			"after_llm_call session_end pre_compact subagent_stop on_user_input stop notification on_error on_max_iterations on_agent_switch " +
			"on_session_resume on_tool_approval_decision before_compaction after_compaction tool_response_transform tool_input_transform " +
			"tool_guard user_steering_messages_submit user_followup_submit worktree_create",
		"flow-agents": "agentSpawn userPromptSubmit preToolUse permissionRequest postToolUse stop subagentStart subagentStop",
		"fim-one":     "SessionStart PreToolUse PostToolUse",
		"repohooks":   "PromptSubmit PreAbilityCreate PreAbilityCall PostAbilityCall SessionStop",
		"claude-code": "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart " +
			"SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch PermissionRequest " +
			"PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate " +
			"WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay",
		"codex": "SessionStart SessionEnd UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SubagentStart " +
			"SubagentStop Stop Interrupt",
		"gemini-cli": "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection BeforeTool AfterTool " +
			"PreCompress Notification",
		"qwen-code": "PreToolUse PostToolUse PostToolUseFailure PostToolBatch UserPromptSubmit UserPromptExpansion SessionStart SessionEnd " +
			"SessionDelete MessageDisplay Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact Notification PermissionRequest " +
			"PermissionDenied TodoCreated TodoCompleted InstructionsLoaded",
		"copilot-cli": "sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse postToolUse postToolUseFailure " +
			"errorOccurred agentStop subagentStart subagentStop preCompact permissionRequest notification",
		"opencode": "tool.execute.before tool.execute.after chat.message permission.ask command.execute.before session.created session.idle",
		"pi": "tool_call tool_result input before_agent_start session_start session_shutdown agent_end agent_before_settle turn_start " +
			"turn_end before_provider_request",
		"kiro": "agentSpawn userPromptSubmit preToolUse postToolUse stop SessionStart PreTaskExec PostTaskExec PostFileCreate " +
			"PostFileSave PostFileDelete Manual",
		"cursor": "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead beforeSubmitPrompt subagentStart " +
			"postToolUse stop subagentStop sessionStart sessionEnd postToolUseFailure afterShellExecution afterMCPExecution afterFileEdit " +
			"afterTabFileEdit afterAgentResponse afterAgentThought preCompact",
		"vscode": "SessionStart UserPromptSubmit PreToolUse PostToolUse PreCompact SubagentStart SubagentStop Stop",
	} {
		for _, name := range strings.Fields(names) {
			k, ok := trammel.ParseKindOf(system, name)
			if !ok || k == trammel.Other {
				t.Errorf("%s: %s is not in the catalogue", system, name)
			}
		}
	}
	if n := len(strings.Fields("PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion " +
		"SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch " +
		"PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange " +
		"WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay")); n != 33 {
		t.Errorf("Claude Code has 33 events, this list has %d", n)
	}
}

func TestAnySpellingOfAKind(t *testing.T) {
	for name, want := range map[string]trammel.Kind{
		"pre_tool_use": trammel.PreToolUse, "PreToolUse": trammel.PreToolUse, "preToolUse": trammel.PreToolUse,
		"pre-tool-use": trammel.PreToolUse, "PRE_TOOL_USE": trammel.PreToolUse,
		"PreAbilityCall": trammel.PreToolUse, "tool.execute.before": trammel.PreToolUse, "BeforeTool": trammel.PreToolUse,
		"pi/tool_call":     trammel.PreToolUse,
		"after_compaction": trammel.PostCompact, "PostCompact": trammel.PostCompact, "PreCompress": trammel.PreCompact,
		"SessionStop": trammel.SessionEnd,
		"agentSpawn":  trammel.SessionStart,
		"pi/input":    trammel.UserPromptSubmit,
	} {
		if got, ok := trammel.ParseKind(name); !ok || got != want {
			t.Errorf("%s: got %v %v, want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "other", "pre_tool", "nobody/PreToolUse", "claude-code/PreTool", "ToolUse"} {
		if got, ok := trammel.ParseKind(name); ok {
			t.Errorf("%q was taken for %v", name, got)
		}
	}
}
