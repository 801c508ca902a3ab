package trammel

import (
	"strings"
	"testing"
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
			k, ok := ParseKindOf(system, name)
			if !ok || k == Other {
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
	for name, want := range map[string]Kind{
		"pre_tool_use": PreToolUse, "PreToolUse": PreToolUse, "preToolUse": PreToolUse, "pre-tool-use": PreToolUse, "PRE_TOOL_USE": PreToolUse,
		"PreAbilityCall": PreToolUse, "tool.execute.before": PreToolUse, "BeforeTool": PreToolUse, "pi/tool_call": PreToolUse,
		"after_compaction": PostCompact, "PostCompact": PostCompact, "PreCompress": PreCompact, "SessionStop": SessionEnd,
		"agentSpawn": SessionStart,
		"pi/input":   UserPromptSubmit,
	} {
		if got, ok := ParseKind(name); !ok || got != want {
			t.Errorf("%s: got %v %v, want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "other", "pre_tool", "nobody/PreToolUse", "claude-code/PreTool", "ToolUse"} {
		if got, ok := ParseKind(name); ok {
			t.Errorf("%q was taken for %v", name, got)
		}
	}
}

func TestTheCatalogueIsConsistent(t *testing.T) {
	seen := map[string]Kind{}
	for _, k := range Kinds() {
		if k.String() == "" || k.About() == "" {
			t.Errorf("kind %d has no name or no description", k)
		}
		if back, ok := ParseKind(k.String()); !ok || back != k {
			t.Errorf("%v does not read back: %v", k, back)
		}
		if k.FailsClosed() && !k.Can().Any(Block) {
			t.Errorf("%v fails closed, but cannot be blocked", k)
		}
		if k.Can().Any(CanAsk|Approve) && !k.Can().Any(Block) {
			t.Errorf("%v can be asked about or approved, but not blocked", k)
		}
		for _, a := range k.Aliases() {
			key := a.System + "/" + fold(a.Name)
			if old, taken := seen[key]; taken && old != k {
				t.Errorf("%s means both %v and %v", key, old, k)
			}
			seen[key] = k
		}
	}
	if !Other.Can().ObserveOnly() || Other.FailsClosed() {
		t.Error("an unknown event can only be observed")
	}
}

func TestWords(t *testing.T) {
	for a := Observe; a <= Grant; a++ {
		if back, err := ParseAuthority(a.String()); err != nil || back != a {
			t.Errorf("%v: %v, %v", a, back, err)
		}
	}
	for d := None; d <= Deny; d++ {
		if back, err := ParseDecision(d.String()); err != nil || back != d {
			t.Errorf("%v: %v, %v", d, back, err)
		}
	}
	for a := range actionKinds {
		if back, err := ParseActionKind(a.String()); err != nil || back != a {
			t.Errorf("%v: %v, %v", a, back, err)
		}
	}
	for o := BlockOnError; o <= IgnoreOnError; o++ {
		if back, err := ParseOnError(o.String()); err != nil || back != o {
			t.Errorf("%v: %v, %v", o, back, err)
		}
	}
	// DA-30 case 27: a typing error must not pass for "no opinion".
	for _, word := range []string{"", "Deny", "block", "alow", "default", "none "} {
		_, e1 := ParseAuthority(word)
		_, e2 := ParseDecision(word)
		_, e3 := ParseActionKind(word)
		_, e4 := ParseOnError(word)
		if e1 == nil || e2 == nil || e3 == nil || (e4 == nil) != (word == "block") {
			t.Errorf("%q was taken for a word: %v %v %v %v", word, e1, e2, e3, e4)
		}
	}
}
