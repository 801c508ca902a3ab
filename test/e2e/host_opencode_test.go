//go:build e2e && unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	dialect "github.com/trammel-dev/trammel/dialects/opencode"
	"github.com/trammel-dev/trammel/install/plugins"
	"github.com/trammel-dev/trammel/test/e2e/model"
)

// opencode is opencode: Chat Completions API, hooks in a plugin.
type opencode struct{}

func (opencode) name() string { return "opencode" }

func (opencode) packages() npmProgram {
	return npmProgram{"opencode", "opencode", []string{"opencode-ai@1.18.33", "@opencode-ai/plugin@1.18.33"}}
}

func (opencode) file(b *box, name string) string {
	return filepath.Join(b.home, ".config", "opencode", name)
}

func (h opencode) settle(t *testing.T, b *box, m *model.Server) {
	b.putJSON(t, h.file(b, "opencode.json"), object{
		"autoupdate": false, "share": "disabled", "permission": object{"*": "allow"},
		"model": "scripted/scripted", "small_model": "scripted/scripted",
		"provider": object{"scripted": object{
			"npm": "@ai-sdk/openai-compatible", "name": "scripted",
			"options": object{"baseURL": m.URL + "/v1", "apiKey": model.Key},
			"models":  object{"scripted": object{"name": "scripted", "tool_call": true, "limit": object{"context": 200000, "output": 8000}}},
		}},
	})
	// It would wait for the network to install what plugins are written with.
	from := filepath.Join(filepath.Dir(ready.Hosts[h.name()]), "..", "..")
	for _, name := range []string{"node_modules", "package.json", "package-lock.json"} {
		if err := os.Symlink(filepath.Join(from, name), h.file(b, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func (h opencode) hook(t *testing.T, b *box, program string, _ []string) {
	b.put(t, h.file(b, "plugin/trammel.js"), string(plugins.Make(*dialect.Host.Wiring[0].Plugin, []string{program}, nil)))
}

// pluginNoAnswer is what our plugins tell the model if there is no answer.
const pluginNoAnswer = "Trammel cannot judge this"

// denies is what our plugin understands.
func (opencode) denies(reason string) string {
	return text(object{"block": true, "reason": reason})
}

func (h opencode) command(b *box, _ *model.Server, prompt string) *exec.Cmd {
	cmd := b.command(h, "run", prompt)
	cmd.Env = append(cmd.Env,
		"OPENCODE_DISABLE_AUTOUPDATE=1",
		"OPENCODE_DISABLE_MODELS_FETCH=1",
		"OPENCODE_DISABLE_LSP_DOWNLOAD=1",
		"XDG_DATA_HOME="+filepath.Join(b.home, ".local", "share"),
	)
	return cmd
}

func (opencode) shell(command string) model.Call {
	return model.Call{Name: "bash", Input: object{"command": command, "description": "Do what the test wants"}}
}

func (opencode) write(path, content string) model.Call {
	return model.Call{Name: "write", Input: object{"filePath": path, "content": content}}
}

func (opencode) agent(prompt string) model.Call {
	return model.Call{Name: "task", Input: object{"description": "Help", "prompt": prompt, "subagent_type": "general"}}
}
