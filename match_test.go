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

type always struct{ never }

func (always) Holds(*Event) bool { return true }

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
		{Match{Tools: ServerTools([]string{"mcp__a__b", "Bash"}, true)}, "tool is mcp__github__list_repos, not mcp__a__b or Bash"},
		{Match{Tools: []string{"list_repos"}}, "tool is"},
		{Match{Tools: []string{"MCP__*"}}, "tool is"},
		{Match{Actions: []ActionKind{ShellAction, MCPAction}}, ""},
		{Match{Actions: []ActionKind{ShellAction, ReadAction}}, "action is mcp, not shell or read"},
		{Match{Hosts: []string{"codex"}}, "host is"},
		{Match{Agents: []string{"general*"}}, ""},
		{Match{Agents: []string{"explore"}}, "agent is"},
		{Match{If: []Condition{never{}}}, "no match, it needs: it is never so"},
	} {
		why := c.m.Why(ev)
		if (c.why == "") != (why == "") || !strings.Contains(why, c.why) || strings.Contains(why, "MCP:") || c.m.Matches(ev) != (c.why == "") {
			t.Errorf("%+v: why %q, want %q", c.m, why, c.why)
		}
	}
	if why := (&Match{Tools: []string{"*"}}).Why(&Event{Kind: Stop}); why == "" {
		t.Error("a match on tools took an event without one")
	}
}

// A tool of an MCP server goes by each of its names, and a tool that a host does
// not have stands for what it does.
func TestNamesOfTools(t *testing.T) {
	server := &ToolCall{Name: "list", Action: Action{Kind: MCPAction, Server: "hub", Tool: "list"}}
	shell := &ToolCall{Name: "run", Action: Action{Kind: ShellAction}}
	write := &ToolCall{Name: "put", Action: Action{Kind: WriteAction}}
	bash, edit := []string{"Bash"}, []string{"Edit"}
	for _, c := range []struct {
		m    Match
		tool *ToolCall
		want bool
	}{
		{Match{Tools: []string{"list"}}, server, true},
		{Match{Tools: []string{"mcp__hub__list"}}, server, true},
		{Match{Tools: []string{"hub__*"}}, server, true},
		{Match{Tools: []string{"hub/list"}}, server, true},
		{Match{Tools: []string{"hub:list"}}, server, true},
		{Match{Tools: []string{"hub"}}, server, false},
		{Match{Tools: []string{"hub:list"}}, &ToolCall{Name: "list", Action: Action{Server: "hub"}}, false},
		{Match{Tools: []string{"hub:list"}}, &ToolCall{Name: "list", Action: Action{Tool: "list"}}, false},
		{Match{Tools: bash, Like: []ActionKind{ShellAction}}, shell, true},
		{Match{Tools: bash, Like: []ActionKind{ShellAction}}, write, false},
		{Match{Tools: bash, Like: []ActionKind{OtherAction}}, &ToolCall{Name: "x"}, false},
		{Match{Tools: edit, Like: []ActionKind{WriteAction}}, write, false}, // the host has an Edit of its own
		{Match{Tools: []string{"Patch"}, Like: []ActionKind{WriteAction}}, write, true},
		{Match{Tools: []string{"/r.n/"}}, shell, true},
		{Match{Tools: []string{"/r/"}}, shell, false}, // the whole name
		{Match{Tools: []string{"/run|put/"}}, write, true},
		{Match{Tools: []string{"/(/"}}, shell, false},
		{Match{Tools: []string{"//"}}, &ToolCall{Name: "//"}, true},
		{Match{Tools: []string{"Nope"}, Like: []ActionKind{OtherAction}}, &ToolCall{Name: "x"}, false},
		{Match{Tools: []string{"/runx"}}, shell, false},
		{Match{Tools: []string{"/./"}}, &ToolCall{Name: "x"}, true},
		{Match{If: []Condition{always{}}}, shell, true},
		{Match{If: []Condition{always{}, never{}}}, shell, false},
		{Match{Tools: []string{"/run"}}, shell, false},
		{Match{Tools: []string{"run/"}}, shell, false},
	} {
		ev := &Event{Kind: PreToolUse, Tool: c.tool, Tools: Shapes{"Bash": {}, "Edit": {}, "run": {}}}
		for range 2 { // expressions are kept
			if got := c.m.Matches(ev); got != c.want {
				t.Errorf("%v %v on %s: %v", c.m.Tools, c.m.Like, c.tool.Name, got)
			}
		}
		e := engine(t, Hook{Match: c.m, May: Guard, Handler: pass})
		if got := len(e.Dispatch(t.Context(), ev).Runs) > 0; got != c.want {
			t.Errorf("%v %v on %s: dispatched %v", c.m.Tools, c.m.Like, c.tool.Name, got)
		}
	}
}

