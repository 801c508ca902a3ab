//go:build e2e && unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

// claude is Claude Code: Anthropic Messages API, hooks in settings.json.
type claude struct{}

func (claude) name() string { return "claude-code" }

func (claude) packages() npmProgram {
	return npmProgram{"claude-code", "claude", []string{"@anthropic-ai/claude-code@2.1.325"}}
}

// claudeEvents are the names that Codex and Qwen Code have taken over.
var claudeEvents = map[string]string{
	"user_prompt_submit": "UserPromptSubmit",
	"pre_tool_use":       "PreToolUse",
	"stop":               "Stop",
}

func (claude) settings(b *box) string { return filepath.Join(b.home, ".claude", "settings.json") }

func (claude) settle(*testing.T, *box, *model.Server) {}

func (h claude) hook(t *testing.T, b *box, program string, events []string) {
	b.addJSON(t, h.settings(b), "hooks", groups(t, h, program, events, claudeEvents, hookTimeout))
}

func (claude) denies(reason string) string {
	return text(object{"hookSpecificOutput": object{"hookEventName": "PreToolUse", "permissionDecision": "deny",
		"permissionDecisionReason": reason}})
}

func (h claude) command(b *box, m *model.Server, prompt string) *exec.Cmd {
	cmd := b.command(h, "-p", prompt, "--permission-mode", "bypassPermissions", "--model", "claude-sonnet-4-5")
	cmd.Env = append(cmd.Env,
		"ANTHROPIC_BASE_URL="+m.URL,
		"ANTHROPIC_API_KEY="+model.Key,
		"CLAUDE_CONFIG_DIR="+filepath.Dir(h.settings(b)),
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1",
		"DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1",
	)
	if os.Geteuid() == 0 {
		cmd.Env = append(cmd.Env, "IS_SANDBOX=1") // else root may not bypass permissions
	}
	return cmd
}

func (h claude) serve(t *testing.T, b *box, name string, command []string) {
	dir := filepath.Dir(h.settings(b))
	b.extra = append(b.extra, "CLAUDE_CONFIG_DIR="+dir, "ENABLE_TOOL_SEARCH=false")
	b.addJSON(t, filepath.Join(dir, ".claude.json"), "mcpServers", servers(name, command))
}

// servers is a server as most hosts name it.
func servers(name string, command []string) object {
	return object{name: object{"command": command[0], "args": command[1:]}}
}

func (claude) tool(server, tool string, input object) model.Call {
	return model.Call{Name: "mcp__" + server + "__" + tool, Input: input}
}

func (claude) shell(command string) model.Call {
	return model.Call{Name: "Bash", Input: object{"command": command, "description": "Do what the test wants"}}
}

func (claude) write(path, content string) model.Call {
	return model.Call{Name: "Write", Input: object{"file_path": path, "content": content}}
}

func (claude) agent(prompt string) model.Call {
	return model.Call{Name: "Agent", Input: object{
		"description": "Help", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false,
	}}
}
