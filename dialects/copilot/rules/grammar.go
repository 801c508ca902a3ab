package rules

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/importers"
)

// option is a rule of --allow-tool and --deny-tool: shell, shell(git push),
// shell(git:*), read, write, write(path), url(host), Server, Server(tool).
func option(r importers.Rule) importers.Rule {
	name, inner, has, ok := importers.Term(r.Text)
	begin, open := strings.CutSuffix(inner, ":*")
	switch {
	case !ok:
		return r.Ignore("this is neither a name nor a name with something in parentheses")
	case name == "shell" && inner == "":
		r.Calls.Command = &importers.Command{}
	case name == "shell" && open:
		r.Calls.Command = importers.Prefix(begin)
	case name == "shell" && r.Decision == trammel.Deny: // shell(git push) is also git push origin
		r.Calls.Command = importers.Prefix(inner)
	case name == "shell":
		r.Calls.Command = importers.Exactly(inner)
	case name == "read" || name == "write":
		return files(r, name, inner)
	case name == "url" && inner != "":
		return host(r, strings.TrimPrefix(strings.TrimPrefix(inner, "https://"), "http://"))
	case name == "url" || name == "memory":
		r.Calls.Tools = map[string][]string{"url": {"web_fetch"}, "memory": {"store_memory"}}[name]
	case has && inner != "":
		r.Calls.Tools = []string{"mcp__" + name + "__" + inner}
	default:
		r.Calls.Tools = []string{"mcp__" + name + "__*"}
	}
	return r
}

// managed is a rule that an administrator sets: Shell(x *), Read, Edit or Write
// with a path, Domain(host).
func managed(r importers.Rule) importers.Rule {
	name, inner, _, ok := importers.Term(r.Text)
	switch {
	case !ok:
		return r.Ignore("this is neither a name nor a name with something in parentheses")
	case (name == "Shell" || name == "Bash") && strings.Trim(inner, "*") == "":
		r.Calls.Command = &importers.Command{}
	case name == "Shell" || name == "Bash":
		r.Calls.Command = importers.Glob(inner)
	case name == "Read":
		return files(r, "read", inner)
	case name == "Edit" || name == "Write":
		return files(r, "write", inner)
	case name == "Domain" && inner != "":
		return host(r, inner)
	case name == "Domain":
		r.Calls.Tools = []string{"web_fetch"}
	default:
		return r.Ignore("there is no such kind of rule; there are Shell, Read, Edit and Domain")
	}
	return r
}

// files is a rule about reading or writing, everything or a pattern.
func files(r importers.Rule, verb, pattern string) importers.Rule {
	actions, tools := []string{"read"}, []string{"view", "read", "read_file"}
	if verb == "write" {
		actions, tools = []string{"write", "edit", "delete"}, []string{"create", "edit", "str_replace_editor", "write"}
	}
	r = r.Files(actions, tools)
	if pattern == "" || pattern == "*" || pattern == "**" {
		return r
	}
	return r.Below(".", pattern)
}

// host is a host; *.x also stands for x itself.
func host(r importers.Rule, name string) importers.Rule {
	name, path, _ := strings.Cut(strings.ToLower(name), "/")
	if name == "" || strings.ContainsAny(name, "@ ?#:[") || strings.Trim(name, "*.") == "" {
		return r.Refuse("this is not a pattern for a host")
	}
	if strings.Trim(path, "*") != "" {
		if r.Decision == trammel.Allow {
			return r.Refuse("a part of a host cannot be allowed, only all of it")
		}
		r.Why = "all of the host"
	}
	if rest, ok := strings.CutPrefix(name, "*."); ok {
		name = "." + rest
	}
	r.Calls.To = []string{name}
	if r.Decision == trammel.Allow {
		r.Calls.Tools = []string{"web_fetch"}
	}
	return r
}
