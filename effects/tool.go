package effects

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/paths"
)

// tool lists what the tool itself does to files and hosts. What its command
// line does, if it has one, comes on top.
func tool(set *Set, a *trammel.Action, r *paths.Resolver, dir Path) {
	if len(a.Paths) > 0 && (a.Kind == trammel.OtherAction || a.Kind == trammel.MCPAction) && a.Command == "" {
		set.Doubt("argument", "what the tool does to its paths", -1)
	}
	for _, name := range a.Paths {
		p := r.Resolve(r.Tilde(name), dir)
		for op := Read; op <= Search; op++ {
			if does(a, op) {
				set.Files = append(set.Files, File{Op: op, Path: p, Tree: op == Search || op == Delete, Run: -1})
			}
		}
	}
	if a.URL != "" {
		host, port := paths.HostOf(a.URL)
		set.Nets = append(set.Nets, Net{Host: host, Port: port, URL: a.URL, Run: -1})
	}
}

// does reports whether the tool does this to each of its paths. Where a call
// does several things at once it counts as doing each to all of them.
func does(a *trammel.Action, op Op) bool {
	if a.Kind == trammel.OtherAction || a.Kind == trammel.MCPAction {
		return op == foreign(a)
	}
	switch op {
	case Write:
		return a.Is(trammel.WriteAction) || a.Is(trammel.EditAction)
	case Delete:
		return a.Is(trammel.DeleteAction)
	case Read:
		return a.Is(trammel.ReadAction)
	case Search:
		return a.Is(trammel.SearchAction)
	}
	return false
}

// foreign is what a tool that no table knows does to its paths, by the verb in
// its name. One that gives content writes; of one that tells nothing it is only
// sure that it reads.
func foreign(a *trammel.Action) Op {
	name := strings.ToLower(a.Tool)
	says := func(verbs ...string) bool {
		return slices.ContainsFunc(verbs, func(verb string) bool { return strings.Contains(name, verb) })
	}
	switch {
	case says("delete", "remove", "unlink", "trash"):
		return Delete
	case a.Content != "", says("write", "create", "edit", "update", "append", "save", "replace", "patch", "insert", "move", "rename", "copy",
		"put"):
		return Write
	case says("list", "search", "find", "tree", "glob"):
		return Search
	}
	return Read
}
