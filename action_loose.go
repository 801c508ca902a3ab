package trammel

import "slices"

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
	case "script", "shell_command":
		return commandPart, 2
	case "cwd", "workdir", "working_directory", "dir_path":
		return dirPart, 0
	case "file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename", "file":
		return pathPart, 0
	case "source", "old_path":
		return pathPart, 1
	case "destination", "new_path":
		return pathPart, 2
	case "paths", "files":
		return pathPart, 3
	case "content", "new_string", "newString", "new_source", "file_text":
		return contentPart, 0
	case "text":
		return contentPart, 1
	case "url":
		return urlPart, 0
	case "uri":
		return urlPart, 1
	case "query":
		return queryPart, 0
	case "pattern":
		return queryPart, 1
	case "subagent_type", "agent_type":
		return agentPart, 0
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
	type ranked struct {
		name string
		rank int
	}
	var best [agentPart + 1]ranked
	var paths []ranked
	for name := range call.Input {
		p, rank := loosePart(name)
		switch {
		case p == noPart:
		case p == pathPart:
			paths = append(paths, ranked{name, rank})
		case best[p].name == "" || rank < best[p].rank || rank == best[p].rank && name < best[p].name:
			if _, ok := textOf(call.Input[name]); ok {
				best[p] = ranked{name, rank}
			}
		}
	}
	take := func(dst *string, p part) {
		if best[p].name != "" {
			*dst, _ = textOf(call.Input[best[p].name])
		}
	}
	take(&a.Command, commandPart)
	take(&a.Dir, dirPart)
	take(&a.Content, contentPart)
	take(&a.URL, urlPart)
	take(&a.Query, queryPart)
	take(&a.Agent, agentPart)
	slices.SortFunc(paths, func(x, y ranked) int {
		if x.rank != y.rank {
			return x.rank - y.rank
		}
		if x.name < y.name {
			return -1
		}
		return 1
	})
	for _, p := range paths {
		a.Paths = appendPaths(a.Paths, call.Input[p.name])
	}
	if a.Kind == OtherAction && a.Command != "" {
		a.Kind = ShellAction
	}
	return a
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
