package effects

import (
	"strings"

	"github.com/trammel-dev/trammel"
)

// assumed is what a tool that nobody knows may do to the paths in its arguments
// beyond what its effects say: unless its name says that it only looks, it
// changes them.
func assumed(ev *trammel.Event, known []File) []File {
	a := &ev.Tool.Action
	if len(a.Paths) == 0 || a.Kind != trammel.OtherAction && a.Kind != trammel.MCPAction {
		return nil
	}
	name := a.Tool
	if name == "" {
		name = ev.Tool.Name
	}
	if saysItLooks(name) {
		return nil
	}
	var out []File
	for _, f := range known {
		if f.Run < 0 && (f.Op == Read || f.Op == Search) {
			f.Op = Write
			out = append(out, f)
		}
	}
	return out
}

// saysItLooks goes by the words of a tool's name: read_file, listDirectory.
func saysItLooks(name string) bool {
	looks := false
	for word := range words(name) {
		switch word {
		case "write", "edit", "create", "update", "delete", "remove", "move", "put", "patch", "append", "insert", "replace", "set", "save",
			"rename", "upload", "apply", "copy", "make", "mkdir", "touch",
			"change", "modify", "add", "clear", "reset", "restore", "format", "fix", "run", "exec", "execute":
			return false
		case "read", "get", "list", "search", "view", "show", "find", "stat", "cat", "open", "describe", "query", "head", "tail", "glob", "ls",
			"tree", "info", "count", "lookup", "check", "inspect",
			"preview", "grep", "diff", "explain", "analyze", "summarize":
			looks = true
		}
	}
	return looks
}

// words splits a name at signs and at capital letters.
func words(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i <= len(name); i++ {
			letter := i < len(name) && (name[i]|0x20 >= 'a' && name[i]|0x20 <= 'z')
			capital := letter && name[i] < 'a' && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z'
			if letter && !capital {
				continue
			}
			if i > start && !yield(strings.ToLower(name[start:i])) {
				return
			}
			if start = i; !letter {
				start = i + 1
			}
		}
	}
}
