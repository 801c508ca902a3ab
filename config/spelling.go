package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/foreign"
)

// agents is implemented by registries that know which agents there are, and
// what their tools do.
type agents interface {
	Hosts() []string
	Tools() map[string]trammel.ActionKind
}

// spelled interprets the names of a match as their author meant them. Names may
// be copied from an agent's settings: alternatives with |, only a server, an
// agent's short name. It refuses names that can never match, and says how to
// write them here.
func (c *compiler) spelled(d *declared) {
	known, _ := c.reg.(agents)
	m, out := d.decl.Match, &d.hook.Match
	out.Tools = trammel.ServerTools(d.names("tool", m.Tool, toolName), d.form.tightens)
	out.Programs = d.names("program", m.Program, programName)
	out.Agents = d.names("agent", m.Agent, plainName)
	if known == nil {
		return
	}
	out.Hosts = nil
	for i := range m.Host {
		for _, name := range alternatesOf(string(m.Host[i])) {
			host, ok := hostNamed(name, known.Hosts())
			if !ok {
				d.source.fail(d.at(&m.Host[i]), "one of "+strings.Join(known.Hosts(), ", ")+", or native/NAME for an agent of your own",
					"no agent is called %q%s", name, didYouMean(name, known.Hosts()))
			}
			out.Hosts = append(out.Hosts, host)
		}
	}
	tools := known.Tools()
	like, any := make([]trammel.ActionKind, len(out.Tools)), false
	for i, name := range out.Tools {
		like[i] = tools[name]
		any = any || like[i] != trammel.OtherAction
	}
	if any {
		out.Like = like
	}
	d.contradicts(tools)
}

// reasons refuses reasons that are rules of another agent, and would hold for every call.
func (d *declared) reasons() {
	for _, r := range []*Ruling{d.decl.Deny, d.decl.Ask, d.decl.Allow} {
		if r == nil {
			continue
		}
		if meant := foreign.Ruling(string(r.Reason)); meant != "" {
			d.source.fail(d.at(&r.Reason), "match with "+meant, "%q is a rule of another agent, not a reason", r.Reason)
		}
	}
}

// names are the names of one key, with alternatives split.
func (d *declared) names(key string, list OneOrMore[Text], check func(string) (name, meant string)) []string {
	var out []string
	for i := range list {
		if text, ok := trammel.Expression(string(list[i])); ok && key == "tool" {
			if _, err := trammel.CompileExpression(text); err != nil {
				d.source.fail(d.at(&list[i]), "a regular expression between slashes", "%v", err)
			}
			out = append(out, string(list[i]))
			continue
		}
		for _, text := range alternatesOf(string(list[i])) {
			name, meant := check(text)
			if other, ok := strings.CutPrefix(text, "!"); ok {
				meant = "a condition for all others: when: " + key + " != " + strconv.Quote(other)
			}
			if meant != "" {
				d.source.fail(d.at(&list[i]), meant, "match.%s is a name or a pattern with * and ?; %q would never match", key, text)
			}
			out = append(out, name)
		}
	}
	return out
}

// alternatesOf splits Edit|Write, but not inside parentheses.
func alternatesOf(text string) []string {
	var out []string
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '|':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return slices.DeleteFunc(append(out, strings.TrimSpace(text[from:])), func(s string) bool { return s == "" })
}

// hostNamed finds an agent by its name, or by a unique prefix of it. native/x is
// a program that calls itself x, which only its author knows.
func hostNamed(name string, hosts []string) (string, bool) {
	if own, ok := strings.CutPrefix(name, "native/"); ok || slices.Contains(hosts, name) {
		return own, own != ""
	}
	short := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	found := slices.DeleteFunc(slices.Clone(hosts), func(host string) bool {
		return short == "" || !strings.HasPrefix(strings.ReplaceAll(host, "-", ""), short)
	})
	if len(found) == 1 {
		return found[0], true
	}
	return name, false
}

