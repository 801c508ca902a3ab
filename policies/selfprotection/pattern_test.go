package selfprotection_test

import (
	"fmt"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/policies/selfprotection"
)

// A pattern that matches much else does not hide what it matches of ours.
func TestPatternsThatMatchMuchElse(t *testing.T) {
	const state = "/home/ann/.local/state"
	files := map[string]string{state + "/trammel/log.jsonl": ""}
	for i := range 6_300 {
		files[fmt.Sprintf("%s/app%d/%d.jsonl", state, i%3, i)] = ""
	}
	h, err := selfprotection.Policy().New(trammel.Spec{Dirs: trammel.Dirs{User: "/home/ann/.config/trammel", State: state + "/trammel"}})
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]trammel.Decision{
		"rm " + state + "/*/*.jsonl": trammel.Deny,
		"rm " + state + "/app*/*":    trammel.None,
	} {
		a, err := h.Handle(t.Context(), &trammel.Event{Kind: trammel.PreToolUse,
			World:   &world.Frozen{HomeDir: "/home/ann", UserName: "ann", Files: files},
			Session: trammel.Session{Dir: "/home/ann/shop", Project: "/home/ann/shop"},
			Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": command},
				Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}})
		if err != nil || a.Decision != want {
			t.Errorf("%s: %v %v (%s), want %v", command, a.Decision, a.Findings, a.Reason, want)
		}
	}
}
