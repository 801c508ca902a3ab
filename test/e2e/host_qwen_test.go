//go:build e2e && unix

package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

// qwen is Qwen Code: Chat Completions API, hooks in settings.json.
type qwen struct{}

func (qwen) name() string { return "qwen-code" }

func (qwen) packages() npmProgram {
	return npmProgram{"qwen-code", "qwen", []string{"@qwen-code/qwen-code@0.24.4", "node@24"}}
}

func (qwen) settings(b *box) string { return filepath.Join(b.home, ".qwen", "settings.json") }

func (h qwen) settle(t *testing.T, b *box, _ *model.Server) {
	settings := quietSettings("openai")
	// Else it has the model write memories, in a conversation of its own.
	settings["memory"] = object{"enableManagedAutoMemory": false, "enableManagedAutoDream": false}
	b.putJSON(t, h.settings(b), settings)
}

func (h qwen) hook(t *testing.T, b *box, program string, events []string) {
	b.addJSON(t, h.settings(b), "hooks", groups(t, h, program, events, claudeEvents, hookTimeout))
}

func (qwen) denies(reason string) string { return claude{}.denies(reason) }

func (h qwen) command(b *box, m *model.Server, prompt string) *exec.Cmd {
	cmd := b.command(h, "-p", prompt, "--approval-mode", "yolo")
	cmd.Env = append(cmd.Env,
		"OPENAI_BASE_URL="+m.URL+"/v1",
		"OPENAI_API_KEY="+model.Key,
		"OPENAI_MODEL=scripted",
	)
	return cmd
}

func (h qwen) serve(t *testing.T, b *box, name string, command []string) {
	b.addJSON(t, h.settings(b), "mcpServers", servers(name, command))
}

func (qwen) tool(server, tool string, input object) model.Call {
	return claude{}.tool(server, tool, input)
}

func (qwen) shell(command string) model.Call {
	return model.Call{Name: "run_shell_command", Input: object{"command": command, "is_background": false}}
}

func (qwen) write(path, content string) model.Call { return gemini{}.write(path, content) }

func (qwen) agent(prompt string) model.Call {
	return model.Call{Name: "agent", Input: object{
		"description": "Help", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false,
	}}
}
