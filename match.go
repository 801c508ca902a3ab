package trammel

import (
	"fmt"
	"slices"
	"strings"
)

// Match says which events of its kinds a hook wants. Every field that is set
// must hold; the zero Match takes all.
type Match struct {
	// Tools are tool names or patterns in which * stands for any run of
	// characters and ? for one, or regular expressions between slashes, which
	// must match the whole name. A tool of an MCP server has several names; see
	// ToolCall.Names.
	Tools []string
	// Like are the kinds of actions that Tools stand for, one for each of them or
	// none at all: on a host that has no tool of the name, every tool that does
	// this counts, and of shells each one does. OtherAction stands for nothing.
	Like []ActionKind
	// Actions are the kinds of actions.
	Actions []ActionKind
	// Hosts are the dialects that reported the event.
	Hosts []string
	// Agents are names or patterns of agents.
	Agents []string
	// If holds further conditions, asked in order and only when the rest holds.
	If []Condition
}

// Condition is a further demand on an event. It must be fast, free of side
// effects and safe for concurrent use.
type Condition interface {
	Holds(ev *Event) bool
	// String says what is demanded: "program is git".
	String() string
}

// Finder is implemented by conditions that hold, and handlers that answer, because
// of an effect of a call, and can say which.
type Finder interface {
	Target(ev *Event) (Target, bool)
}

// Reasoner is implemented by conditions that can say why they do not hold for a call: which
// of its effects is not covered.
type Reasoner interface {
	Why(ev *Event) string
}

// Target is the effect of a call that a match or a rule holds for.
type Target struct {
	Path    string // the file, if it is about one
	Command string // the command line of the program, if the match names one
	What    string // the effect in words: "read /p/.env"; of a rule that needs several, all of them
	Doubt   string // what is unknown, if the effect only may be one
}

// Target is the first effect that a condition of the match holds for.
func (m *Match) Target(ev *Event) (Target, bool) {
	for _, c := range m.If {
		if f, ok := c.(Finder); ok {
			return f.Target(ev)
		}
	}
	return Target{}, false
}

// Matches reports whether the event is one that the hook wants.
func (m *Match) Matches(ev *Event) bool { return m.mismatch(ev) == matched }

// Why says in words why the event does not match, or "" if it does.
func (m *Match) Why(ev *Event) string {
	switch at := m.mismatch(ev); at {
	case matched:
		return ""
	case noTool:
		return "the event is not about a tool"
	case wrongTool:
		return fmt.Sprintf("tool is %s, not %s", ev.Tool.Name, strings.Join(DeclaredTools(m.Tools), " or "))
	case wrongAction:
		return fmt.Sprintf("action is %s, not %s", ev.Tool.Action.Kind, joinKinds(m.Actions))
	case wrongHost:
		return fmt.Sprintf("host is %s, not %s", ev.Host, strings.Join(m.Hosts, " or "))
	case wrongAgent:
		return fmt.Sprintf("agent is %q, not %s", ev.Session.Agent, strings.Join(m.Agents, " or "))
	default:
		text := "no match, it needs: " + m.If[at].String()
		if r, ok := m.If[at].(Reasoner); ok {
			text += "; but: " + r.Why(ev)
		}
		return text
	}
}

// Results of mismatch that are not an index into If.
const (
	matched = -1 - iota
	noTool
	wrongTool
	wrongAction
	wrongHost
	wrongAgent
)

func (m *Match) mismatch(ev *Event) int {
	if len(m.Tools) > 0 || len(m.Actions) > 0 {
		if ev.Tool == nil {
			return noTool
		}
		if len(m.Tools) > 0 && !m.isTool(ev) {
			return wrongTool
		}
		if len(m.Actions) > 0 && !slices.ContainsFunc(m.Actions, ev.Tool.Action.Is) {
			return wrongAction
		}
	}
	if len(m.Hosts) > 0 && !slices.Contains(m.Hosts, ev.Host) {
		return wrongHost
	}
	if len(m.Agents) > 0 && !anyPattern(m.Agents, ev.Session.Agent) {
		return wrongAgent
	}
	for i, c := range m.If {
		if !c.Holds(ev) {
			return i
		}
	}
	return matched
}

func (m *Match) isTool(ev *Event) bool {
	if anyPattern(m.Tools, ev.Tool.Name) {
		return true
	}
	if ev.Tool.Action.Server != "" {
		for _, name := range ev.Tool.Names()[1:] {
			if slices.ContainsFunc(m.Tools, func(p string) bool { return parted(p) && anyPattern([]string{p}, name) }) {
				return true
			}
		}
	}
	for i, kind := range m.Like {
		_, own := ev.Tools[m.Tools[i]] // a host may have several shells, and they do the same
		if (!own || kind == ShellAction) && kind != OtherAction && ev.Tool.Action.Is(kind) {
			return true
		}
	}
	return false
}

// parted reports whether a pattern says where the name of a server ends. One that does
// not may only match what the host itself calls the tool: github_get_* is for the tools of
// github, and not for those of github_get.
func parted(pattern string) bool {
	return strings.Contains(pattern, "__") || strings.ContainsAny(pattern, "/:")
}

// Names are the names of a tool: what the host calls it, and for a tool of an MCP
// server also mcp__server__tool, server__tool, server/tool and server:tool, for
// hosts spell them differently.
func (t *ToolCall) Names() []string {
	a := &t.Action
	if a.Server == "" || a.Tool == "" {
		return []string{t.Name}
	}
	return []string{t.Name, "mcp__" + a.Server + "__" + a.Tool, a.Server + "__" + a.Tool, a.Server + "/" + a.Tool, a.Server + ":" + a.Tool}
}

func anyPattern(patterns []string, s string) bool {
	for _, p := range patterns {
		if text, ok := Expression(p); ok {
			if x := expression(text); x != nil && x.MatchString(s) {
				return true
			}
		} else if p == s || strings.ContainsAny(p, "*?") && wild(p, s) {
			return true
		}
	}
	return false
}

// wild matches a pattern of * and ? against a whole string.
func wild(pattern, s string) bool {
	star, back := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, back = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			back++
			p, i = star+1, back
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

func joinKinds(kinds []ActionKind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = k.String()
	}
	return strings.Join(words, " or ")
}
