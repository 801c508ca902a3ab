package effects

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
)

// nameOf returns the name of a tool, without its server.
func nameOf(call *trammel.ToolCall) string { return cmp.Or(call.Action.Tool, call.Name) }

// doing is what a tool does to its files: by its name, by the operation among its
// arguments, and by whether there is content for them.
type doing struct {
	name, operation string
	content         bool
}

// op reports whether an unknown tool does this to its files. An operation counts
// instead of the name only if the tool is an editor: others may ignore the argument.
func (d doing) op(op model.Op) bool {
	does := func(verb string) bool {
		return op == byName(verb, d.content) || op == Delete && saysItMoves(verb) || op == Read && !d.content && saysItTakes(verb)
	}
	return d.operation != "" && does(d.operation) || !d.told() && does(d.name)
}

// told reports whether the arguments of an editor say what it does.
func (d doing) told() bool { return d.operation != "" && isEditor(d.name) }

// isEditor reports whether a tool is for several things that are done to files, by its name.
func isEditor(name string) bool {
	editor := false
	for word := range words(name) {
		switch word {
		case "editor", "memory", "replace":
			editor = true
		case "write", "create", "delete", "remove", "move", "rename", "copy", "upload", "send", "append", "save", "file":
			return false
		}
	}
	return editor
}

// within is what the arguments in an object say about the files in it.
func (d doing) within(m map[string]any) doing {
	a := trammel.Loose(m)
	return doing{d.name, cmp.Or(trammel.Operation(m), d.operation), d.content || a.Content != ""}
}

// byName guesses what an unknown tool does to its paths, from the verb in its
// name. A tool that is given content writes it. If the name says nothing, only
// reading is certain.
func byName(name string, content bool) model.Op {
	name = strings.ToLower(name)
	says := func(verbs ...string) bool {
		return slices.ContainsFunc(verbs, func(verb string) bool { return strings.Contains(name, verb) })
	}
	switch {
	case says("delete", "remove", "unlink", "trash", "rmdir", "erase", "wipe", "destroy"):
		return Delete
	case content, says("write", "create", "edit", "update", "append", "save", "replace", "patch", "insert", "move", "rename", "copy", "put"):
		return Write
	case says("list", "search", "find", "tree", "glob"):
		return Search
	}
	return Read
}

// saysItTakes reports whether a tool's name says that it reads files in order to
// upload, attach or copy them. If it is given no content, it must get it from there.
func saysItTakes(name string) bool {
	for word := range words(name) {
		switch word {
		case "upload", "uploads", "put", "send", "attach", "share", "post", "publish", "mail", "submit", "import", "ingest", "push", "sync",
			"store", "create", "add", "copy":
			return true
		}
	}
	return false
}

// assumed returns what an unknown tool may do to the paths in its arguments beyond
// its known effects: it changes them, unless its name says that it only reads.
func assumed(ev *trammel.Event, known []File) []File {
	r := reading{call: ev.Tool}
	if !r.foreign() || saysItLooks(nameOf(ev.Tool)) {
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

// saysItMoves reports whether a tool's name says that it moves something away.
func saysItMoves(name string) bool {
	for word := range words(name) {
		if word == "move" || word == "rename" || word == "mv" {
			return true
		}
	}
	return false
}

// saysItLooks reports whether a tool's name says that it only reads: read_file, listDirectory.
func saysItLooks(name string) bool {
	looks := false
	for word := range words(name) {
		switch word {
		case "write", "edit", "create", "update", "delete", "remove", "move", "put", "patch", "append", "insert", "replace",
			"set", "save", "rename", "upload", "apply", "copy", "make", "mkdir", "touch", "change", "modify", "add", "clear",
			"reset", "restore", "format", "fix", "run", "exec", "execute":
			return false
		case "read", "get", "list", "search", "view", "show", "find", "stat", "cat", "open", "describe", "query", "head",
			"tail", "glob", "ls", "tree", "info", "count", "lookup", "check", "inspect", "preview", "grep", "diff", "explain",
			"analyze", "summarize":
			looks = true
		}
	}
	return looks
}

// words splits a name at punctuation and capital letters.
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

// wellKnown reports whether it is clear what a tool does to its paths: it belongs
// to the common file server, or its paths are in a repository on a host.
func wellKnown(a *trammel.Action) bool {
	if a.Kind != trammel.MCPAction {
		return false
	}
	switch a.Tool {
	case "read_file", "read_text_file", "read_media_file", "read_multiple_files", "write_file", "edit_file", "create_directory",
		"list_directory", "list_directory_with_sizes", "directory_tree", "move_file", "search_files", "get_file_info":
		return a.Server == "filesystem"
	case "get_file_contents", "push_files":
		return codeHost(a.Server)
	case "git_status", "git_diff", "git_diff_staged", "git_diff_unstaged", "git_log", "git_show", "git_commit":
		return a.Server == "git"
	}
	return false
}

// codeHost reports whether a server belongs to a host of repositories.
func codeHost(server string) bool {
	return server == "github" || server == "gitlab" || server == "gitea"
}
