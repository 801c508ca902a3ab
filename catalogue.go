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
	name  string
	can   Capabilities
	about string
}

// The catalogue. The capabilities are the most that any system offers; the
// dialects say what their own host can do.
var catalogue = [...]entry{
	Other: {name: "other", about: "an event that the catalogue does not know; observed under the host's own name"},

	PreToolUse: {"pre_tool_use", Prevents | Block | CanAsk | RewriteInput | Inject | Approve,
		"a tool has been chosen and is about to run"},
	PostToolUse:     {"post_tool_use", Block | RewriteOutput | Inject, "a tool has run and its output is known"},
	PostToolFailure: {"post_tool_failure", Block | Inject, "a tool has failed"},
	PostToolBatch:   {"post_tool_batch", Block | Inject, "all tool calls of one model response are done"},
	ToolInputTransform: {"tool_input_transform", Prevents | Block | RewriteInput,
		"a tool's arguments can be rewritten before anyone judges them"},
	ToolGuard:             {"tool_guard", Prevents | Block | CanAsk, "a tool's final arguments are judged before the host's own rules"},
	ToolResponseTransform: {"tool_response_transform", Block | RewriteOutput, "a tool's output can be rewritten before anyone sees it"},
	ToolSelection:         {"tool_selection", Block | RewriteInput, "the model is about to be offered its tools"},
	PermissionRequest: {"permission_request", Prevents | Block | CanAsk | RewriteInput | Approve,
		"the host is about to ask its user about a tool call"},
	PermissionDenied:     {"permission_denied", 0, "the host has denied a tool call"},
	ToolApprovalDecision: {"on_tool_approval_decision", 0, "the host has resolved whether a tool call may run"},
	PreAbilityCreate: {"pre_ability_create", Prevents | Block | CanAsk | Inject,
		"a task for an ability is about to be created; nothing runs yet"},

	UserPromptSubmit: {"user_prompt_submit", Prevents | Block | RewriteInput | Inject,
		"the user has sent a prompt and the model has not seen it yet"},
	UserPromptExpansion:   {"user_prompt_expansion", Prevents | Block | Inject, "a slash command is about to become a prompt"},
	UserPromptTransformed: {"user_prompt_transformed", RewriteInput, "the prompt is final and about to enter the conversation"},
	UserSteeringSubmit:    {"user_steering_messages_submit", Prevents | Block | Inject, "the user has steered a running turn"},
	UserFollowupSubmit:    {"user_followup_submit", Prevents | Block | Inject, "a queued follow-up of the user is about to be taken up"},

	SessionStart:       {"session_start", Inject, "a session begins or resumes"},
	SessionEnd:         {"session_end", 0, "a session has ended"},
	SessionDelete:      {"session_delete", 0, "a stored session is deleted"},
	SessionResume:      {"on_session_resume", 0, "the user lets a run go on past its limit"},
	Setup:              {"setup", Inject, "the host prepares a project"},
	InstructionsLoaded: {"instructions_loaded", 0, "an instruction file has been read"},
	CwdChanged:         {"cwd_changed", 0, "the session's directory has changed"},
	DirectoryAdded:     {"directory_added", 0, "a directory has been added to the session"},
	FileChanged:        {"file_changed", 0, "a watched file has changed"},
	ConfigChange:       {"config_change", Prevents | Block, "the host's configuration has changed"},
	WorktreeCreate:     {"worktree_create", Prevents | Block | Inject, "a worktree is about to be created"},
	WorktreeRemove:     {"worktree_remove", 0, "a worktree has been removed"},

	TurnStart:       {"turn_start", Inject, "a turn of the model begins"},
	TurnEnd:         {"turn_end", 0, "a turn of the model has ended"},
	BeforeLLMCall:   {"before_llm_call", Prevents | Block | RewriteInput, "the model is about to be called"},
	AfterLLMCall:    {"after_llm_call", Block | RewriteOutput, "the model has answered"},
	MessageDisplay:  {"message_display", 0, "a message is about to be shown to the user"},
	PreModelSwitch:  {"pre_model_switch", Prevents | Block | CanAsk, "the session is about to change its model"},
	PostModelSwitch: {"post_model_switch", 0, "the session has changed its model"},
	Stop:            {"stop", Block | Continue | Inject, "the agent is about to end its work on the prompt"},
	StopFailure:     {"stop_failure", 0, "the agent's work has ended in an error"},
	Interrupt:       {"interrupt", 0, "the user has interrupted the agent"},
	MaxIterations:   {"on_max_iterations", 0, "a run has reached its limit of iterations"},

	SubagentStart: {"subagent_start", Block | Inject, "a sub-agent begins"},
	SubagentStop:  {"subagent_stop", Block | Continue | Inject | RewriteOutput, "a sub-agent is about to end"},
	AgentSwitch:   {"on_agent_switch", 0, "another agent takes over"},
	TeammateIdle:  {"teammate_idle", Block | Continue, "an agent of a team is about to go idle"},

	PreCompact:       {"pre_compact", Block | Inject, "the conversation is about to be compacted"},
	BeforeCompaction: {"before_compaction", Block | RewriteOutput, "a compaction is about to run; its summary can be supplied"},
	PostCompact:      {"post_compact", 0, "the conversation has been compacted"},

	TaskCreated:   {"task_created", Block, "a task has been put on the agent's list"},
	TaskCompleted: {"task_completed", Block, "a task of the agent's list is about to be marked done"},
	PreTaskExec:   {"pre_task_exec", Prevents | Block, "a task of a plan is about to run"},
	PostTaskExec:  {"post_task_exec", 0, "a task of a plan has run"},

	Notification:      {"notification", Inject, "the host tells its user something"},
	UserInput:         {"on_user_input", 0, "the agent waits for its user"},
	Elicitation:       {"elicitation", Prevents | Block | RewriteInput, "a server asks the user for input"},
	ElicitationResult: {"elicitation_result", Prevents | Block | RewriteInput, "the user's answer is about to go to the server that asked"},
	ErrorOccurred:     {"on_error", 0, "the host has hit an error"},
	Manual:            {"manual", 0, "the user has triggered a hook by hand"},
}