// plainName is a name with wildcards.
func plainName(text string) (name, meant string) {
	text = unanchored(text)
	if strings.ContainsAny(text, `\^$()[]{}+`) || strings.Contains(text, ".*") {
		return text, "a name, in which * matches any characters: " + quoted(globOf(text))
	}
	return text, ""
}

// toolName is the name of a tool. An MCP server alone means all of its tools.
func toolName(text string) (name, meant string) {
	text = unanchored(text)
	if rule, ok := foreign.Permission(text); ok {
		return text, rule
	}
	if strings.ContainsAny(text, " \t,") {
		return text, "a list: [" + strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }),
			", ") + "]"
	}
	if server, ok := strings.CutPrefix(text, "mcp__"); ok && server != "" && !strings.Contains(server, "__") &&
		!strings.Contains(server, "*") {
		return text + "__*", ""
	}
	return plainName(text)
}

// programName is the name or the path of a program.
func programName(text string) (name, meant string) {
	text = unanchored(text)
	if rule, ok := foreign.Permission(text); ok {
		return text, rule
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(text, ":*", " *")), " ")
	switch rest = strings.TrimSpace(rest); {
	case rest == "*" || rest == "" && first != text:
		return text, "program: " + first
	case rest != "":
		return text, foreign.Arguments(first, rest)
	case strings.ContainsAny(text, "$`;&<>"):
		return text, "the name of a program, or its path from the project"
	}
	return plainName(text)
}

// unanchored is a name without the anchors of a regular expression.
func unanchored(text string) string {
	if inner, ok := strings.CutPrefix(text, "^"); ok && strings.HasSuffix(inner, "$") {
		return strings.TrimSuffix(inner, "$")
	}
	return text
}

// globOf is a simple regular expression as a pattern.
func globOf(text string) string {
	return strings.NewReplacer(".*", "*", ".+", "?*", `\.`, ".", `\`, "", "^", "", "$", "", "(", "", ")", "").Replace(text)
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// contradicts refuses keys that no call can match together.
func (c *declared) contradicts(tools map[string]trammel.ActionKind) {
	m, decl := &c.hook.Match, c.decl.Match
	only := func(kinds []trammel.ActionKind, all ...trammel.ActionKind) bool {
		return len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k trammel.ActionKind) bool { return !slices.Contains(all, k) })
	}
	files := []trammel.ActionKind{trammel.ReadAction, trammel.WriteAction, trammel.EditAction, trammel.DeleteAction, trammel.SearchAction}
	var kinds []trammel.ActionKind // of the tools, if all are known
	for _, name := range m.Tools {
		kind, ok := tools[name]
		if !ok {
			kinds = nil
			break
		}
		kinds = append(kinds, kind)
	}
	switch {
	case len(m.Paths) > 0 && only(m.Actions, trammel.FetchAction):
		c.source.fail(c.at(&decl.Path), "to: and a host, or another action", "a fetch touches no file, so the match never applies")
	case len(m.To) > 0 && only(m.Actions, files...):
		c.source.fail(c.at(&decl.To), "action: fetch, or no action", "%s contacts no host, so the match never applies", m.Actions[0])
	case len(m.Programs) > 0 && only(kinds, append(files, trammel.FetchAction, trammel.AgentAction)...):
		c.source.fail(c.at(&decl.Program), "no tool, or one that runs programs", "%s runs no program, so the match never applies", m.Tools[0])
	case len(kinds) > 0 && only(m.Actions, trammel.ShellAction, trammel.MCPAction, trammel.AgentAction) &&
		!slices.ContainsFunc(kinds, func(k trammel.ActionKind) bool { return slices.Contains(m.Actions, k) || k == trammel.OtherAction }):
		c.source.fail(c.at(&decl.Action), "action: "+kinds[0].String(), "%s is not a %s action, so the match never applies", m.Tools[0],
			m.Actions[0])
	}
}
