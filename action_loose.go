package trammel

import (
	"cmp"
	"slices"
)

// part is a place of an Action that a loosely read argument can fill.
type part uint8

const (
	noPart part = iota
	commandPart
	dirPart
	pathPart
	contentPart
	urlPart
	queryPart
	agentPart
)

// loosePart maps the usual spellings of arguments to parts. The rank orders
// spellings of the same part: the lower wins.
func loosePart(name string) (p part, rank int) {
	switch name {
	case "command":
		return commandPart, 0
	case "cmd":
		return commandPart, 1
	case "shell_command":
		return commandPart, 2
	case "script":
		return commandPart, 3
	case "cwd":
		return dirPart, 0
	case "workdir":
		return dirPart, 1
	case "working_directory":
		return dirPart, 2
	case "dir_path":
		return dirPart, 3
	case "file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename", "file":
		return pathPart, 0
	case "source", "old_path":
		return pathPart, 1
	case "destination", "new_path":
		return pathPart, 2
	case "paths", "files":
		return pathPart, 3
	case "content":
		return contentPart, 0
	case "new_string", "newString":
		return contentPart, 1
	case "new_source":
		return contentPart, 2
	case "file_text":
		return contentPart, 3
	case "text":
		return contentPart, 4
	case "url":
		return urlPart, 0
	case "uri":
		return urlPart, 1
	case "query":
		return queryPart, 0
	case "pattern":
		return queryPart, 1
	case "subagent_type":
		return agentPart, 0
	case "agent_type":
		return agentPart, 1
	}
	return noPart, 0
}

// looseAction reads a tool that no table knows. It errs on the side of seeing
// too much: an unknown tool with a command in it is a shell.
func looseAction(call *ToolCall) Action {
	var a Action
	if server, tool, ok := mcpName(call.Name); ok {
		a.Kind, a.Server, a.Tool = MCPAction, server, tool
	}
	var rank [agentPart + 1]int
	var paths []rankedPath
	for name, value := range call.Input {
		p, r := loosePart(name)
		if p == noPart {
			continue
		}
		if p == pathPart {
			paths = append(paths, rankedPath{r, name})
			continue
		}
		if text, ok := textOf(value); ok && (rank[p] == 0 || r+1 < rank[p]) {
			rank[p] = r + 1
			*a.part(p) = text
		}
	}
	slices.SortFunc(paths, func(x, y rankedPath) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.name, y.name))
	})
	for _, p := range paths {
		a.Paths = appendPaths(a.Paths, call.Input[p.name])
	}
	if a.Kind == OtherAction && a.Command != "" {
		a.Kind = ShellAction
	}
	return a
}

type rankedPath struct {
	rank int
	name string
}

func (a *Action) part(p part) *string {
	switch p {
	case commandPart:
		return &a.Command
	case dirPart:
		return &a.Dir
	case contentPart:
		return &a.Content
	case urlPart:
		return &a.URL
	case queryPart:
		return &a.Query
	}
	return &a.Agent
}

// textOf takes a string, or an argument vector as the command line it stands for.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []any:
		return quoteWords(v), true
	}
	return "", false
}

func appendPaths(paths []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(paths, v)
	case []any:
		for _, p := range v {
			if p, ok := p.(string); ok {
				paths = append(paths, p)
			}
		}
	}
	return paths
}
