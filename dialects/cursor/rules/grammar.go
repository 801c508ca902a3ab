package rules

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/importers"
)

// terminal is a command that may run: git, npm:test, git status, npm run *.
func terminal(r importers.Rule, text string) importers.Rule {
	program, arguments, split := strings.Cut(text, ":")
	if split && !strings.Contains(program, " ") {
		text = strings.TrimSpace(program + " " + arguments)
	}
	switch {
	case strings.TrimSpace(text) == "":
		return r.Ignore("it is empty")
	case strings.Contains(text, "*"):
		r.Calls.Command = importers.Glob(strings.ReplaceAll(text, "**", "*"))
	default:
		r.Calls.Command = importers.Prefix(text)
	}
	return r
}

// server is server:tool, each of which may be a pattern.
func server(r importers.Rule, text string) importers.Rule {
	name, tool, ok := strings.Cut(strings.Replace(text, ",", ":", 1), ":")
	name, tool = strings.TrimSpace(name), strings.TrimSpace(tool)
	switch {
	case !ok || name == "" || tool == "":
		return r.Ignore("this is not server:tool")
	case name == "*" && tool == "*":
		r.Calls.Tools = []string{"mcp__*"}
	default:
		r.Calls.Tools = []string{"mcp__" + name + "__" + tool}
	}
	return r
}

// permission is Shell(command), Read(path), Write(path), Mcp(server:tool),
// WebFetch(domain).
func permission(r importers.Rule, text string) importers.Rule {
	name, inner, has, ok := importers.Term(text)
	switch {
	case !ok || !has:
		return r.Ignore("this is not a name with something in parentheses")
	case name == "Shell":
		return terminal(r, inner)
	case name == "Read":
		return files(r, inner, []string{"read"}, []string{"Read"})
	case name == "Write":
		return files(r, inner, []string{"write", "edit", "delete"}, []string{"Write", "Edit", "Delete"})
	case name == "Mcp":
		return server(r, inner)
	case name == "WebFetch" && inner == "*":
		r.Calls.Tools = []string{"WebFetch"}
	case name == "WebFetch" && inner != "" && !strings.ContainsAny(inner, "/@ ?#:["):
		if r.Calls.To = []string{strings.ToLower(inner)}; r.Decision == trammel.Allow {
			r.Calls.Tools = []string{"WebFetch"}
		}
	default:
		return r.Ignore("there is no such rule; there are Shell, Read, Write, Mcp and WebFetch")
	}
	return r
}

func files(r importers.Rule, pattern string, actions, tools []string) importers.Rule {
	r = r.Files(actions, tools)
	if strings.Trim(pattern, "*") == "" {
		return r
	}
	if strings.HasPrefix(pattern, "/") { // an absolute path
		pattern = "/" + pattern
	}
	return r.Below(".", pattern)
}
