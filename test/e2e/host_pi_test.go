//go:build e2e && unix

package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"

	dialect "github.com/trammel-dev/trammel/dialects/pi"
	"github.com/trammel-dev/trammel/install/plugins"
	"github.com/trammel-dev/trammel/test/e2e/model"
)

// pi is pi: Chat Completions API, hooks in an extension.
type pi struct{}

func (pi) name() string { return "pi" }

func (pi) packages() npmProgram {
	return npmProgram{"pi", "pi", []string{"@earendil-works/pi-coding-agent@0.87.1", "node@24"}}
}

func (pi) file(b *box, name string) string { return filepath.Join(b.home, ".pi", "agent", name) }

func (h pi) settle(t *testing.T, b *box, m *model.Server) {
	b.putJSON(t, h.file(b, "models.json"), object{"providers": object{"scripted": object{
		"baseUrl": m.URL + "/v1", "api": "openai-completions", "apiKey": model.Key,
		"models": []object{{
			"id": "scripted", "name": "scripted", "reasoning": false, "input": []string{"text"},
			"cost":          object{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
			"contextWindow": 200000, "maxTokens": 8000,
		}},
	}}})
}

func (h pi) hook(t *testing.T, b *box, program string, _ []string) {
	b.put(t, h.file(b, "extensions/trammel.js"), string(plugins.Make(*dialect.Host.Wiring[0].Plugin, []string{program}, nil)))
}

func (pi) denies(reason string) string { return opencode{}.denies(reason) }

func (h pi) command(b *box, _ *model.Server, prompt string) *exec.Cmd {
	cmd := b.command(h, "-p", "--provider", "scripted", "--model", "scripted", prompt)
	cmd.Env = append(cmd.Env, "PI_OFFLINE=1", "PI_SKIP_VERSION_CHECK=1", "PI_TELEMETRY=0")
	return cmd
}

func (pi) shell(command string) model.Call {
	return model.Call{Name: "bash", Input: object{"command": command}}
}

func (pi) write(path, content string) model.Call {
	return model.Call{Name: "write", Input: object{"path": path, "content": content}}
}

func (pi) agent(string) model.Call { panic("pi has no sub-agents") }
