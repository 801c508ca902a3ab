package match

import (
	"testing"

	"github.com/trammel-dev/trammel"
)

// TEAM-24, TEAM-27: only the very same arguments, and only where they say all that a call does.
func TestArguments(t *testing.T) {
	cond := Arguments([]string{`{"n":1,"repo":"a"}`})
	for name, c := range map[string]struct {
		kind  trammel.ActionKind
		input map[string]any
		want  bool
	}{
		"the same":         {trammel.MCPAction, map[string]any{"repo": "a", "n": 1.0}, true},
		"a fetch":          {trammel.FetchAction, map[string]any{"repo": "a", "n": 1.0}, true},
		"with description": {trammel.MCPAction, map[string]any{"repo": "a", "n": 1.0, "description": "why"}, true},
		"another value":    {trammel.MCPAction, map[string]any{"repo": "b", "n": 1.0}, false},
		"another type":     {trammel.MCPAction, map[string]any{"repo": "a", "n": "1"}, false},
		"one more":         {trammel.MCPAction, map[string]any{"repo": "a", "n": 1.0, "force": true}, false},
		"one less":         {trammel.MCPAction, map[string]any{"repo": "a"}, false},
		"a shell":          {trammel.ShellAction, map[string]any{"repo": "a", "n": 1.0}, false},
		"a file":           {trammel.WriteAction, map[string]any{"repo": "a", "n": 1.0}, false},
		"no JSON":          {trammel.MCPAction, map[string]any{"repo": make(chan int)}, false},
	} {
		ev := &trammel.Event{Tool: &trammel.ToolCall{Name: "x", Input: c.input, Action: trammel.Action{Kind: c.kind}}}
		if got := cond.Holds(ev); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if cond.Holds(&trammel.Event{}) {
		t.Error("holds without a call")
	}
}
