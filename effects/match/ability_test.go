package match

import (
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// AIC-22: by which names a scope knows the call of an agent's host.
func TestAbilities(t *testing.T) {
	call := func(host, name string, a trammel.Action) *trammel.Event {
		return &trammel.Event{Host: host, Tool: &trammel.ToolCall{Name: name, Action: a}}
	}
	write := call("claude-code", "Write", trammel.Action{Kind: trammel.WriteAction})
	shell := call("codex", "shell", trammel.Action{Kind: trammel.ShellAction})
	mcp := call("claude-code", "mcp__github__create_issue", trammel.Action{Kind: trammel.MCPAction, Server: "github", Tool: "create_issue"})
	patch := call("codex", "apply_patch", trammel.Action{Kind: trammel.EditAction, Also: []trammel.ActionKind{trammel.DeleteAction}})
	own := call(OwnNames, "Write", trammel.Action{Kind: trammel.WriteAction})
	for _, c := range []struct {
		ev   *trammel.Event
		glob string
		name string // "" if it does not match
	}{
		{write, "*", "Write"}, {write, "Write", "Write"}, {write, "Wr*", "Write"}, {write, "edit_file", "edit_file"},
		{write, "write_file", "write_file"}, {write, "*_file", "write_file"},
		{write, "read_file", ""}, {write, "write", ""}, {write, "W", ""}, {write, "Write?", ""}, {write, "{Write,Edit}", "Write"},
		{shell, "run_command", "run_command"}, {shell, "edit_file", ""},
		{mcp, "mcp.github.*", "mcp.github.create_issue"}, {mcp, "mcp__github__*", "mcp__github__create_issue"}, {mcp, "mcp.gitlab.*", ""},
		{patch, "delete_file", "delete_file"}, {patch, "edit_file", "edit_file"}, {patch, "write_file", ""},
		{own, "Write", "Write"}, {own, "edit_file", ""}, {own, "*", "Write"},
		{call(OwnNames, "a/b", trammel.Action{}), "*", "a/b"}, {call(OwnNames, "a/b", trammel.Action{}), "a*", "a/b"},
		{call(OwnNames, "a/b", trammel.Action{}), "a/*", "a/b"},
	} {
		if got := Abilities([]string{"nothing", c.glob}).Holds(c.ev); got != (c.name != "") {
			t.Errorf("%s on %s: %v", c.glob, c.ev.Tool.Name, got)
		}
		if got := AbilityName(c.ev, []string{c.glob}); c.name != "" && got != c.name {
			t.Errorf("%s calls %s %s, expected %s", c.glob, c.ev.Tool.Name, got, c.name)
		}
	}
	if Abilities([]string{"*"}).Holds(&trammel.Event{}) {
		t.Error("an event without a tool is no call")
	}
	if got := Abilities([]string{"a", "b"}).String(); got != "ability is a or b" {
		t.Error(got)
	}
}

// AIC-23: as long as that, or longer.
func TestSlower(t *testing.T) {
	for took, want := range map[time.Duration]bool{0: false, 99 * time.Millisecond: false, 100 * time.Millisecond: true, time.Hour: true} {
		if Slower(100*time.Millisecond).Holds(&trammel.Event{Tool: &trammel.ToolCall{Duration: took}}) != want {
			t.Errorf("%v", took)
		}
	}
	if Slower(1).Holds(&trammel.Event{}) || Slower(time.Second).String() != "the call took at least 1s" {
		t.Error("an event without a tool is no call")
	}
}
