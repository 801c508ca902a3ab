// Package hooksfile reads docker-agent's own declarations of hooks (DA-60): an
// agent's file, the user's settings, or a file of hooks.d, which is the bare
// block. Each hook becomes one of trammel.yaml that does the same.
package hooksfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/dockeragent"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// Translate writes the hooks of a file in the format of trammel.yaml, and says
// which line of the file each line comes from. The ids of the hooks begin with
// name. With grant, the person is not asked about calls that hooks allow, as in
// docker-agent.
func Translate(name string, data []byte, grant bool) (text []byte, from []int, wrong []*yamldoc.Problem) {
	root, p := Read(data)
	if p != nil {
		return nil, nil, []*yamldoc.Problem{p}
	}
	f := file{name: idOf(name), grant: grant}
	if root != nil {
		f.find(root)
	}
	if len(f.wrong) > 0 {
		return nil, nil, f.wrong
	}
	var w writer
	w.line(1, "version: 1")
	if len(f.hooks) > 0 {
		w.line(1, "hooks:")
	}
	for _, h := range f.hooks {
		f.write(&w, h)
	}
	return []byte(w.String()), w.from, nil
}

// Read is the document of a file, with aliases resolved; nil if it is empty.
func Read(data []byte) (ast.Node, *yamldoc.Problem) {
	root, p := yamldoc.Parse(yamldoc.Clean(data))
	if p == nil && root != nil {
		root, p = expand(root)
	}
	if p == nil && root != nil {
		p = yamldoc.Plain(root)
	}
	return root, p
}

type file struct {
	name  string
	grant bool
	hooks []*hook
	wrong []*yamldoc.Problem
	// endpoints are those of providers, models those that the file declares.
	endpoints map[string]string
	models    map[string]served
}

// hook is one declaration.
type hook struct {
	event, agent string
	line         int
	all          bool // it is for every tool, or the event is about none
	tools        []string
	definition
}

// find reads the blocks of a file, wherever it has them.
func (f *file) find(root ast.Node) {
	top := f.mapping(root)
	f.declared(top)
	switch {
	case top["agents"] != nil:
		agents, _ := yamldoc.Pairs(top["agents"])
		for _, a := range agents {
			name := ""
			if len(agents) > 1 {
				name = a.Key.GetToken().Value
			}
			f.agent(name, f.mapping(a.Value))
		}
	case top["settings"] != nil:
		f.block("", f.mapping(top["settings"])["hooks"])
	case top["hooks"] != nil:
		f.block("", top["hooks"])
	case top["permissions"] == nil:
		f.block("", root)
	}
}

// agent reads the hooks of one agent, and the settings that are short for some.
func (f *file) agent(name string, keys map[string]ast.Node) {
	f.block(name, keys["hooks"])
	for _, s := range shorthands {
		n := keys[s.key]
		if n == nil {
			continue
		}
		args := f.texts(n)
		if on, isBool := n.(*ast.BoolNode); isBool && !on.Value || !isBool && len(args) == 0 {
			continue
		}
		f.add(&hook{event: s.event, agent: name, line: yamldoc.MarkOf(n).Line, all: true,
			definition: definition{kind: "builtin", command: s.key, args: args}})
	}
}

// shorthands are settings of an agent that stand for a built-in.
var shorthands = []struct{ key, event string }{{"redact_secrets", ""}, {"add_date", "turn_start"},
	{"add_environment_info", "session_start"}, {"add_prompt_files", "turn_start"}}

func (f *file) block(agent string, n ast.Node) {
	if n == nil {
		return
	}
	pairs, ok := yamldoc.Pairs(n)
	if !ok {
		f.refuse(n, "a mapping of events", "this is not a block of hooks")
	}
	for _, kv := range pairs {
		event := kv.Key.GetToken().Value
		if _, known := dockeragent.Host.Exact(event); !known {
			f.refuse(kv.Key, "an event of docker-agent", "there is no event %q", event)
			continue
		}
		for _, entry := range oneOrMore(kv.Value) {
			h := hook{event: event, agent: agent, all: true}
			if !dockeragent.Matched(event) {
				f.define(h, entry)
				continue
			}
			f.entry(h, entry)
		}
	}
}

// entry reads hooks with a matcher.
func (f *file) entry(h hook, n ast.Node) {
	keys := f.mapping(n, "matcher", "hooks", "preempt_yolo")
	if m := keys["matcher"]; m != nil {
		var err error
		if h.tools, err = toolsOf(f.text(m)); err != nil {
			f.refuse(m, "a regular expression for names of tools", "%v", err)
		}
		h.all = h.tools == nil
	}
	list := oneOrMore(keys["hooks"])
	if len(list) == 0 {
		f.refuse(n, "hooks: and at least one", "the matcher has no hooks")
	}
	for _, d := range list {
		f.define(h, d)
	}
}

// add adds a hook. Hooks that are equal in all fields become one, for the tools
// of both (DA-21).
func (f *file) add(h *hook) {
	for _, old := range f.hooks {
		if old.event == h.event && old.agent == h.agent && old.definition.equal(&h.definition) {
			if old.all = old.all || h.all; !old.all {
				for _, t := range h.tools {
					if !slices.Contains(old.tools, t) {
						old.tools = append(old.tools, t)
					}
				}
			}
			return
		}
	}
	f.hooks = append(f.hooks, h)
}

// toolsOf are the names that a matcher stands for: nil for all. A list of plain
// names stays one; another expression stays one, beside the names of
// docker-agent's own tools that it matches, for hosts that call them otherwise.
func toolsOf(matcher string) ([]string, error) {
	if matcher == "" || matcher == "*" {
		return nil, nil
	}
	x, err := trammel.CompileExpression(matcher)
	if err != nil {
		return nil, err
	}
	names := strings.Split(matcher, "|")
	if !slices.ContainsFunc(names, func(s string) bool {
		return s == "" || strings.HasPrefix(s, "mcp__") || strings.Trim(s,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != ""
	}) {
		return names, nil
	}
	names = []string{"/" + matcher + "/"}
	for _, tool := range dockeragent.ToolNames() {
		if x.MatchString(tool) {
			names = append(names, tool)
		}
	}
	return names, nil
}

func (f *file) refuse(n ast.Node, expected, format string, args ...any) {
	f.wrong = append(f.wrong, &yamldoc.Problem{Mark: yamldoc.MarkOf(n), Expected: expected, Message: fmt.Sprintf(format, args...)})
}

// idOf turns a name into the beginning of ids.
func idOf(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(name)), "-_")
}

func quoted(s string) string { return string(canonical.AppendString(nil, s)) }
