package importers

import (
	"regexp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
)

// restriction is a hook that denies or asks, with exceptions.
func (im *importer) restriction(r *placed, weaker []*Rule) []string {
	c := &r.Calls
	match, when := c.match(), []string{}
	if c.When != "" {
		when = append(when, c.When)
	}
	if c.Command != nil {
		programs, condition := c.Command.condition()
		switch {
		case c.Command.All():
			match = append(match, "action: shell")
		case len(programs) > 0:
			match = append(match, "program: "+list(each(programs, byPath)))
		}
		if condition != "" {
			when = append(when, condition)
		}
	}
	when = append(when, c.except(weaker)...)
	if paths := c.exceptPaths(weaker); len(paths) > 0 {
		match = append(match, "path: "+list(paths))
	}
	lines := declared("pre_tool_use", match)
	if len(c.To) > 0 {
		lines = append(lines, "unknown: allow") // a host that is unknown is no reason to ask: git pull
	}
	lines = append(lines, r.Decision.String()+":")
	if len(when) > 0 {
		if len(when) > 1 {
			when = each(when, bracketed)
		}
		lines = append(lines, "  when: "+single(strings.Join(when, " && ")))
	}
	return append(lines, "  reason: "+quoted(reason(im.source.Name, &r.Rule)))
}

// declared is the beginning of every hook.
func declared(event string, match []string) []string {
	lines := []string{"on: " + event}
	if len(match) > 0 {
		lines = append(lines, "match:")
		for _, m := range match {
			lines = append(lines, "  "+m)
		}
	}
	return lines
}

// match are the parts of a match that are the same for all rules.
func (c *Calls) match() (out []string) {
	for _, m := range []struct {
		key    string
		values []string
	}{{"tool", c.Tools}, {"action", c.Actions}, {"to", c.To}, {"agent", c.Agents}} {
		if len(m.values) > 0 {
			out = append(out, m.key+": "+list(m.values))
		}
	}
	return out
}

// except are conditions that leave out what weaker rules are about.
func (c *Calls) except(weaker []*Rule) (out []string) {
	var commands []*Command
	var tools []string
	for _, w := range weaker {
		o := &w.Calls
		switch {
		case o.When != "" || len(o.Agents) > 0:
		case c.Command != nil && o.Command != nil && c.Command.All():
			commands = append(commands, o.Command)
		case c.Command != nil && o.Command != nil:
			out = append(out, "!("+o.Command.excepted()+")")
		case len(o.Paths) == 0 && len(o.To) == 0 && o.Command == nil && len(o.Tools) > 0 && c.Command == nil && len(c.Actions) == 0:
			tools = append(tools, o.Tools...)
		case len(c.To) > 0 && len(o.To) > 0:
			out = append(out, "!talks_to("+strings.Join(each(o.To, quoted), ", ")+")")
		}
	}
	if len(commands) > 0 {
		if slices.ContainsFunc(commands, (*Command).All) {
			return append(out, "false")
		}
		out = append(out, unless(commands))
	}
	if len(tools) > 0 {
		out = append(out, "!(tool.name matches "+quoted("^(?:"+strings.Join(each(tools, toolPattern), "|")+")$")+")")
	}
	return out
}

// toolPattern is a name of a tool in a match as a regular expression.
func toolPattern(name string) string {
	if text, ok := trammel.Expression(name); ok {
		return text
	}
	return strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(name))
}

// exceptPaths are the paths of the rule without those of weaker ones about the
// same actions.
func (c *Calls) exceptPaths(weaker []*Rule) []string {
	paths := slices.Clone(c.Paths)
	for _, w := range weaker {
		o := &w.Calls
		all := !slices.ContainsFunc(c.Actions, func(a string) bool { return !slices.Contains(o.Actions, a) })
		if len(c.Actions) == 0 || !all || o.When != "" || len(o.Agents) > 0 {
			continue
		}
		for _, p := range o.Paths {
			paths = append(paths, "!"+p)
		}
		if len(o.Paths) == 0 {
			paths = append(paths, "!**")
		}
	}
	return paths
}

// wider says for which calls a hook holds that the system would not have meant.
func (c *Calls) wider() string {
	switch {
	case c.Command != nil && c.Command.All():
		return ""
	case c.Command != nil:
		return "also behind sudo, in scripts and other spellings of the same command"
	case len(c.Paths) > 0:
		return "also where a program or script touches the file"
	case len(c.To) > 0:
		return "also where a program talks to the host"
	}
	return ""
}

func reason(source string, r *Rule) string {
	if r.Reason != "" {
		return strings.ReplaceAll(r.Reason, "${", "$ {")
	}
	verb := "denies this"
	if r.Decision == trammel.Ask {
		verb = "wants a person to decide this"
	}
	return "The rule " + strings.ReplaceAll(oneLine(r.Text), "${", "$ {") + " " + verb + " (imported from " + source + ")."
}

// single is a text in YAML between single quotes, in which expressions stay readable.
func single(text string) string {
	if strings.ContainsAny(text, "\n\r\t") || oneLine(text) != text && strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return quoted(text)
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// grant is a hook that allows, and what it does not allow that the rule does.
func (im *importer) grant(c *Calls) (lines []string, narrower string) {
	match, when := c.match(), []string{}
	if c.When != "" {
		when = append(when, c.When)
	}
	if im.options.Host != "" {
		match = append(match, "host: "+quoted(im.options.Host))
	}
	if im.options.Project != "" {
		match = append(match, "project: "+quoted(im.options.Project))
	}
	if c.Command != nil {
		match = append(match, "action: shell")
		if w := c.Command.granted(); w != "" {
			when = append(when, w)
			narrower = "only for one command of plain words, without variables, redirections and chains"
		}
	}
	if len(c.Paths) > 0 {
		match = append(match, "path: "+list(c.Paths))
		outside := strings.Join(each(c.Paths, func(p string) string { return quoted("!" + p) }), ", ")
		when = append(when, "!reads("+outside+") && !writes("+outside+") && !deletes("+outside+")")
	}
	lines = append(declared("pre_tool_use", match), "may: grant", "allow:")
	if len(when) > 0 {
		lines = append(lines, "  when: "+single(strings.Join(when, " && ")))
	}
	return append(lines, `  reason: "Allowed by a rule that was imported from `+im.source.Name+`."`), narrower
}
