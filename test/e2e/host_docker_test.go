//go:build e2e && unix

package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

// helper is the sub-agent of docker-agent, which calls agents by their names.
const helper = "helper"

// dockerAgent is docker-agent: Chat Completions API, hooks in hooks.d (DA-61). It
// approves everything itself (--yolo).
type dockerAgent struct{}

func (dockerAgent) name() string { return "docker-agent" }

func (dockerAgent) packages() npmProgram { return npmProgram{name: "docker-agent"} }

func (dockerAgent) file(b *box) string { return filepath.Join(b.home, "agent.yaml") }

func (h dockerAgent) settle(t *testing.T, b *box, m *model.Server) {
	b.put(t, h.file(b), fmt.Sprintf("providers:\n  scripted: {api_type: openai_chatcompletions, base_url: %q, token_key: SCRIPTED_KEY}\n"+
		"models:\n  m: {provider: scripted, model: scripted}\n"+
		"agents:\n"+
		"  root: {model: m, description: d, instruction: i, sub_agents: [helper], toolsets: [{type: shell}, {type: filesystem}]}\n"+
		"  helper: {model: m, description: d, instruction: i, toolsets: [{type: shell}, {type: filesystem}]}\n", m.URL+"/v1"))
	b.extra = append(b.extra, "DOCKER_AGENT_CONFIG_DIR="+filepath.Join(b.home, ".config", "cagent"), "TELEMETRY_ENABLED=false")
}

func (h dockerAgent) hook(t *testing.T, b *box, program string, events []string) {
	all := object{}
	for _, event := range events {
		// Before a tool it reads nothing but JSON (preempt_yolo).
		line := quote(program) + " " + h.name() + " " + event + " || echo " + quote(h.denies(noAnswer))
		hook := object{"type": "command", "command": line, "timeout": hookTimeout}
		if event == "pre_tool_use" {
			hook = object{"matcher": "*", "preempt_yolo": true, "hooks": []any{hook}}
		}
		all[event] = []any{hook}
	}
	b.putJSON(t, filepath.Join(b.home, ".config", "cagent", "hooks.d", "trammel.yaml"), all)
}

func (dockerAgent) denies(reason string) string {
	return text(object{"hook_specific_output": object{"permission_decision": "deny", "permission_decision_reason": reason}})
}

func (h dockerAgent) command(b *box, _ *model.Server, prompt string) *exec.Cmd {
	cmd := b.command(h, "run", "--exec", "--yolo", "--working-dir", b.project, h.file(b), prompt)
	cmd.Env = append(cmd.Env, "SCRIPTED_KEY="+model.Key)
	return cmd
}

func (dockerAgent) shell(command string) model.Call {
	return model.Call{Name: "shell", Input: object{"cmd": command, "cwd": "."}}
}

func (dockerAgent) write(path, content string) model.Call {
	return model.Call{Name: "write_file", Input: object{"path": path, "content": content}}
}

func (dockerAgent) agent(prompt string) model.Call {
	return model.Call{Name: "transfer_task", Input: object{"agent": "helper", "task": prompt, "expected_output": "a result"}}
}
