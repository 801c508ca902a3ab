package effects

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"

	"github.com/trammel-dev/trammel/effects/paths"
)

// tool lists what the tool itself does to files and hosts. What its command
// line does, if it has one, comes on top.
func (d *deriver) tool(a *trammel.Action, st *state) {
	if len(a.Paths) > 0 && (a.Kind == trammel.OtherAction || a.Kind == trammel.MCPAction) && a.Command == "" {
		d.doubt("argument", "what the tool does to its paths", -1)
	}
	for _, name := range a.Paths {
		p := d.resolve(d.tilde(name), st.dir)
		for op := Read; op <= Search; op++ {
			if does(a, op) {
				d.set.Files = append(d.set.Files, File{Op: op, Path: p, Tree: op == Search || op == Delete, Run: -1})
			}
		}
	}
	if a.URL != "" {
		host, port := paths.HostOf(a.URL)
		d.set.Nets = append(d.set.Nets, Net{Host: host, Port: port, URL: a.URL, Run: -1})
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

// tilde is a path of a tool's arguments, in which ~ is the home directory.
func (d *deriver) tilde(name string) Word {
	if d.world.Home() != "" && (name == "~" || strings.HasPrefix(name, "~/")) {
		name = d.world.Home() + name[1:]
	}
	if rest, ok := strings.CutPrefix(name, "file://"); ok {
		name = rest
	}
	return Word{Text: name, Known: true}
}
