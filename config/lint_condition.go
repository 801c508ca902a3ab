package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
)

// settled looks for a condition that is the same for everything that the hook
// matches.
func (l *linter) settled(d *declared, r *rule.Config, at mark) {
	if why := condition.Contradiction(r); why != "" {
		l.add(d, at, "contradiction", "", "the condition never holds: %s", why)
		return
	}
	value, part, ok := condition.Settled(r.When, l.known(d))
	if part != "" {
		part = ": " + part
	}
	switch _, _, alone := condition.Settled(r.When, condition.Known{}); {
	case !ok:
		return
	case !alone:
		part += ", for all that the hook matches"
	}
	if value {
		l.add(d, at, "always-true", "leave it out", "the condition is always true%s", part)
	} else {
		l.add(d, at, "never-matches", "", "the condition is always false%s", part)
	}
}

// known is what the events and the match of a hook say about its condition.
func (l *linter) known(d *declared) condition.Known {
	m := &d.hook.Match
	k := condition.Known{Only: map[string][]string{}}
	for _, kind := range d.hook.On {
		k.Only["event"] = append(k.Only["event"], kind.String())
	}
	if len(m.Hosts) > 0 {
		k.Only["host"] = m.Hosts
	}
	if exact := !slices.ContainsFunc(m.Programs, func(p string) bool { return strings.ContainsAny(p, "*?[/!") }); exact && len(m.Programs) > 0 {
		k.Only["program"] = append([]string{""}, m.Programs...) // it is empty where it is unknown
	}
	if !anyAboutTools(d.hook.On) {
		for _, name := range []string{"command", "tool.name", "action.kind", "action.url", "action.content", "action.query"} {
			k.Only[name] = []string{""}
		}
	}
	known, ok := l.reg.(agents)
	if !ok || len(m.Tools) == 0 {
		return k
	}
	tools := known.Tools()
	if !slices.ContainsFunc(m.Tools, func(name string) bool {
		kind, ok := tools[name]
		return !ok || kind == trammel.ShellAction || kind == trammel.OtherAction || kind == trammel.MCPAction
	}) {
		k.Only["command"] = []string{""} // none of them runs one
	}
	matched := trammel.Match{Tools: m.Tools, Like: m.Like}
	k.Never = func(name, value string) bool {
		kind, ok := tools[value]
		call := trammel.ToolCall{Name: value, Action: trammel.Action{Kind: kind}}
		return name == "tool.name" && ok && kind != trammel.OtherAction && !matched.Matches(&trammel.Event{Tool: &call})
	}
	return k
}

// missingBase is the directory that a pattern for projects begins with, if it does
// not exist.
func missingBase(glob string) (string, bool) {
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
