package prodconfigguard_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/policies/prodconfigguard"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestCases(t *testing.T) { policysuite.Run(t, prodconfigguard.Policy(), "testdata/cases.yaml") }

// What is too large to be looked through is asked about.
func TestTooMuchToLookAt(t *testing.T) {
	files := map[string]string{"/p/few/a": "x"}
	for i := range 4200 {
		files[fmt.Sprintf("/p/many/%04d", i)] = "x"
		files[fmt.Sprintf("/p/node_modules/%04d", i)] = "x"
	}
	h, err := prodconfigguard.Policy().New(policysuite.Spec(""))
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]trammel.Decision{"rm -rf many": trammel.Ask, "rm -rf many/*": trammel.Ask,
		"mv many gone": trammel.Ask,
		"rm -rf few":   trammel.None, "rm -rf few/*": trammel.None, "rm -rf node_modules": trammel.None} {
		ev := &trammel.Event{Kind: trammel.PreToolUse, World: &world.Frozen{Files: files}, Session: trammel.Session{Dir: "/p", Project: "/p"},
			Tool: &trammel.ToolCall{Name: "x", Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}}
		if got, err := h.Handle(context.Background(), ev); err != nil || got.Decision != want {
			t.Errorf("%s: got %+v, %v, want %v", command, got, err, want)
		}
	}
}
