package trammel

import "strings"

// Operation is the word by which arguments say what a tool for files does to them,
// in plain words: "read" for {"command": "view", "path": "x"}. It is "" if there is
// no such word, or no file.
func Operation(input map[string]any) string {
	word := ""
	for _, name := range [...]string{"command", "action", "operation", "op", "mode"} {
		if text, ok := input[name].(string); ok && word == "" {
			word = plainOperation(strings.ToLower(text))
		}
	}
	if word == "" {
		return ""
	}
	files := false
	for name := range input {
		part, _ := PartOf(name)
		if files = files || part == PathPart || name == "uri"; IsArguments(name) { // of a program: {"command": "rm", "args": ["-rf", "x"]}
			return ""
		}
	}
	if !files {
		return ""
	}
	return word
}

func plainOperation(word string) string {
	switch word {
	case "view", "read", "open", "show", "cat", "get", "head", "tail":
		return "read"
	case "list", "ls", "dir":
		return "list"
	case "create", "write", "overwrite", "save", "touch":
		return "write"
	case "insert", "append", "prepend", "replace", "str_replace", "edit", "update", "undo_edit", "patch", "modify", "set":
		return "edit"
	case "delete", "remove", "rm", "unlink", "trash":
		return "delete"
	case "move", "mv", "rename":
		return "move"
	case "copy", "cp":
		return "copy"
	}
	return ""
}
