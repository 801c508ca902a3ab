//go:build e2e && unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
	"github.com/trammel-dev/trammel/test/people"
)

// dockerAgent is docker-agent: chat completions, hooks in hooks.d. No registry of
// programs has it, so it is not among the hosts that are always tested.
type dockerAgent struct{}

func (dockerAgent) name() string                            { return "docker-agent" }
func (dockerAgent) packages() npmProgram                    { return npmProgram{} }
func (dockerAgent) hook(*testing.T, *box, string, []string) {}
func (dockerAgent) denies(string) string                    { return "" }
func (dockerAgent) agent(string) model.Call                 { return model.Call{} }
func (dockerAgent) write(string, string) model.Call         { return model.Call{} }
func (dockerAgent) file(b *box) string                      { return filepath.Join(b.home, "agent.yaml") }
func (h dockerAgent) settle(t *testing.T, b *box, m *model.Server) {
	b.put(t, h.file(b), fmt.Sprintf("providers:\n  scripted: {api_type: openai_chatcompletions, base_url: %q, token_key: SCRIPTED_KEY}\n"+
		"models:\n  m: {provider: scripted, model: scripted}\n"+
		"agents:\n  root: {model: m, description: d, instruction: i, toolsets: [{type: shell}]}\n", m.URL+"/v1"))
	b.extra = append(b.extra, "DOCKER_AGENT_CONFIG_DIR="+filepath.Join(b.home, ".config", "cagent"), "TELEMETRY_ENABLED=false")
}

func (h dockerAgent) command(b *box, _ *model.Server, prompt string) *exec.Cmd {
	cmd := exec.Command(os.Getenv("TRAMMEL_E2E_DOCKER_AGENT"), "run", "--exec", "--yolo", "--working-dir", b.project, h.file(b), prompt)
	cmd.Env = append(b.env(), "SCRIPTED_KEY="+model.Key)
	return cmd
}

func (dockerAgent) shell(command string) model.Call {
	return model.Call{Name: "shell", Input: object{"cmd": command, "cwd": "."}}
}

// TestDockerAgent: docker-agent, which approves everything itself (--yolo), as
// trammel init wires it (DA-61).
func TestDockerAgent(t *testing.T) {
	if os.Getenv("TRAMMEL_E2E_DOCKER_AGENT") == "" {
		t.Skip("docker-agent is not here: TRAMMEL_E2E_DOCKER_AGENT names no program")
	}
	t.Parallel()
	const rule = "version: 1\nhooks:\n  - id: touching\n    on: pre_tool_use\n    match: { action: shell }\n    "
	for _, s := range []scenario{
		{
			name: "allowed", config: "version: 1\n",
			check: func(t *testing.T, r *result) {
				r.ran(t, marker)
				r.recorded(t, record{Event: "pre_tool_use", Decision: "none"})
			},
		},
		{
			name: "denied", config: rule + "deny: Nothing is touched here.",
			check: func(t *testing.T, r *result) {
				r.ran(t)
				r.told(t, true, "Nothing is touched here.")
				r.recorded(t, record{Event: "pre_tool_use", Decision: "deny", Hook: "touching", Reason: "Nothing is touched"})
			},
		},
		{
			name: "broken configuration", config: "version: 1\nhooks: [{id: x}]\n",
			check: func(t *testing.T, r *result) { r.ran(t) },
			stops: func(profile) bool { return true },
			code:  func(profile) int { return 1 },
		},
		{
			name: "approved", config: rule + "approve: { reason: Somebody looks at this first., mode: block }",
			arrange: signs(people.Decision{Approve: true, Host: "docker-agent"}),
			check: func(t *testing.T, r *result) {
				r.ran(t, marker)
				r.became(t, "requested", "approved", "consumed")
			},
		},
	} {
		t.Run(s.name, func(t *testing.T) { s.play(t, dockerAgent{}) })
	}
}
