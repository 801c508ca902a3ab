package condition

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// Asked derives what is known when a hook's condition is evaluated, from its
// events and its match. tools maps the tools of all agents to what they do.
func Asked(on []trammel.Kind, aboutTools bool, m *plan.Match, tools map[string]trammel.ActionKind) Known {
	k := Known{Only: map[string][]string{}}
	for _, kind := range on {
		k.Only["event"] = append(k.Only["event"], kind.String())
	}
	if len(m.Hosts) > 0 {
		k.Only["host"] = m.Hosts
	}
	pattern := slices.ContainsFunc(m.Programs, func(p string) bool { return strings.ContainsAny(p, "*?[/!") })
	if len(m.Programs) > 0 && !pattern {
		k.Only["program"] = append([]string{""}, m.Programs...) // it is empty if the program is unknown
	}
	if !aboutTools {
		for _, name := range []string{"command", "tool.name", "action.kind", "action.url", "action.content", "action.query"} {
			k.Only[name] = []string{""}
		}
	}
	calls := func(kind trammel.Kind) bool { return kind == trammel.PreToolUse || kind == trammel.PostToolUse }
	if len(on) > 0 && !slices.ContainsFunc(on, func(kind trammel.Kind) bool { return !calls(kind) }) {
		k.Only["prompt"], k.Only["stop.message"] = []string{""}, []string{""}
	}
	if len(m.Tools) == 0 {
		return k
	}
	if !slices.ContainsFunc(m.Tools, func(name string) bool { return tools[name] != trammel.ShellAction }) {
		k.Only["action.content"] = []string{""} // a command line is no content
	}
	if !slices.ContainsFunc(m.Tools, func(name string) bool {
		kind, ok := tools[name]
		return !ok || kind == trammel.ShellAction || kind == trammel.OtherAction || kind == trammel.MCPAction
	}) {
		k.Only["command"] = []string{""} // none of these actions runs a command
	}
	if kinds := ownKinds(m.Tools, tools); len(kinds) > 0 {
		k.Only["action.kind"] = kinds
	}
	matched := trammel.Match{Tools: m.Tools, Like: m.Like}
	k.Never = func(name, value string) bool {
		kind := tools[value]
		call := trammel.ToolCall{Name: value, Action: trammel.Action{Kind: kind}}
		return name == "tool.name" && kind != trammel.OtherAction && !matched.Matches(&trammel.Event{Tool: &call})
	}
	return k
}

// ownKinds are the kinds of the tools if each has just one, whatever it is given: a shell is
// none that writes, but a tool that edits may create a file.
func ownKinds(names []string, tools map[string]trammel.ActionKind) (kinds []string) {
	for _, name := range names {
		switch kind := tools[name]; kind {
		case trammel.ShellAction, trammel.ReadAction, trammel.FetchAction:
			kinds = append(kinds, kind.String())
		default:
			return nil
		}
	}
	return kinds
}

// Wrong finds a condition, or part of one, that has the same value for everything
// the hook matches. It returns the code and text of the finding, or "".
func Wrong(when string, known Known) (code, text string) {
	value, part, ok := settled(when, known)
	if !ok {
		return "", ""
	}
	if part != "" {
		part = ": " + part
	}
	if _, _, alone := settled(when, Known{}); !alone {
		part += ", for all that the hook matches"
	}
	if value {
		return "always-true", "the condition is always true" + part
	}
	return "never-matches", "the condition is always false" + part
}

// MissingProject returns the fixed beginning of a glob for projects, if nothing
// exists there on this machine.
func MissingProject(glob string) (string, bool) {
	base, _ := doublestar.SplitPattern(glob)
	if rest, home := strings.CutPrefix(base, "~"); home {
		dir, err := os.UserHomeDir()
		if err != nil {
			return "", false
		}
		base = dir + rest
	}
	if !filepath.IsAbs(base) {
		return "", false
	}
	_, err := os.Stat(base)
	return base, os.IsNotExist(err)
}

// Within reports whether a glob for files matches only what another one matches, too:
// that one is about a name in any folder, and both are about the same name.
func Within(narrow, wide string) bool {
	name := strings.TrimPrefix(wide, "**/")
	return name != "" && name != "**" && !strings.ContainsAny(name, "/{") && narrow[strings.LastIndexByte(narrow, '/')+1:] == name
}
