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
		case c.Command.All() || c.Command.Line:
			match = append(match, "action: shell")
		case len(programs) > 0:
			match = append(match, "program: "+oneOrMore(each(programs, byPath)))
		}
		if condition != "" {
			when = append(when, condition)
		}
	}
	when = append(when, c.except(weaker)...)
	if paths := c.exceptPaths(weaker); len(paths) > 0 {
		match = append(match, "path: "+oneOrMore(paths))
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
			out = append(out, m.key+": "+oneOrMore(m.values))
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
		case c.Command != nil && o.Command != nil && (c.Command.disjoint(o.Command) || c.Command.Line || o.Command.Line):
		case c.Command != nil && o.Command != nil:
			out = append(out, "!("+o.Command.excepted()+")")
		case c.Command == nil && slices.Equal(c.Tools, everything) && len(o.Actions)+len(o.To) > 0:
			out = append(out, "!("+o.about()+")")
		case len(o.Paths) == 0 && len(o.To) == 0 && o.Command == nil && len(o.Tools) > 0 && c.Command == nil && len(c.Actions) == 0:
			tools = append(tools, slices.DeleteFunc(slices.Clone(o.Tools), c.noTool)...)
		case len(c.To) > 0 && len(o.To) > 0:
			out = append(out, "!talks_to("+strings.Join(each(o.To, quoted), ", ")+")")
		}
	}
	if len(commands) > 0 {
		out = append(out, unless(commands))
	}
	if len(tools) > 0 {
		out = append(out, "!("+strings.Join(each(tools, isTool), " || ")+")")
	}
	return out
}

// noTool reports whether a tool cannot be one that the calls are of.
func (c *Calls) noTool(name string) bool {
	if len(c.Tools) == 0 || trammel.IsPattern(name) {
		return false
	}
	return !slices.ContainsFunc(c.Tools, func(pattern string) bool {
		re, err := regexp.Compile("^(?:" + toolPattern(pattern) + ")$")
		return err != nil || re.MatchString(name)
	})
}

// disjoint reports whether two commands are certainly different ones.
func (c *Command) disjoint(o *Command) bool {
	for _, a := range c.lists() {
		for _, b := range o.lists() {
			if same := min(len(a), len(b)); slices.Equal(a[:same], b[:same]) {
				return false
			}
		}
	}
	return len(c.Words) > 0 && len(o.Words) > 0
}

// covers reports whether every command that o means is one that c means.
func (c *Command) covers(o *Command) bool {
	if c.All() {
		return true
	}
	return len(o.Words) > 0 && !slices.ContainsFunc(o.lists(), func(want []string) bool {
		return !slices.ContainsFunc(c.lists(), func(words []string) bool {
			return len(words) <= len(want) && slices.Equal(words, want[:len(words)]) && (!c.Exact || o.Exact && len(words) == len(want))
		})
	})
}

// everything is how a match names all tools.
var everything = []string{"*"}

// about is the condition that a call of a tool is one about certain files or hosts.
func (c *Calls) about() string {
	var out []string
	if len(c.Actions) > 0 {
		out = append(out, "action.kind in "+list(c.Actions))
	}
	if len(c.Paths) > 0 {
		out = append(out, inside(c.Paths))
	}
	if len(c.To) > 0 {
		out = append(out, `action.kind == "fetch" && talks_to(`+strings.Join(each(c.To, quoted), ", ")+")")
	}
	return strings.Join(out, " && ")
}

// inside is the condition that no other files are touched, also through links.
func inside(paths []string) string {
	var out []string
	for _, verb := range []string{"reads", "writes", "deletes"} {
		out = append(out, "!"+verb+"("+strings.Join(each(paths, func(p string) string { return quoted("!" + p) }), ", ")+")")
	}
	return strings.Join(out, " && ")
}

// isTool is the condition that a call is one of a tool. Hosts spell the tools of
// servers differently.
func isTool(name string) string {
	server, tool, ok := strings.Cut(strings.TrimPrefix(name, "mcp__"), "__")
	whole := func(pattern string) string { return quoted("^(?:" + toolPattern(pattern) + ")$") }
	switch {
	case name == "mcp__*":
		return `action.kind == "mcp"`
	case ok && strings.HasPrefix(name, "mcp__"):
		return "action.server matches " + whole(server) + " && action.tool matches " + whole(tool)
	}
	return "tool.name matches " + whole(name)
}

// toolPattern is a name of a tool in a match as a regular expression.
func toolPattern(name string) string {
	if text, ok := trammel.Expression(name); ok {
		return text
	}
	return Wild(name)
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
	case c.Command != nil && c.Command.Line:
		return "also within a longer command line"
	case c.Command != nil:
		return "also behind sudo, in scripts and other spellings of the same command"
	case slices.ContainsFunc(c.Paths, func(p string) bool { return p != "" && p[0] != '!' && !strings.Contains(p, "/") }):
		return "also in every folder below, and where a program or script touches the file"
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
	if strings.ContainsAny(text, "\n\r\t") || oneLine(text) != text && strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' ||
			r > '~'
	}) {
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
		match = append(match, "path: "+oneOrMore(c.Paths))
		when = append(when, inside(c.Paths))
	}
	lines = append(declared("pre_tool_use", match), "may: grant", "allow:")
	if len(when) > 0 {
		lines = append(lines, "  when: "+single(strings.Join(when, " && ")))
	}
	return append(lines, `  reason: "Allowed by a rule that was imported from `+im.source.Name+`."`), narrower
}

// Wild is a pattern with * and ? as a regular expression.
func Wild(pattern string) string {
	return strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
}