// What is no tool of a server has one name.
func TestOnlyToolsOfServersHaveSeveralNames(t *testing.T) {
	for want, a := range map[int]Action{5: {Server: "s", Tool: "t"}, 1: {Tool: "t"}} {
		if got := (&ToolCall{Name: "n", Action: a}).Names(); len(got) != want || got[0] != "n" {
			t.Errorf("%v", got)
		}
	}
	if a := Loose(map[string]any{"cmd": "ls", "path": "/a"}); a.Kind != OtherAction || a.Command != "ls" || len(a.Paths) != 1 {
		t.Errorf("%+v", a)
	}
}

type found struct {
	never
	target Target
}

func (f found) Target(*Event) (Target, bool) { return f.target, true }

// The target of a match is that of its first condition that can name one.
func TestTargetOfAMatch(t *testing.T) {
	m := Match{If: []Condition{never{}, found{target: Target{Path: "/a"}}, found{target: Target{Path: "/b"}}}}
	if got, ok := m.Target(&Event{}); !ok || got.Path != "/a" {
		t.Errorf("%+v, %v", got, ok)
	}
	m = Match{If: []Condition{never{}}}
	if got, ok := m.Target(&Event{}); ok || got != (Target{}) {
		t.Errorf("%+v, %v", got, ok)
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
		{"mcp____b", nil, Action{}},
		{"mcp__ab", nil, Action{}},
		{"not_mcp__a__b", nil, Action{}},
		{"run", map[string]any{"command": "chmod", "args": []any{int64(777), "a b", ""}}, Action{Kind: ShellAction,
			Command: "chmod 777 'a b' ''"}},
		{"run", map[string]any{"command": []any{"kill", "-9", 1.0}}, Action{Kind: ShellAction, Command: "kill -9 1"}},
		{"run", map[string]any{"command": "ls", "args": []any{}}, Action{Kind: ShellAction, Command: "ls"}},
		{"run", map[string]any{"commandLine": "ls"}, Action{Kind: ShellAction, Command: "ls"}},
		{"run", map[string]any{"command_line": "ls"}, Action{Kind: ShellAction, Command: "ls"}},
		{"run", map[string]any{"timeline": "ls", "line": "x", "newLine": "y"}, Action{}},
		{"run", map[string]any{"shell_command": "b", "cmd": "a"}, Action{Kind: ShellAction, Command: "a"}},
		{"run", map[string]any{"command": int64(5), "cmd": "ls"}, Action{Kind: ShellAction, Command: "ls"}},
		{"run", map[string]any{"stopCommand": "b", "startCommand": "a", "note": "c"}, Action{Kind: ShellAction, Command: "a\nb"}},
		{"run", map[string]any{"command": []any{"a[b", "`b`", "{x}", ";", "~", "Za9"}}, Action{Kind: ShellAction,
			Command: "'a[b' '`b`' '{x}' ';' '~' Za9"}},
		{"run", map[string]any{"bestCommand": "b", "script": "a"}, Action{Kind: ShellAction, Command: "a"}},
		{"get", map[string]any{"urls": []any{"https://x", "https://y"}}, Action{URL: "https://x"}},
		{"get", map[string]any{"urls": []any{}, "imageURL": "https://y"}, Action{URL: "https://y"}},
		{"get", map[string]any{"url": int64(1), "image_uri": "https://y"}, Action{URL: "https://y"}},
		{"see", map[string]any{"absolutePath": "/a", "OutFile": "/b", "aPath": "/c"}, Action{Paths: []string{"/b", "/c", "/a"}}},
		{"see", map[string]any{"FILEPATH": "/a", "targetFOLDER": "/b", "zPATH": "/c"}, Action{Paths: []string{"/a", "/b", "/c"}}},
	} {
		got := shapes.Action(&ToolCall{Name: c.name, Input: c.input})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %v: %s", c.name, c.input, diff)
		}
	}
}
