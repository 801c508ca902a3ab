package trammel

// The kinds of events, grouped by what they are about.
const (
	// Other is an event that a host fires and the catalogue does not know. It
	// can only be observed; Event.Name keeps what the host called it.
	Other Kind = iota

	PreToolUse
	PostToolUse
	PostToolFailure
	PostToolBatch
	ToolInputTransform
	ToolGuard
	ToolResponseTransform
	ToolSelection
	PermissionRequest
	PermissionDenied
	ToolApprovalDecision
	PreAbilityCreate

	UserPromptSubmit
	UserPromptExpansion
	UserPromptTransformed
	UserSteeringSubmit
	UserFollowupSubmit

	SessionStart
	SessionEnd
	SessionDelete
	SessionResume
	Setup
	InstructionsLoaded
	CwdChanged
	DirectoryAdded
	FileChanged
	ConfigChange
	WorktreeCreate
	WorktreeRemove

	TurnStart
	TurnEnd
	BeforeLLMCall
	AfterLLMCall
	MessageDisplay
	PreModelSwitch
	PostModelSwitch
	Stop
	StopFailure
	Interrupt
	MaxIterations

	SubagentStart
	SubagentStop
	AgentSwitch
	TeammateIdle

	PreCompact
	BeforeCompaction
	PostCompact

	TaskCreated
	TaskCompleted
	PreTaskExec
	PostTaskExec

	Notification
	UserInput
	Elicitation
	ElicitationResult
	ErrorOccurred
	Manual
)

type entry struct {
	name    string
	can     Capabilities
	about   string
	aliases string // system/Name, separated by spaces
}

