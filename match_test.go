package trammel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type never struct{}

func (never) Holds(*Event) bool { return false }
func (never) String() string    { return "it is never so" }

func TestMatch(t *testing.T) {
	ev := &Event{Kind: PreToolUse, Host: "claude-code", Session: Session{Agent: "general-purpose"},
		Tool: &ToolCall{Name: "mcp__github__list_repos", Action: Action{Kind: MCPAction}}}
	for _, c := range []struct {
		m   Match
		why string
	}{
		{Match{}, ""},
		{Match{Tools: []string{"*"}}, ""},
		{Match{Tools: []string{"Bash", "mcp__*"}}, ""},
		{Match{Tools: []string{"mcp__github__list_repo?"}}, ""},
		{Match{Tools: []string{"mcp__github__list_repo"}}, "tool is"},
		{Match{Tools: []string{"list_repos"}}, "tool is"},
		{Match{Tools: []string{"MCP__*"}}, "tool is"},
		{Match{Actions: []ActionKind{ShellAction, MCPAction}}, ""},
		{Match{Actions: []ActionKind{ShellAction}}, "action is mcp"},
		{Match{Hosts: []string{"codex"}}, "host is"},
		{Match{Agents: []string{"general*"}}, ""},
		{Match{Agents: []string{"explore"}}, "agent is"},
		{Match{If: []Condition{never{}}}, "no match: it is never so"},
	} {
		why := c.m.Why(ev)
		if (c.why == "") != (why == "") || !strings.Contains(why, c.why) || c.m.Matches(ev) != (c.why == "") {
			t.Errorf("%+v: why %q, want %q", c.m, why, c.why)
		}
	}
	if why := (&Match{Tools: []string{"*"}}).Why(&Event{Kind: Stop}); why == "" {
		t.Error("a match on tools took an event without one")
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true}, {"*", "", true}, {"*", "abc", true}, {"a*c", "abc", true}, {"a*c", "abcd", false}, {"a*b*c", "aXbYbZc", true},
		{"?", "a", true}, {"?", "", false}, {"a?", "a", false}, {"**", "x", true}, {"*a", "bba", true}, {"*ab", "aab", true}, {"a", "b", false},
	} {
		if got := wild(c.pattern, c.s); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.s, got)
		}
	}
}

// The index must never leave out a hook that matches.
func TestTheIndexFindsWhatMatches(t *testing.T) {
	tools := []string{"shell", "write", "read", "mcp__a__b", "x"}
	matches := []Match{
		{}, {Tools: []string{"shell"}}, {Tools: []string{"shell", "write"}}, {Tools: []string{"*"}}, {Tools: []string{"mcp__*"}},
		{Actions: []ActionKind{ShellAction}}, {Actions: []ActionKind{WriteAction, ReadAction}},
		{Tools: []string{"read"}, Actions: []ActionKind{ReadAction}}, {Tools: []string{"read"}, Actions: []ActionKind{ShellAction}},
	}
	var hooks []Hook
	for n := range 15 { // more than one word of bits
		for i, m := range matches {
			hooks = append(hooks, Hook{ID: fmt.Sprint(n, "-", i), On: []Kind{PreToolUse}, Match: m, Handler: pass, May: Guard})
		}
	}
	e := engine(t, hooks...)
	for _, tool := range tools {
		for n := range 2 * actionKinds {
			kind := n % actionKinds
			ev := &Event{Kind: PreToolUse, Tool: &ToolCall{Name: tool, Action: Action{Kind: kind, Command: "x"}}}
			if n >= actionKinds {
				ev.Tool.Action.Also = []ActionKind{ReadAction, DeleteAction}
			}
			var want, got []string
			for i := range hooks {
				if hooks[i].Match.Matches(ev) {
					want = append(want, hooks[i].ID)
				}
			}
			for _, r := range e.Dispatch(t.Context(), ev).Runs {
				got = append(got, r.Hook.ID)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %v: %s", tool, kind, diff)
			}
		}
	}
}

func TestActions(t *testing.T) {
	shapes := Shapes{
		"Bash": {Kind: ShellAction, Command: []string{"command"}},
		"Edit": {Kind: EditAction, Paths: []string{"file_path"}, Content: []string{"new_string"}},
	}
	for _, c := range []struct {
		name  string
		input map[string]any
		want  Action
	}{
		{"Bash", map[string]any{"command": "ls"}, Action{Kind: ShellAction, Command: "ls"}},
		{"Bash", map[string]any{"command": []any{"git", "commit", "-m", "it's done"}}, Action{Kind: ShellAction,
			Command: `git commit -m 'it'\''s done'`}},
		{"Edit", map[string]any{"file_path": "a.go", "new_string": "x"}, Action{Kind: EditAction, Paths: []string{"a.go"}, Content: "x"}},
		{"mcp__shell__run", map[string]any{"cmd": "rm -rf /"}, Action{Kind: MCPAction, Server: "shell", Tool: "run", Command: "rm -rf /"}},
		{"anything", map[string]any{"command": "rm -rf /"}, Action{Kind: ShellAction, Command: "rm -rf /"}},
		{"anything", map[string]any{"script": "b", "command": "a"}, Action{Kind: ShellAction, Command: "a"}},
		{"move", map[string]any{"destination": "b", "source": "a", "paths": []any{"c", 5, "d"}}, Action{Paths: []string{"a", "b", "c", "d"}}},
		{"get", map[string]any{"url": "https://x", "n": int64(5)}, Action{URL: "https://x"}},
		{"odd", map[string]any{"command": int64(5), "path": map[string]any{}}, Action{}},
		{"mcp__", nil, Action{}},
		{"mcp__a__", nil, Action{}},
	} {
		got := shapes.Action(&ToolCall{Name: c.name, Input: c.input})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %v: %s", c.name, c.input, diff)
		}
	}
}
