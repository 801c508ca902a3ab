//go:build e2e && unix

package e2e

import (
	"os/exec"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

// host is an agent that is put to the test. Calls are what its model has to
// say to use its tools.
type host interface {
	// name is the host's name as trammel-hook knows it.
	name() string
	// packages are where it comes from.
	packages() npmProgram
	// settle writes the settings that make it headless and keep it on loopback.
	settle(t *testing.T, b *box, m *model.Server)
	// hook makes the host start program, a path, for the events, which are
	// named by our own words.
	hook(t *testing.T, b *box, program string, events []string)
	// denies is what a hook prints, in the host's own words, to deny a call.
	denies(reason string) string
	// command starts the host in the box, headless, with all tools allowed.
	command(b *box, m *model.Server, prompt string) *exec.Cmd

	shell(command string) model.Call
	write(path, content string) model.Call
	// agent is only called for hosts that can have sub-agents.
	agent(prompt string) model.Call
}

var hosts = []host{claude{}, codex{}, gemini{}, qwen{}, copilot{}, opencode{}, pi{}, dockerAgent{}}

// eachHost runs a test under every host that is there.
func eachHost(t *testing.T, test func(t *testing.T, h host)) {
	for _, h := range hosts {
		t.Run(h.name(), func(t *testing.T) {
			if why, missing := ready.Missing[h.name()]; missing {
				note(t, h, "")
				skip(t, why)
			}
			test(t, h)
		})
	}
}
