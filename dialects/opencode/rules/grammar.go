package rules

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/importers"
)

// actions of permissions that are about files, and the tools that they allow.
var files = map[string]struct{ actions, tools []string }{
	"read": {[]string{"read"}, []string{"read"}},
	"edit": {[]string{"write", "edit", "delete"}, []string{"edit", "write", "patch", "multiedit", "apply_patch"}},
}

// permission says what one rule means: a kind of permission, and a pattern in
// which * stands for any characters and ? for one.
func permission(r importers.Rule, key, pattern string) []importers.Rule {
	one := func(r importers.Rule) []importers.Rule { return []importers.Rule{r} }
	all := pattern == "*"
	switch file, isFile := files[key]; {
	case key == "*" && all:
		return r.Everything()
	case key == "bash" && all:
		r.Calls.Command = &importers.Command{}
	case key == "bash" && strings.Contains(pattern, "?"):
		r.Calls.Command = &importers.Command{Regexp: importers.Wild(pattern), Whole: true}
	case key == "bash":
		r.Calls.Command = importers.Glob(pattern)
	case isFile:
		if r.Decision == trammel.Allow {
			r.Calls.Tools = file.tools
		}
		r.Calls.Actions = file.actions
		if !all {
			r.Calls.Paths = globs(pattern)
		}
	case key == "webfetch" && !all:
		return one(url(r, pattern))
	case key == "task" && !all:
		r.Calls.Actions, r.Calls.When = []string{"agent"}, "action.agent matches "+importers.Quote("^(?:"+importers.Wild(pattern)+")$")
	case key == "external_directory" || key == "doom_loop" || key == "skill" || key == "question":
		return one(r.Refuse("what " + key + " is about is known to the agent only"))
	case !all:
		return one(r.Refuse("patterns can be imported for bash, read, edit, webfetch and task"))
	default:
		r.Calls.Tools = []string{name(key)}
	}
	return one(r)
}

// name is a tool in a match. Tools of servers are server_tool.
func name(key string) string {
	if server, tool, ok := strings.Cut(key, "_"); ok && server != "" && !strings.Contains(server, "*") && !builtin[key] {
		return "mcp__" + server + "__" + tool
	}
	return key
}

// builtin are tools with an underscore in their name that are the agent's own.
var builtin = map[string]bool{"apply_patch": true, "plan_enter": true, "plan_exit": true}

// globs are a pattern for a path, in which * also stands for folders.
func globs(pattern string) []string {
	switch {
	case strings.HasPrefix(pattern, "*") && !strings.Contains(strings.TrimLeft(pattern, "*"), "/"):
		return []string{"*" + strings.TrimLeft(pattern, "*")} // any name that ends like this
	case strings.HasPrefix(pattern, "*"):
	case strings.HasPrefix(pattern, "/"), strings.HasPrefix(pattern, "~/"):
	case strings.HasPrefix(pattern, "$HOME/"):
		pattern = "~" + strings.TrimPrefix(pattern, "$HOME")
	default:
		pattern = "./" + strings.TrimPrefix(pattern, "./")
	}
	begin, folder := strings.CutSuffix(strings.ReplaceAll(pattern, "**", "*"), "/*")
	begin = strings.ReplaceAll(begin, "/*/", "/**/")
	if rest, ok := strings.CutPrefix(begin, "*/"); ok {
		begin = "**/" + rest
	}
	switch {
	case folder:
		return []string{begin + "/**"}
	case strings.HasSuffix(begin, "*"):
		return []string{begin, begin + "/**"}
	}
	dir, last := begin[:strings.LastIndexByte(begin, '/')+1], begin[strings.LastIndexByte(begin, '/')+1:]
	if strings.HasPrefix(last, "*") {
		return []string{dir + "**/" + last}
	}
	return []string{begin}
}

// url is a pattern for an address, of which the host can be imported.
func url(r importers.Rule, pattern string) importers.Rule {
	host := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(pattern, "https://"), "http://"), "*://")
	host, rest, _ := strings.Cut(host, "/")
	switch {
	case rest != "" && rest != "*" && r.Decision == trammel.Allow:
		return r.Refuse("a part of a host cannot be allowed, only all of it")
	case rest != "" && rest != "*":
		r.Why = "all of the host"
	case host == "" || strings.ContainsAny(host, "@ ?#:[") || strings.Trim(host, "*.") == "":
		return r.Refuse("this is not a pattern for a host")
	}
	r.Calls.To = []string{strings.ToLower(host)}
	if r.Decision == trammel.Allow {
		r.Calls.Tools = []string{"webfetch"}
	}
	return r
}