// The catalogue. The capabilities are the most that any system offers; the
// dialects say what their own host can do.
var catalogue = [...]entry{
	Other: {name: "other", about: "an event that the catalogue does not know; observed under the host's own name"},

	PreToolUse: {"pre_tool_use", Prevents | Block | CanAsk | RewriteInput | Inject | Approve, "a tool has been chosen and is about to run",
		"docker-agent/pre_tool_use fim-one/PreToolUse flow-agents/preToolUse repohooks/PreAbilityCall claude-code/PreToolUse codex/PreToolUse " +
			"gemini-cli/BeforeTool qwen-code/PreToolUse copilot-cli/preToolUse opencode/tool.execute.before pi/tool_call pi/user_bash " +
			"kiro/preToolUse cursor/preToolUse cursor/beforeShellExecution cursor/beforeMCPExecution cursor/beforeReadFile " +
			"cursor/beforeTabFileRead vscode/PreToolUse"},
	PostToolUse: {"post_tool_use", Block | RewriteOutput | Inject, "a tool has run and its output is known",
		"docker-agent/post_tool_use fim-one/PostToolUse flow-agents/postToolUse repohooks/PostAbilityCall claude-code/PostToolUse " +
			"codex/PostToolUse gemini-cli/AfterTool qwen-code/PostToolUse copilot-cli/postToolUse opencode/tool.execute.after pi/tool_result " +
			"kiro/postToolUse cursor/postToolUse cursor/afterShellExecution cursor/afterMCPExecution cursor/afterFileEdit cursor/afterTabFileEdit " +
			"vscode/PostToolUse"},
	PostToolFailure: {"post_tool_failure", Block | Inject, "a tool has failed",
		"claude-code/PostToolUseFailure qwen-code/PostToolUseFailure copilot-cli/postToolUseFailure cursor/postToolUseFailure"},
	PostToolBatch: {"post_tool_batch", Block | Inject, "all tool calls of one model response are done",
		"claude-code/PostToolBatch qwen-code/PostToolBatch"},
	ToolInputTransform: {"tool_input_transform", Prevents | Block | RewriteInput,
		"a tool's arguments can be rewritten before anyone judges them",
		"docker-agent/tool_input_transform"},
	ToolGuard: {"tool_guard", Prevents | Block | CanAsk, "a tool's final arguments are judged before the host's own rules",
		"docker-agent/tool_guard"},
	ToolResponseTransform: {"tool_response_transform", Block | RewriteOutput, "a tool's output can be rewritten before anyone sees it",
		"docker-agent/tool_response_transform"},
	ToolSelection: {"tool_selection", Block | RewriteInput, "the model is about to be offered its tools",
		"gemini-cli/BeforeToolSelection opencode/tool.definition"},
	PermissionRequest: {"permission_request", Prevents | Block | CanAsk | RewriteInput | Approve,
		"the host is about to ask its user about a tool call",
		"docker-agent/permission_request flow-agents/permissionRequest claude-code/PermissionRequest codex/PermissionRequest " +
			"qwen-code/PermissionRequest copilot-cli/permissionRequest opencode/permission.ask"},
	PermissionDenied: {"permission_denied", 0, "the host has denied a tool call",
		"claude-code/PermissionDenied qwen-code/PermissionDenied opencode/permission.replied"},
	ToolApprovalDecision: {"on_tool_approval_decision", 0, "the host has resolved whether a tool call may run",
		"docker-agent/on_tool_approval_decision"},
	PreAbilityCreate: {"pre_ability_create", Prevents | Block | CanAsk | Inject,
		"a task for an ability is about to be created; nothing runs yet",
		"repohooks/PreAbilityCreate"},

	UserPromptSubmit: {"user_prompt_submit", Prevents | Block | RewriteInput | Inject,
		"the user has sent a prompt and the model has not seen it yet",
		"docker-agent/user_prompt_submit flow-agents/userPromptSubmit repohooks/PromptSubmit claude-code/UserPromptSubmit " +
			"codex/UserPromptSubmit gemini-cli/BeforeAgent qwen-code/UserPromptSubmit copilot-cli/userPromptSubmitted opencode/chat.message " +
			"pi/input kiro/userPromptSubmit cursor/beforeSubmitPrompt vscode/UserPromptSubmit"},
	UserPromptExpansion: {"user_prompt_expansion", Prevents | Block | Inject, "a slash command is about to become a prompt",
		"claude-code/UserPromptExpansion qwen-code/UserPromptExpansion opencode/command.execute.before"},
	UserPromptTransformed: {"user_prompt_transformed", RewriteInput, "the prompt is final and about to enter the conversation",
		"copilot-cli/userPromptTransformed"},
	UserSteeringSubmit: {"user_steering_messages_submit", Prevents | Block | Inject, "the user has steered a running turn",
		"docker-agent/user_steering_messages_submit"},
	UserFollowupSubmit: {"user_followup_submit", Prevents | Block | Inject, "a queued follow-up of the user is about to be taken up",
		"docker-agent/user_followup_submit"},

	SessionStart: {"session_start", Inject, "a session begins or resumes",
		"docker-agent/session_start fim-one/SessionStart flow-agents/agentSpawn claude-code/SessionStart codex/SessionStart " +
			"gemini-cli/SessionStart qwen-code/SessionStart copilot-cli/sessionStart opencode/session.created pi/session_start kiro/agentSpawn " +
			"kiro/SessionStart cursor/sessionStart vscode/SessionStart"},
	SessionEnd: {"session_end", 0, "a session has ended",
		"docker-agent/session_end repohooks/SessionStop claude-code/SessionEnd codex/SessionEnd gemini-cli/SessionEnd qwen-code/SessionEnd " +
			"copilot-cli/sessionEnd opencode/session.deleted opencode/dispose pi/session_shutdown cursor/sessionEnd"},
	SessionDelete: {"session_delete", 0, "a stored session is deleted",
		"qwen-code/SessionDelete"},
	SessionResume: {"on_session_resume", 0, "the user lets a run go on past its limit",
		"docker-agent/on_session_resume"},
	Setup: {"setup", Inject, "the host prepares a project",
		"claude-code/Setup"},
	InstructionsLoaded: {"instructions_loaded", 0, "an instruction file has been read",
		"claude-code/InstructionsLoaded qwen-code/InstructionsLoaded pi/resources_discover"},
	CwdChanged: {"cwd_changed", 0, "the session's directory has changed",
		"claude-code/CwdChanged"},
	DirectoryAdded: {"directory_added", 0, "a directory has been added to the session",
		"claude-code/DirectoryAdded"},
	FileChanged: {"file_changed", 0, "a watched file has changed",
		"claude-code/FileChanged opencode/file.edited kiro/PostFileCreate kiro/PostFileSave kiro/PostFileDelete"},
	ConfigChange: {"config_change", Prevents | Block, "the host's configuration has changed",
		"claude-code/ConfigChange opencode/config"},
	WorktreeCreate: {"worktree_create", Prevents | Block | Inject, "a worktree is about to be created",
		"docker-agent/worktree_create claude-code/WorktreeCreate"},
	WorktreeRemove: {"worktree_remove", 0, "a worktree has been removed",
		"claude-code/WorktreeRemove"},

	TurnStart: {"turn_start", Inject, "a turn of the model begins",
		"docker-agent/turn_start opencode/experimental.chat.system.transform pi/turn_start pi/before_agent_start"},
	TurnEnd: {"turn_end", 0, "a turn of the model has ended",
		"docker-agent/turn_end pi/turn_end"},
	BeforeLLMCall: {"before_llm_call", Prevents | Block | RewriteInput, "the model is about to be called",
		"docker-agent/before_llm_call gemini-cli/BeforeModel opencode/chat.params opencode/experimental.chat.messages.transform " +
			"pi/before_provider_request pi/context"},
	AfterLLMCall: {"after_llm_call", Block | RewriteOutput, "the model has answered",
		"docker-agent/after_llm_call gemini-cli/AfterModel pi/after_provider_response cursor/afterAgentResponse cursor/afterAgentThought"},
	MessageDisplay: {"message_display", 0, "a message is about to be shown to the user",
		"claude-code/MessageDisplay qwen-code/MessageDisplay opencode/experimental.text.complete pi/message_end"},
	PreModelSwitch: {"pre_model_switch", Prevents | Block | CanAsk, "the session is about to change its model",
		"claude-code/PreModelSwitch"},
	PostModelSwitch: {"post_model_switch", 0, "the session has changed its model",
		"claude-code/PostModelSwitch pi/model_select"},
	Stop: {"stop", Block | Continue | Inject, "the agent is about to end its work on the prompt",
		"docker-agent/stop flow-agents/stop claude-code/Stop codex/Stop gemini-cli/AfterAgent qwen-code/Stop copilot-cli/agentStop " +
			"opencode/session.idle pi/agent_before_settle pi/agent_end kiro/stop cursor/stop vscode/Stop"},
	StopFailure: {"stop_failure", 0, "the agent's work has ended in an error",
		"claude-code/StopFailure qwen-code/StopFailure"},
	Interrupt: {"interrupt", 0, "the user has interrupted the agent",
		"codex/Interrupt"},
	MaxIterations: {"on_max_iterations", 0, "a run has reached its limit of iterations",
		"docker-agent/on_max_iterations"},

	SubagentStart: {"subagent_start", Block | Inject, "a sub-agent begins",
		"flow-agents/subagentStart claude-code/SubagentStart codex/SubagentStart qwen-code/SubagentStart copilot-cli/subagentStart " +
			"cursor/subagentStart vscode/SubagentStart"},
	SubagentStop: {"subagent_stop", Block | Continue | Inject | RewriteOutput, "a sub-agent is about to end",
		"docker-agent/subagent_stop flow-agents/subagentStop claude-code/SubagentStop codex/SubagentStop qwen-code/SubagentStop " +
			"copilot-cli/subagentStop cursor/subagentStop vscode/SubagentStop"},
	AgentSwitch: {"on_agent_switch", 0, "another agent takes over",
		"docker-agent/on_agent_switch"},
	TeammateIdle: {"teammate_idle", Block | Continue, "an agent of a team is about to go idle",
		"claude-code/TeammateIdle"},

	PreCompact: {"pre_compact", Block | Inject, "the conversation is about to be compacted",
		"docker-agent/pre_compact claude-code/PreCompact codex/PreCompact gemini-cli/PreCompress qwen-code/PreCompact copilot-cli/preCompact " +
			"opencode/experimental.session.compacting pi/session_before_compact cursor/preCompact vscode/PreCompact"},
	BeforeCompaction: {"before_compaction", Block | RewriteOutput, "a compaction is about to run; its summary can be supplied",
		"docker-agent/before_compaction"},
	PostCompact: {"post_compact", 0, "the conversation has been compacted",
		"docker-agent/after_compaction claude-code/PostCompact codex/PostCompact qwen-code/PostCompact opencode/session.compacted"},

	TaskCreated: {"task_created", Block, "a task has been put on the agent's list",
		"claude-code/TaskCreated qwen-code/TodoCreated"},
	TaskCompleted: {"task_completed", Block, "a task of the agent's list is about to be marked done",
		"claude-code/TaskCompleted qwen-code/TodoCompleted"},
	PreTaskExec: {"pre_task_exec", Prevents | Block, "a task of a plan is about to run",
		"kiro/PreTaskExec"},
	PostTaskExec: {"post_task_exec", 0, "a task of a plan has run",
		"kiro/PostTaskExec"},

	Notification: {"notification", Inject, "the host tells its user something",
		"docker-agent/notification claude-code/Notification gemini-cli/Notification qwen-code/Notification copilot-cli/notification"},
	UserInput: {"on_user_input", 0, "the agent waits for its user",
		"docker-agent/on_user_input opencode/permission.asked"},
	Elicitation: {"elicitation", Prevents | Block | RewriteInput, "a server asks the user for input",
		"claude-code/Elicitation"},
	ElicitationResult: {"elicitation_result", Prevents | Block | RewriteInput, "the user's answer is about to go to the server that asked",
		"claude-code/ElicitationResult"},
	ErrorOccurred: {"on_error", 0, "the host has hit an error",
		"docker-agent/on_error copilot-cli/errorOccurred opencode/session.error"},
	Manual: {"manual", 0, "the user has triggered a hook by hand",
		"kiro/Manual"},
}
