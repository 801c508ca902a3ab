//go:build e2e && unix

package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

// gemini is Gemini CLI: Gemini API, hooks in settings.json.
type gemini struct{}

func (gemini) name() string { return "gemini-cli" }

func (gemini) packages() npmProgram {
	return npmProgram{"gemini-cli", "gemini", []string{"@google/gemini-cli@0.61.0"}}
}

var geminiEvents = map[string]string{
	"user_prompt_submit": "BeforeAgent",
	"pre_tool_use":       "BeforeTool",
	"stop":               "AfterAgent",
}

func (gemini) settings(b *box) string { return filepath.Join(b.home, ".gemini", "settings.json") }

// quietSettings keep Gemini CLI, and what descends from it, on loopback.
func quietSettings(auth string) object {
	return object{
		"security":  object{"auth": object{"selectedType": auth}, "folderTrust": object{"enabled": false}},
		"privacy":   object{"usageStatisticsEnabled": false},
		"telemetry": object{"enabled": false},
		"general":   object{"disableAutoUpdate": true, "disableUpdateNag": true, "enableAutoUpdate": false},
	}
}

func (h gemini) settle(t *testing.T, b *box, _ *model.Server) {
	b.putJSON(t, h.settings(b), quietSettings("gemini-api-key"))
}

func (h gemini) hook(t *testing.T, b *box, program string, events []string) {
	b.addJSON(t, h.settings(b), "hooks", groups(t, h, program, events, geminiEvents, 1000*hookTimeout))
}

func (gemini) denies(reason string) string {
	return text(object{"decision": "deny", "reason": reason})
}

func (h gemini) command(b *box, m *model.Server, prompt string) *exec.Cmd {
	cmd := b.command(h, "-p", prompt, "--approval-mode", "yolo", "-m", "gemini-2.5-flash")
	cmd.Env = append(cmd.Env,
		"GEMINI_API_KEY="+model.Key,
		"GOOGLE_GEMINI_BASE_URL="+m.URL,
		"GEMINI_CLI_TRUST_WORKSPACE=true",
	)
	return cmd
}

func (h gemini) serve(t *testing.T, b *box, name string, command []string) {
	b.addJSON(t, h.settings(b), "mcpServers", servers(name, command))
}

func (gemini) tool(server, tool string, input object) model.Call {
	return model.Call{Name: "mcp_" + server + "_" + tool, Input: input}
}

func (gemini) shell(command string) model.Call {
	return model.Call{Name: "run_shell_command", Input: object{"command": command}}
}

func (gemini) write(path, content string) model.Call {
	return model.Call{Name: "write_file", Input: object{"file_path": path, "content": content}}
}

func (gemini) agent(prompt string) model.Call {
	return model.Call{Name: "invoke_agent", Input: object{"agent_name": "generalist", "prompt": prompt}}
}
