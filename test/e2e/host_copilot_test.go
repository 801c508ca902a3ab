//go:build e2e && unix

package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

// copilot is GitHub Copilot CLI: Chat Completions API, hooks in files of
// their own.
type copilot struct{}

func (copilot) name() string { return "copilot-cli" }

func (copilot) packages() npmProgram {
	return npmProgram{"copilot-cli", "copilot", []string{"@github/copilot@1.0.102"}}
}

var copilotEvents = map[string]string{
	"user_prompt_submit": "userPromptSubmitted",
	"pre_tool_use":       "preToolUse",
	"stop":               "agentStop",
}

func (copilot) home(b *box) string { return filepath.Join(b.home, ".copilot") }

func (copilot) settle(*testing.T, *box, *model.Server) {}

func (h copilot) hook(t *testing.T, b *box, program string, events []string) {
	all := object{}
	for _, event := range events {
		name := nameOf(t, copilotEvents, event)
		// It blocks by the exit code, and reads why on stdout.
		line := strings.Replace(commandLine(h, program, event, name), "{ ", "{ echo "+quote(h.denies(noAnswer))+"; ", 1)
		all[name] = []object{{"type": "command", "bash": line, "timeoutSec": hookTimeout}}
	}
	b.putJSON(t, filepath.Join(h.home(b), "hooks", "trammel.json"), object{"version": 1, "hooks": all})
}

func (copilot) denies(reason string) string {
	return text(object{"permissionDecision": "deny", "permissionDecisionReason": reason})
}

func (h copilot) command(b *box, m *model.Server, prompt string) *exec.Cmd {
	cmd := b.command(h, "-p", prompt, "--allow-all-tools", "--allow-all-paths", "--no-color", "--no-auto-update")
	cmd.Env = append(cmd.Env,
		"COPILOT_HOME="+h.home(b),
		"COPILOT_OFFLINE=true",
		"COPILOT_PROVIDER_BASE_URL="+m.URL+"/v1",
		"COPILOT_PROVIDER_TYPE=openai",
		"COPILOT_PROVIDER_API_KEY="+model.Key,
		"COPILOT_MODEL=scripted",
		"COPILOT_AUTO_UPDATE=false",
	)
	return cmd
}

func (copilot) shell(command string) model.Call {
	return model.Call{Name: "bash", Input: object{"command": command, "description": "Do what the test wants"}}
}

func (copilot) write(path, content string) model.Call {
	return model.Call{Name: "create", Input: object{"path": path, "file_text": content}}
}

func (copilot) agent(prompt string) model.Call {
	return model.Call{Name: "task", Input: object{"description": "Help", "prompt": prompt, "agent_type": "general-purpose", "mode": "sync",
		"name": "helper"}}
}
