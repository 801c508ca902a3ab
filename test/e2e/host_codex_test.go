//go:build e2e && unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

// codex is Codex: OpenAI Responses API, hooks in hooks.json.
type codex struct{}

func (codex) name() string { return "codex" }

func (codex) packages() npmProgram {
	return npmProgram{"codex", "codex", []string{"@openai/codex@0.166.0"}}
}

func (codex) file(b *box, name string) string { return filepath.Join(b.home, ".codex", name) }

func (h codex) settle(t *testing.T, b *box, m *model.Server) {
	b.put(t, h.file(b, "config.toml"), fmt.Sprintf(`model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false
apps = false
enable_request_compression = false

[model_providers.scripted]
name = "scripted"
base_url = "%s/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
`, m.URL))
}

func (h codex) hook(t *testing.T, b *box, program string, events []string) {
	b.addJSON(t, h.file(b, "hooks.json"), "hooks", groups(t, h, program, events, claudeEvents, hookTimeout))
}

func (codex) denies(reason string) string { return claude{}.denies(reason) }

func (h codex) command(b *box, _ *model.Server, prompt string) *exec.Cmd {
	cmd := b.command(h, "exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox",
		"--skip-git-repo-check", "--color", "never", prompt)
	cmd.Env = append(cmd.Env, "SCRIPTED_KEY="+model.Key)
	return cmd
}

func (h codex) serve(t *testing.T, b *box, name string, command []string) {
	file, err := os.ReadFile(h.file(b, "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	// The newest models look for tools by themselves; this one is shown them all.
	settings := strings.Replace(string(file), "gpt-5.5", "gpt-5.2", 1)
	b.put(t, h.file(b, "config.toml"), fmt.Sprintf("%s\n[mcp_servers.%s]\ncommand = %s\nargs = %s\nrequired = true\n"+
		"startup_timeout_sec = 60\n", settings, name, text(command[0]), text(command[1:])))
}

func (codex) tool(server, tool string, input object) model.Call {
	return model.Call{Name: "mcp__" + server + "/" + tool, Input: input}
}

func (codex) shell(command string) model.Call {
	return model.Call{Name: "exec_command", Input: object{"cmd": command}}
}

func (codex) write(path, content string) model.Call {
	var patch strings.Builder
	fmt.Fprintf(&patch, "*** Begin Patch\n*** Add File: %s\n", path)
	for line := range strings.Lines(content) {
		patch.WriteString("+" + strings.TrimSuffix(line, "\n") + "\n")
	}
	patch.WriteString("*** End Patch\n")
	return model.Call{Name: "apply_patch", Input: object{model.Freeform: patch.String()}}
}

func (codex) agent(prompt string) model.Call {
	return model.Call{Name: "multi_agent_v1/spawn_agent", Input: object{"message": prompt}}
}
