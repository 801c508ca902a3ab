package trammel

import (
	"cmp"
	"slices"
	"strings"
)

// Part is a place of an Action that an argument can fill.
type Part uint8

// The parts. NoPart is an argument whose name says nothing.
const (
	NoPart Part = iota
	CommandPart
	DirPart
	PathPart
	ContentPart
	URLPart
	QueryPart
	AgentPart
)

// PartOf says what an argument is by its name, and how usual that name is: the
// lower rank wins. It is the one place that knows how arguments are spelled.
func PartOf(argument string) (part Part, rank int) {
	switch argument {
	case "command":
		return CommandPart, 0
	case "cmd":
		return CommandPart, 1
	case "shell_command":
		return CommandPart, 2
	case "script":
		return CommandPart, 3
	case "program", "executable", "binary":
		return CommandPart, 4
	case "cwd":
		return DirPart, 0
	case "workdir":
		return DirPart, 1
	case "working_directory":
		return DirPart, 2
	case "dir_path":
		return DirPart, 3
	case "file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename", "fileName", "file_name", "file":
		return PathPart, 0
	case "source", "old_path":
		return PathPart, 1
	case "destination", "new_path":
		return PathPart, 2
	case "dirPath", "dirpath", "folder_path", "folderPath":
		return PathPart, 3
	case "paths", "files":
		return PathPart, 3
	case "content":
		return ContentPart, 0
	case "new_string", "newString", "new_str", "newStr":
		return ContentPart, 1
	case "new_source":
		return ContentPart, 2
	case "file_text", "insert_text", "newText", "new_text", "code_edit":
		return ContentPart, 3
	case "text":
		return ContentPart, 4
	case "contents", "file_content", "file_contents", "fileContent", "diff", "patch":
		return ContentPart, 5
	case "url":
		return URLPart, 0
	case "uri":
		return URLPart, 1
	case "query":
		return QueryPart, 0
	case "pattern":
		return QueryPart, 1
	case "subagent_type":
		return AgentPart, 0
	case "agent_type":
		return AgentPart, 1
	}
	return partByWords(argument), 9
}

// partByWords goes by the last word of a name that is spelled in another way:
// commandLine, absolutePath, image_url.
func partByWords(argument string) Part {
	word := lastWord(argument)
	switch word {
	case "command", "cmd", "commandline":
		return CommandPart
	case "line":
		if strings.HasSuffix(lastWord(strings.TrimRight(argument[:len(argument)-len(word)], "_-. ")), "command") {
			return CommandPart
		}
	case "path", "paths", "filepath", "filepaths", "file", "files", "filename", "directory", "folder":
		return PathPart
	case "url", "urls", "uri", "uris":
		return URLPart
	}
	return NoPart
}

// lastWord is the last word of a name, in lower case: path of absolutePath.
func lastWord(name string) string {
	at := strings.LastIndexAny(name, "_-. ") + 1
	for i := len(name) - 1; i > at; i-- {
		if 'A' <= name[i] && name[i] <= 'Z' && 'a' <= name[i-1] && name[i-1] <= 'z' {
			at = i
			break
		}
	}
	return strings.ToLower(name[at:])
}

// looseAction reads a tool that no table knows. It errs on the side of seeing
// too much: an unknown tool with a command in it is a shell.
func looseAction(call *ToolCall) (a Action) {
	a.loose(call.Input)
	if server, tool, ok := mcpName(call.Name); ok {
		a.Kind, a.Server, a.Tool = MCPAction, server, tool
	} else if a.Command != "" {
		a.Kind = ShellAction
	}
	return a
}

// Loose reads arguments by their usual names. The kind of the action is left
// open.
func Loose(input map[string]any) (a Action) {
	a.loose(input)
	return a
}

func (a *Action) loose(input map[string]any) {
	operation := Operation(input)
	var rank [AgentPart + 1]int
	var paths []rankedPath
	names := make([]string, 0, 8)
	for name := range input {
		names = append(names, name)
	}
	slices.Sort(names) // the same call is always read the same
	for _, name := range names {
		value := input[name]
		p, r := PartOf(name)
		if p == NoPart {
			continue
		}
		if p == PathPart {
			paths = append(paths, rankedPath{r, name})
			continue
		}
		text, ok := textOf(value)
		if p == URLPart {
			text = firstOf(value)
			ok = text != ""
		}
		switch {
		case !ok:
		case p == CommandPart && operation != "" && plainOperation(strings.ToLower(text)) == operation: // of an editor, not of a shell
		case rank[p] == 0 || r+1 < rank[p]:
			rank[p] = r + 1
			*a.part(p) = text
		case p == CommandPart && r+1 == rank[p]: // startCommand and stopCommand: both count
			a.Command += "\n" + text
		}
	}
	slices.SortStableFunc(paths, func(x, y rankedPath) int { return cmp.Compare(x.rank, y.rank) })
	for _, p := range paths {
		a.Paths = appendPaths(a.Paths, input[p.name])
	}
	if a.Command == "" {
		return
	}
	for _, name := range names {
		if words, ok := input[name].([]any); ok && len(words) > 0 && IsArguments(name) {
			a.Command += " " + quoteWords(words)
		} else if text, ok := input[name].(string); ok && text != "" && IsArguments(name) {
			a.Command += " " + text
		}
	}
}

// IsArguments reports whether a list of that name holds the arguments of a command
// that stands beside it.
func IsArguments(name string) bool { return name == "args" || name == "arguments" || name == "argv" }

type rankedPath struct {
	rank int
	name string
}

func (a *Action) part(p Part) *string {
	switch p {
	case CommandPart:
		return &a.Command
	case DirPart:
		return &a.Dir
	case ContentPart:
		return &a.Content
	case URLPart:
		return &a.URL
	case QueryPart:
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

// firstOf takes a string, or the first of a list.
func firstOf(v any) string {
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	s, _ := v.(string)
	return s
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
