package rules

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
	"github.com/trammel-dev/trammel/internal/lazy"
)

// hooks are the items of a translated file, as they are.
func hooks(text string, from []int) (out []importers.Rule) {
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if id, ok := strings.CutPrefix(line, "  - id: "); ok {
			out = append(out, importers.Rule{Line: from[i], Text: "hook " + id, Program: &importers.Program{ID: id, Lines: []string{}}})
		} else if inner, ok := strings.CutPrefix(line, "    "); ok && len(out) > 0 {
			p := out[len(out)-1].Program
			p.Lines = append(p.Lines, inner)
		}
	}
	return out
}

// ranks: denials come first, then what is allowed, then questions.
var ranks = map[string]struct {
	decision trammel.Decision
	rank     float64
}{"deny": {trammel.Deny, 3}, "allow": {trammel.Allow, 2}, "ask": {trammel.Ask, 1}}

func permissions(m document.Member) (out []importers.Rule, err error) {
	list, known := ranks[m.Key]
	if !known {
		return nil, document.Wrong(m.Line, "found %q, expected allow, ask or deny", m.Key)
	}
	items, err := m.Value.Listed("permissions."+m.Key, "a rule")
	for _, item := range items {
		out = append(out, rule(importers.Rule{Line: item.Line, Text: item.Text, Decision: list.decision, Rank: list.rank}))
	}
	return out, err
}

// argument begins a condition on one: shell:cmd=ls*.
var argument = lazy.Regexp(`:(\w+)=`)

// rule reads tool[:argument=pattern]…, in which * stands for any characters.
func rule(r importers.Rule) importers.Rule {
	parts := argument().Split(r.Text, -1)
	tool, keys := parts[0], argument().FindAllStringSubmatch(r.Text, -1)
	if strings.ContainsAny(r.Text, `[\`) {
		return r.Refuse("classes of characters and escapes cannot be imported")
	}
	if tool == "shell" && (len(keys) == 0 || len(keys) == 1 && keys[0][1] == "cmd") {
		r.Calls.Command = &importers.Command{}
		if len(keys) == 1 {
			r.Calls.Command = command(parts[1])
		}
		return r
	}
	r.Calls.Tools = []string{name(tool)}
	var when []string
	for i, key := range keys {
		when = append(when, "string(input."+key[1]+` ?? "") matches `+importers.Quote("(?is)^"+importers.Wild(parts[i+1])+"$"))
	}
	if r.Calls.When = strings.Join(when, " && "); r.Calls.When != "" && slices.Contains(paths, keys[0][1]) && len(keys) == 1 {
		return files(r, tool, parts[1])
	}
	return r
}

// command is a pattern for a command line: sudo* begins with sudo.
func command(pattern string) *importers.Command {
	if strings.Contains(pattern, "?") || strings.ToLower(pattern) != pattern { // GIT PUSH* is about git push, too
		begin, open := strings.CutSuffix(pattern, " *")
		return &importers.Command{Regexp: "(?i)" + importers.Wild(begin) + map[bool]string{true: "( .*)?"}[open], Whole: true}
	}
	if begin, open := strings.CutSuffix(pattern, " *"); open && !strings.Contains(begin, "*") {
		return importers.Prefix(begin)
	}
	return importers.Glob(pattern)
}

// name is a tool in a match. Tools of servers are mcp:server:tool.
func name(tool string) string {
	if rest, ok := strings.CutPrefix(tool, "mcp:"); ok {
		return "mcp__" + strings.Replace(rest, ":", "__", 1)
	}
	return tool
}

// paths are arguments that name a file.
var paths = []string{"path", "file_path"}

// files is a rule about the path of one of docker-agent's own tools for files.
func files(r importers.Rule, tool, pattern string) importers.Rule {
	actions, known := map[string][]string{"read_file": {"read"}, "write_file": {"write", "edit"}, "edit_file": {"write", "edit"}}[tool]
	if !known || r.Decision == trammel.Allow {
		return r
	}
	glob := strings.ReplaceAll(strings.ReplaceAll(pattern, "**", "*"), "*", "**")
	if strings.HasSuffix(glob, "**") && !strings.HasSuffix(glob, "/**") || strings.Contains(strings.Trim(glob, "*"), "*") {
		return r // not a pattern by folders
	}
	r.Calls = importers.Calls{Actions: actions, Paths: []string{glob}}
	return r
}
