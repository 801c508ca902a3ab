package effects

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/languages/windows"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// tool lists what the tool itself does to files and hosts. The effects of its
// command line, if it has one, are added separately.
func (r *reading) tool() {
	a := &r.call.Action
	for _, name := range a.Paths {
		r.path(name)
	}
	if a.URL != "" {
		r.url(a.URL)
	}
	if a.Is(trammel.SearchAction) {
		r.search()
	}
}

// isFile reports whether a path is a file, which a search then reads.
func (r *reading) isFile(p Path) bool {
	info, err := r.Lstat(p.Real)
	return p.Real != "" && err == nil && info.Mode().IsRegular()
}

// showsContent reports whether a content search reads a folder: one within the project, or
// one that usually contains secrets, because it shows matching lines. A search of the whole
// project leaves out what git ignores.
func (r *reading) showsContent(p Path) bool {
	var ground paths.Ground
	name := strings.ToLower(r.call.Name)
	mode, _ := r.call.Input["output_mode"].(string)
	all := mode == "content" && (p.Abs == "/" || p.Abs == r.Home())
	within := p.Known() && r.Project != "" && p.Abs != r.Project && paths.Within(p.Abs, r.Project)
	return (ground.SecretTree(p) || all || within) && !strings.Contains(name, "glob") && !strings.Contains(name, "list")
}

// search lists what a search tool looks at beyond its paths: the directory in
// which a file name pattern begins, and the content of files that another pattern
// selects.
func (r *reading) search() {
	dir := r.Dir
	if len(r.call.Action.Paths) > 0 {
		dir = r.Paths.Resolve(r.Paths.Tilde(r.call.Action.Paths[0]), r.Dir)
	}
	if begin, _, _ := strings.Cut(r.call.Action.Query, "*"); strings.Contains(strings.ToLower(r.call.Name), "glob") {
		if i := strings.LastIndexByte(begin, '/'); i > 0 {
			r.set.Files = append(r.set.Files, File{Op: Search, Path: r.Paths.Resolve(r.Paths.Tilde(begin[:i]), dir), Tree: true, Run: -1})
		}
	}
	for _, name := range []string{"glob", "include"} {
		if glob, _ := r.call.Input[name].(string); glob != "" && glob[0] != '!' {
			w := paths.Word{Text: "**/" + glob, Known: true, Glob: true}
			r.set.Files = append(r.set.Files, File{Op: Read, Path: r.Paths.Resolve(w, dir), Run: -1})
		}
	}
}

// path lists what the tool does to a path in its arguments.
func (r *reading) path(name string) {
	if r.foreign() && r.call.Action.Command == "" && !r.does.told() && !wellKnown(&r.call.Action) {
		r.set.Doubt("argument", "what the tool does to its files", -1)
	}
	word := r.Paths.Tilde(name)
	word.Glob = r.elsewhere(name)
	p := r.Paths.Resolve(word, r.Dir)
	for op := Read; op <= Search; op++ {
		f := File{Op: op, Path: p, Tree: op == Search || op == Delete, Run: -1}
		shows := op == Read && r.call.Action.Is(trammel.SearchAction)
		f.Tree = f.Tree || shows && r.showsContent(p)
		if (r.touches(op) || shows && (f.Tree || r.isFile(p))) && !slices.Contains(r.set.Files, f) {
			r.set.Files = append(r.set.Files, f)
		}
	}
}

// elsewhere reports whether a name is a pattern for files outside of the project. In
// the project, what a tool leaves out is unknown.
func (r *reading) elsewhere(name string) bool {
	dir := fixed(name)
	return r.foreign() && dir != "" && !paths.Within(r.Paths.Resolve(r.Paths.Tilde(dir), r.Dir).Abs, r.Project)
}

// fixed is the directory in which a pattern for files begins, "" if a name is no pattern.
func fixed(name string) string {
	at := strings.IndexAny(name, "*?")
	return name[:strings.LastIndexByte(name[:max(at, 0)], '/')+1]
}

func (r *reading) url(url string) {
	file, ok := fileAt(url)
	switch {
	case ok && r.foreign() && (r.does.op(Write) || r.does.op(Delete)):
		r.path(file)
		return
	case ok:
		r.set.Files = append(r.set.Files, File{Op: Read, Path: r.Paths.Resolve(r.Paths.Tilde(file), r.Dir), Run: -1})
		return
	}
	host, port := paths.HostOf(url)
	if n := (model.Net{Host: host, Port: port, URL: url, Run: -1}); !slices.Contains(r.set.Nets, n) {
		r.set.Nets = append(r.set.Nets, n)
	}
}

// fileAt is the file that an address may stand for: of the scheme file, of another without a
// host (notes:///p/.env), or no address at all, as servers take them for resources (.env).
func fileAt(address string) (name string, ok bool) {
	if name, ok = paths.OfAddress(address); ok {
		return name, true
	}
	if scheme, rest, cut := strings.Cut(address, ":///"); cut && !strings.ContainsAny(scheme, "/?#") && !paths.IsWeb(scheme) {
		return paths.OfAddress("file:///" + rest)
	}
	return address, strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") || strings.HasPrefix(address, "~/") ||
		strings.HasPrefix(address, ".")
}

// foreign reports whether it is unknown what the tool does to its paths.
func (r *reading) foreign() bool {
	switch r.call.Action.Kind {
	case trammel.OtherAction, trammel.MCPAction:
		return true
	}
	return false
}

// touches reports whether the tool does this to each of its paths. If a call does
// several things, it counts as doing each of them to all paths.
func (r *reading) touches(op model.Op) bool {
	a := &r.call.Action
	switch {
	case r.foreign():
		return r.does.op(op)
	case op == Write:
		return a.Is(trammel.WriteAction) || a.Is(trammel.EditAction)
	case op == Delete:
		return a.Is(trammel.DeleteAction)
	case op == Read:
		return a.Is(trammel.ReadAction)
	case op == Search:
		return a.Is(trammel.SearchAction)
	}
	return false
}

// windowsShell returns the language of a tool that is a Windows shell, "" for all
// others.
func windowsShell(tool string) string {
	switch tool = strings.ToLower(tool); {
	case strings.Contains(tool, "powershell") || strings.Contains(tool, "pwsh"):
		return windows.PowerShell
	case tool == "cmd.exe":
		return windows.Batch
	}
	return ""
}
