package suggest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/plural"
)

// form is a call as an exception names it: a command line, a tool with the file
// that it is for, or one with all of its arguments. Calls of the same form are the
// same.
type form struct {
	project string
	hosts   []string // the agents that made it
	to      []string // the hosts that it talks to
	command string

	tool, path string
	arguments  string
	action     trammel.ActionKind

	summary string // of a call that has no form
	example *trammel.Event
}

// Call says what the form is, for people.
func (f *form) Call() string {
	switch {
	case f.command != "":
		return f.command
	case f.path != "":
		return f.tool + " " + f.path
	case f.arguments != "":
		return f.tool + " " + f.arguments
	}
	return strings.TrimSpace(f.tool + " " + f.summary)
}

// merge adds what another call of the same form was seen with.
func (f *form) merge(o *form) {
	both := func(a, b []string) []string {
		out := slices.Concat(a, b)
		slices.Sort(out)
		return slices.Compact(out)
	}
	f.hosts, f.to = both(f.hosts, o.hosts), both(f.to, o.to)
}

// formOf reports false if no exception would cover only this call.
func formOf(ev *trammel.Event) (f form, ok bool) {
	f = form{project: ev.Session.Project, hosts: []string{ev.Host}, tool: ev.Tool.Name, action: ev.Tool.Action.Kind, example: ev}
	if f.project == "" || isPattern(f.project) {
		return f, false
	}
	switch f.action {
	case trammel.ShellAction:
		for _, n := range effects.Of(ev).Nets {
			if n.Host == "" || isPattern(n.Host) {
				return f, false
			}
			f.to = append(f.to, n.Host)
		}
		f.command = match.NormalLine(ev.Tool.Action.Command)
		return f, match.Exactly([]string{f.command}, f.to).Holds(ev)
	case trammel.ReadAction, trammel.WriteAction, trammel.EditAction, trammel.DeleteAction:
		touched := effects.Touches(ev)
		if len(touched) != 1 || isPattern(f.tool) {
			return f, false
		}
		p := touched[0].Path
		f.path = p.Abs
		covers := match.Covered(match.Spec{Actions: []trammel.ActionKind{f.action}, Paths: []string{f.path}})
		return f, p.Known() && !isPattern(f.path) && !touched[0].Tree && covers.Holds(ev)
	case trammel.MCPAction, trammel.FetchAction:
		f.arguments, ok = match.NormalArguments(ev.Tool)
		return f, ok && !isPattern(f.tool)
	}
	return f, false
}

// isPattern reports whether a name would mean more than itself where patterns are read.
func isPattern(name string) bool { return strings.ContainsAny(name, `*?[]{}\!~`) }

// with is the configuration with exceptions in a file of the user.
func with(o *Options, list []*Suggestion) *layers.Set {
	return o.Set.WithUser(o.Dirs, "suggested.yaml", []byte(yamlOf(o.Now, list)))
}

// yamlOf is the file with the exceptions.
func yamlOf(now time.Time, list []*Suggestion) string {
	var b strings.Builder
	b.WriteString("version: 1\nexceptions:\n")
	one := func(text string) string { return importers.Quote(text) }
	many := func(texts []string) string {
		quoted := make([]string, len(texts))
		for i, text := range texts {
			quoted[i] = one(text)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	for _, s := range list {
		fmt.Fprintf(&b, "  - hook: %s\n    match:\n      project: %s\n      host: %s\n", one(s.Hook),
			many([]string{s.project, "!" + s.project + "/*/**"}), many(s.hosts))
		switch {
		case s.command != "":
			if len(s.to) > 0 {
				fmt.Fprintf(&b, "      to: %s\n", many(s.to))
			}
			fmt.Fprintf(&b, "    command: %s\n", one(s.command))
		case s.arguments != "":
			fmt.Fprintf(&b, "      tool: %s\n    arguments: %s\n", one(s.tool), one(s.arguments))
		default:
			fmt.Fprintf(&b, "      tool: %s\n      action: %s\n      path: %s\n", one(s.tool), s.action, one(s.path))
		}
		fmt.Fprintf(&b, "    until: %s\n    reason: %s\n", now.Add(Lasts).UTC().Format(time.DateOnly),
			one(fmt.Sprintf("approved %s since %s, never refused", plural.Of(s.Approved, "time"), s.First.UTC().Format(time.DateOnly))))
	}
	return b.String()
}
