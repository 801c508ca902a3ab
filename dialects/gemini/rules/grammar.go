package rules

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
	"github.com/trammel-dev/trammel/internal/lazy"
)

const shell = "run_shell_command"

// policy reads one [[rule]]; rank is the tier of its file.
func policy(n *document.Node, rank float64) ([]importers.Rule, error) {
	decision, known := map[string]trammel.Decision{"allow": trammel.Allow, "deny": trammel.Deny,
		"ask_user": trammel.Ask}[n.Get("decision").String()]
	if !known {
		return nil, document.Wrong(n.Line, "the decision is %q, expected allow, deny or ask_user", n.Get("decision").String())
	}
	priority, err := strconv.Atoi(n.Get("priority").String())
	if err != nil || priority < 0 || priority > 999 {
		return nil, document.Wrong(n.Line, "the priority is %q, expected a number from 0 to 999", n.Get("priority").String())
	}
	tools, err := n.Get("toolName").Texts()
	if err != nil {
		return nil, err
	}
	prefixes, err := n.Get("commandPrefix").Texts()
	if err != nil {
		return nil, err
	}
	pattern, arguments, server := n.Get("commandRegex").String(), n.Get("argsPattern").String(), n.Get("mcpName").String()
	commands := len(prefixes) > 0 || pattern != ""
	switch {
	case len(prefixes) > 0 && pattern != "", commands && arguments != "":
		return nil, document.Wrong(n.Line, "commandPrefix, commandRegex and argsPattern exclude each other")
	case commands && (len(tools) != 1 || tools[0] != shell):
		return nil, document.Wrong(n.Line, "commandPrefix and commandRegex are for toolName = %q only", shell)
	case len(tools) == 0 && server == "":
		tools = []string{"*"}
	case len(tools) == 0:
		tools = []string{""}
	}
	r := importers.Rule{Line: n.Line, Text: describe(tools, server, prefixes, pattern, arguments), Decision: decision,
		Rank: rank + float64(priority)/1000, Reason: n.Get("denyMessage").String()}
	if agent := n.Get("subagent").String(); agent != "" {
		r.Calls.Agents = []string{agent}
	}
	if why := circumstances(&r, n); why != "" {
		return []importers.Rule{r.Refuse(why)}, nil
	}
	switch {
	case len(prefixes) > 0:
		r.Calls.Command = &importers.Command{Words: importers.Split(prefixes[0])}
		for _, p := range prefixes[1:] {
			if words := importers.Split(p); len(words) > 0 {
				r.Calls.Command.Or = append(r.Calls.Command.Or, words)
			}
		}
		if len(r.Calls.Command.Words) == 0 {
			return nil, document.Wrong(n.Line, "a commandPrefix is empty")
		}
	case pattern != "":
		r = command(r, pattern)
	default:
		var out []importers.Rule
		for _, name := range tools {
			for _, one := range tool(r, name, server) {
				out = append(out, argument(one, name, arguments))
			}
		}
		return out, nil
	}
	return []importers.Rule{r}, nil
}

// circumstances are conditions that only the agent can check: a denial under
// them applies always, and an allow never.
func circumstances(r *importers.Rule, n *document.Node) (why string) {
	if n.Get("toolAnnotations") != nil {
		return "only the agent knows annotations of tools"
	}
	modes, _ := n.Get("modes").Texts()
	if len(modes) == 0 && n.Get("interactive") == nil {
		return ""
	}
	if r.Decision == trammel.Allow {
		return "what is allowed only in some modes is left to the agent"
	}
	r.Outcome, r.Why = importers.Wider, "it holds in every mode"
	return ""
}

func describe(tools []string, server string, prefixes []string, pattern, arguments string) string {
	text := strings.Join(tools, "|")
	for _, more := range []string{server, strings.Join(prefixes, "|"), pattern, arguments} {
		if more != "" {
			text = strings.TrimSpace(text + " " + more)
		}
	}
	return text
}

// command is a regular expression for the beginning of a command.
func command(r importers.Rule, pattern string) importers.Rule {
	if _, err := regexp.Compile(pattern); err != nil {
		return r.Refuse("this is not a valid regular expression: " + err.Error())
	}
	r.Calls.Command = &importers.Command{Regexp: "^(?:" + pattern + ")"}
	return r
}

// tool is a name of a tool: * is all, mcp_server_tool one of a server.
func tool(r importers.Rule, name, server string) []importers.Rule {
	if rest, ok := strings.CutPrefix(name, "mcp_"); ok && server == "" {
		var named bool
		if server, name, named = strings.Cut(strings.TrimPrefix(rest, "_"), "_"); !named {
			name = "*"
		}
		name = strings.TrimPrefix(name, "_")
	}
	switch {
	case server == "*" && (name == "*" || name == ""):
		r.Calls.Tools = []string{"mcp__*"}
	case server != "" && name == "":
		r.Calls.Tools = []string{"mcp__" + server + "__*"}
	case server != "":
		r.Calls.Tools = []string{"mcp__" + server + "__" + name}
	case name == "*":
		return r.Everything()
	case name == shell:
		r.Calls.Command = &importers.Command{}
	default:
		r.Calls.Tools = []string{name}
	}
	return []importers.Rule{r}
}

// field is the form of argsPattern that people write: "name":"value.
var field = lazy.Regexp(`^\\?"(\w+)\\?":\\?"(.*)$`)

// argument adds a pattern for the arguments, which the agent looks for in their
// JSON text.
func argument(r importers.Rule, name, pattern string) importers.Rule {
	if pattern == "" || r.Outcome == importers.Refused {
		return r
	}
	m := field().FindStringSubmatch(pattern)
	if m == nil {
		return r.Refuse("argsPattern can be imported if it begins with the name of an argument: \"name\":\"value")
	}
	value, whole := strings.CutSuffix(m[2], `"`)
	value = strings.TrimSuffix(value, `\`)
	if whole {
		value += "$"
	}
	if _, err := regexp.Compile(value); err != nil {
		return r.Refuse("this is not a valid regular expression: " + err.Error())
	}
	if name == shell && m[1] == "command" {
		return command(r, value)
	}
	r.Calls.When = strings.TrimPrefix(r.Calls.When+" && string(input."+m[1]+` ?? "") matches `+importers.Quote("^(?:"+value+")"), " && ")
	return r
}
