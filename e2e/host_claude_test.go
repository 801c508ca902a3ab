//go:build e2e && unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel/e2e/model"
)

// claudeVersion is the Claude Code that is tested.
const claudeVersion = "2.1.325"

// claude is Claude Code: Anthropic Messages API, hooks in settings.json.
type claude struct{}

func (claude) name() string { return "claude-code" }

func (claude) install() (string, error) {
	return npmInstall("claude-code", "@anthropic-ai/claude-code", claudeVersion, "claude")
}

var claudeEvents = map[string]string{
	"session_start":      "SessionStart",
	"user_prompt_submit": "UserPromptSubmit",
	"pre_tool_use":       "PreToolUse",
	"post_tool_use":      "PostToolUse",
	"subagent_stop":      "SubagentStop",
	"stop":               "Stop",
}

func (h claude) wire(t *testing.T, b *box, program string, events []string) {
	type object = map[string]any
	groups := object{}
	for _, event := range events {
		name, ok := claudeEvents[event]
		if !ok {
			t.Fatalf("event %q has no name here", event)
		}
		command := quote(program) + " " + h.name() + " " + name
		if event != "stop" { // a block would make it go on for ever
			command += ` || { echo "` + noAnswer + `" >&2; exit 2; }`
		}
		groups[name] = []object{{"hooks": []object{{"type": "command", "command": command, "timeout": 30}}}}
	}
	raw, err := json.Marshal(object{"hooks": groups})
	if err != nil {
		t.Fatal(err)
	}
	b.put(t, h.settings(b), string(raw))
}

func (claude) settings(b *box) string { return filepath.Join(b.home, ".claude", "settings.json") }

func (h claude) command(b *box, m *model.Server, prompt string) *exec.Cmd {
	cmd := exec.Command(ready.Hosts[h.name()], "-p", prompt, "--permission-mode", "bypassPermissions", "--model", "claude-sonnet-4-5")
	cmd.Env = append(b.env(),
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

func (claude) shell(command string) model.Call {
	return model.Call{Name: "Bash", Input: map[string]any{"command": command, "description": "Do what the test wants"}}
}

func (claude) write(path, content string) model.Call {
	return model.Call{Name: "Write", Input: map[string]any{"file_path": path, "content": content}}
}

func (claude) agent(prompt string) model.Call {
	return model.Call{Name: "Agent", Input: map[string]any{
		"description": "Help", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false,
	}}
}
