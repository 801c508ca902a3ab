//go:build unix

package standard_test

// form is how a host is answered on one of its events. It says what the host
// is known to honour and is not made from the dialects: they are held against it.
type form struct {
	exit    int    // of a denial
	deny    string // path=word in stdout; "" if a denial is its reason on stderr
	reason  string // where the reason is
	rewrite string // where the new command is; "" if the host cannot rewrite
	context string // where the model's text is; "" if it has to wait
}

// plain is the place of a text that is all of stdout.
const plain = "(stdout)"

// forms are by host and the host's name of the event.
var forms = map[string]form{
	"claude-code PreToolUse": {deny: "hookSpecificOutput.permissionDecision=deny",
		reason: "hookSpecificOutput.permissionDecisionReason", rewrite: "hookSpecificOutput.updatedInput.command"},
	"codex PreToolUse": {deny: "hookSpecificOutput.permissionDecision=deny",
		reason: "hookSpecificOutput.permissionDecisionReason", rewrite: "hookSpecificOutput.updatedInput.command"},
	"copilot-cli PreToolUse": {deny: "hookSpecificOutput.permissionDecision=deny",
		reason: "hookSpecificOutput.permissionDecisionReason"},
	"copilot-cli preToolUse":      {deny: "permissionDecision=deny", reason: "permissionDecisionReason", rewrite: "modifiedArgs.command"},
	"cursor beforeShellExecution": {deny: "permission=deny", reason: "agent_message"},
	"cursor preToolUse":           {deny: "permission=deny", reason: "agent_message"},
	"docker-agent pre_tool_use": {deny: "hook_specific_output.permission_decision=deny",
		reason: "hook_specific_output.permission_decision_reason"}, // its lane ignores new arguments (enforcement 12)
	"flow-agents PreToolUse":       {exit: 2},
	"flow-agents preToolUse":       {exit: 2},
	"gemini-cli BeforeTool":        {deny: "decision=deny", reason: "reason", rewrite: "hookSpecificOutput.tool_input.command"},
	"kiro PreToolUse":              {exit: 2},
	"kiro preToolUse":              {exit: 2},
	"native PreToolUse":            {exit: 2, deny: "decision=deny", reason: "reason"},
	"native pre_tool_use":          {exit: 2, deny: "decision=deny", reason: "reason", rewrite: "input.command"},
	"opencode tool.execute.before": {deny: "block=true", reason: "reason", rewrite: "args.command"},
	"pi tool_call":                 {deny: "block=true", reason: "reason", rewrite: "args.command"},
	"pi user_bash":                 {deny: "block=true", reason: "reason"},
	"qwen-code PreToolUse": {deny: "hookSpecificOutput.permissionDecision=deny",
		reason: "hookSpecificOutput.permissionDecisionReason"},
	"vscode PreToolUse": {deny: "hookSpecificOutput.permissionDecision=deny",
		reason: "hookSpecificOutput.permissionDecisionReason", rewrite: "hookSpecificOutput.updatedInput.command"},
	"claude-code UserPromptSubmit":    {context: "hookSpecificOutput.additionalContext"},
	"codex UserPromptSubmit":          {context: "hookSpecificOutput.additionalContext"},
	"copilot-cli UserPromptSubmit":    {context: "hookSpecificOutput.additionalContext"},
	"copilot-cli userPromptSubmitted": {context: "additionalContext"},
	"cursor beforeSubmitPrompt":       {},
	"docker-agent user_prompt_submit": {context: "hook_specific_output.additional_context"},
	"flow-agents UserPromptSubmit":    {context: plain},
	"flow-agents userPromptSubmit":    {context: plain},
	"flow-agents before_agent_start":  {context: plain},
	"gemini-cli BeforeAgent":          {context: "hookSpecificOutput.additionalContext"},
	"kiro UserPromptSubmit":           {context: plain},
	"kiro userPromptSubmit":           {context: plain},
	"native user_prompt_submit":       {context: "context"},
	"opencode chat.message":           {context: "context"},
	"pi input":                        {}, // it waits for before_agent_start
	"qwen-code UserPromptSubmit":      {context: "hookSpecificOutput.additionalContext"},
	"vscode UserPromptSubmit":         {},
}
