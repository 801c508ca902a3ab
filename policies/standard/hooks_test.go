package standard_test

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/policies/extended"
	"github.com/trammel-dev/trammel/policies/standard"
)

// A runtime that embeds the engine gets policies by name, and a name that does
// not exist cannot go unnoticed.
func TestHooks(t *testing.T) {
	engine, err := trammel.New(standard.Hooks("shell-guard", "secrets"))
	if err != nil {
		t.Fatal(err)
	}
	v := engine.Dispatch(t.Context(), &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Dir: "/work"},
		Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": "rm -rf /etc"}}})
	if v.Decision != trammel.Deny {
		t.Errorf("verdict %v", v)
	}
	defer func() {
		if recover() == nil {
			t.Error("a guard that does not exist was left out silently")
		}
	}()
	standard.Hooks("shel-guard")
}

// The lists name each policy as it names itself, and what they make can be used.
func TestLists(t *testing.T) {
	r := trammel.NewRegistry()
	for _, list := range [][]trammel.Listed{standard.All[:], extended.All[:]} {
		for _, l := range list {
			p := l.Policy()
			if p.Name != l.Name {
				t.Errorf("%s is listed as %s", p.Name, l.Name)
			}
			if err := r.AddPolicy(p); err != nil {
				t.Error(err)
			}
		}
	}
}
