package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/internal/lazy"
)

var (
	toolName = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_.:*-]*$`)
	param    = lazy.Regexp(`^([A-Za-z_][A-Za-z0-9_]*):(.*)$`)
)

// What the groups of tools do, as actions of a match.
var (
	readActions = []string{"read", "search", "write", "edit"} // an agent that may not read a file may not change it, either
	editActions = []string{"write", "edit", "delete"}
)

// permission reads one rule: Tool, or Tool(what).
func permission(r importers.Rule, user bool) []importers.Rule {
	one := func(r importers.Rule) []importers.Rule { return []importers.Rule{r} }
	tool, inner, has, ok := importers.Term(r.Text)
	allows := r.Decision == trammel.Allow
	switch {
	case !ok || !toolName().MatchString(tool):
		return one(r.Ignore("there is no tool of this name"))
	case strings.HasPrefix(tool, "mcp__"):
		return one(mcp(r, tool, inner, has))
	case strings.Contains(tool, "*"):
		if allows {
			return one(r.Ignore("a tool pattern counts only in deny and ask"))
		}
		r.Calls.Tools = []string{tool}
		return one(r)
	case !has || inner == "" || inner == "*":
		return one(whole(r, tool))
	}
	switch tool {
	case "Bash", "PowerShell":
		r.Calls.Command = command(inner)
	case "Read":
		return one(files(r, inner, user, readActions, "Read"))
	case "Edit":
		return one(files(r, inner, user, editActions, "Edit", "Write", "MultiEdit", "NotebookEdit"))
	case "Write", "NotebookEdit", "MultiEdit", "Glob", "Grep", "LS":
		return one(r.Ignore("the agent never asks rules of " + tool + " about paths; Edit and Read are asked"))
	case "WebFetch":
		return one(fetch(r, inner))
	case "Agent", "Task":
		r.Calls.Actions, r.Calls.When = []string{"agent"}, "action.agent == "+importers.Quote(inner)
		r.Calls.Example, r.Calls.Miss = agent(inner), agent(inner+"q")
	case "Skill":
		return one(skill(r, inner))
	default:
		return one(parameter(r, tool, inner))
	}
	return one(r)
}

// skill is a rule about one skill: Skill(name), or Skill(name *) with any arguments. What is
// denied without arguments is denied with them, too.
func skill(r importers.Rule, inner string) importers.Rule {
	name, _, _ := strings.Cut(inner, " ")
	bare := strings.TrimPrefix(strings.TrimSuffix(name, ":*"), "/")
	r.Calls.Tools = []string{"Skill"}
	r.Calls.When = `string(input.skill ?? "") == ` + importers.Quote(bare)
	if r.Decision == trammel.Allow && name == inner && !strings.HasSuffix(name, ":*") {
		r.Calls.When += ` && string(input.args ?? "") == ""`
	}
	return r
}

func agent(name string) *importers.Call {
	return &importers.Call{Tool: "Task", Input: map[string]string{"subagent_type": name, "prompt": "x", "description": "x"}}
}

// whole is a rule for every call of a tool.
func whole(r importers.Rule, tool string) importers.Rule {
	switch tool {
	case "Bash", "PowerShell":
		r.Calls.Command = &importers.Command{}
	case "Edit":
		r.Calls.Tools = []string{"Edit", "Write", "MultiEdit", "NotebookEdit"}
	default:
		r.Calls.Tools = []string{tool}
	}
	return r
}

// command reads a pattern: git push:* is git push *, and a star stands for any
// characters.
func command(inner string) *importers.Command {
	if begin, ok := strings.CutSuffix(inner, ":*"); ok {
		if strings.Contains(begin, "*") {
			return importers.Glob(begin + " *")
		}
		return importers.Prefix(begin)
	}
	return importers.Glob(inner)
}

// files is a rule about paths.
func files(r importers.Rule, pattern string, user bool, actions []string, tools ...string) importers.Rule {
	root := "." // where the settings are
	if user {
		root = "~/.claude"
	}
	return r.Files(slices.Clone(actions), tools).Below(root, pattern)
}

func fetch(r importers.Rule, inner string) importers.Rule {
	host, ok := strings.CutPrefix(inner, "domain:")
	if !ok {
		return parameter(r, "WebFetch", inner)
	}
	host = strings.ToLower(strings.TrimSpace(host))
	if host == "*" {
		r.Calls.Tools = []string{"WebFetch"}
		return r
	}
	if host == "" || strings.ContainsAny(host, "/@ ?#:[") {
		return r.Ignore("this is not a host, so it matches nothing")
	}
	r.Calls.To = []string{host}
	if r.Decision == trammel.Allow {
		r.Calls.Tools = []string{"WebFetch"}
	}
	return r
}

// mcp is a rule about tools of servers: mcp__server, mcp__server__*, mcp__server__tool.
func mcp(r importers.Rule, tool, inner string, has bool) importers.Rule {
	server, name, named := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
	if r.Decision == trammel.Allow && (strings.Contains(server, "*") || !named && strings.Contains(tool, "*")) {
		return r.Ignore("what is allowed has to name the server")
	}
	if has && inner != "" && inner != "*" {
		return parameter(r, tool, inner)
	}
	switch {
	case server == "*" && (!named || name == "*"):
		r.Calls.Tools = []string{"mcp__*"}
	case !named && !strings.Contains(server, "*"):
		r.Calls.Tools = []string{"mcp__" + server + "__*"}
	default:
		r.Calls.Tools = []string{tool}
	}
	return r
}

// parameter is a rule about one argument: Tool(name:value).
func parameter(r importers.Rule, tool, inner string) importers.Rule {
	m := param().FindStringSubmatch(inner)
	switch {
	case m == nil:
		return r.Ignore("the agent does not know what " + inner + " means for " + tool)
	case r.Decision == trammel.Allow:
		return r.Ignore("a rule about an argument counts only in deny and ask")
	case slices.Contains([]string{"command", "file_path", "path", "url"}, m[1]):
		return r.Ignore("the agent has rules of another form for " + m[1] + ", and ignores this one")
	}
	r.Calls.Tools = []string{tool}
	value := strings.TrimSpace(m[2])
	if strings.Contains(value, "*") {
		parts := strings.Split(value, "*")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		r.Calls.When = "string(input." + m[1] + ` ?? "") matches ` + importers.Quote("^"+strings.Join(parts, ".*")+"$")
	} else {
		r.Calls.When = "string(input." + m[1] + ` ?? "") == ` + importers.Quote(value)
	}
	call := func(value string) *importers.Call {
		return &importers.Call{Tool: strings.ReplaceAll(tool, "*", "a"), Input: map[string]string{m[1]: value}}
	}
	r.Calls.Example, r.Calls.Miss = call(strings.ReplaceAll(value, "*", "x")), call("not "+value)
	return r
}
