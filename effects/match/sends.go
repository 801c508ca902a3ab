package match

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/world"
)

// Sends finds a file that matches one of the globs and goes to a host: the sender
// reads it, or gets it through a pipe, a substitution, a variable or another file.
// Without globs it is enough that something is sent.
func Sends(ev *trammel.Event, globs []string, doubt bool) (Hit, bool) {
	if ev.Tool == nil {
		return Hit{}, false
	}
	set := effects.Of(ev)
	f := flow{set: set, seen: make([]bool, len(set.Runs))}
	tool := false
	for _, n := range effects.Hosts(set) {
		switch {
		case len(globs) == 0:
			if Sending(set, &n) {
				return Hit{Run: n.Run, Host: n.Host, Text: "sends data to " + cmp.Or(n.Host, "an unknown host")}, true
			}
		case n.Run < 0:
			tool = tool || n.Sends
		case n.Sends, !n.Listens && !hostname.Local(n.Host) && (client(&set.Runs[n.Run]) || doubt && !listed(&set.Runs[n.Run])):
			f.given(n.Run)
		default: // the address itself goes out, too
			f.named(n.Run)
		}
	}
	maySend := func() (Hit, bool) {
		for _, n := range effects.Hosts(set) {
			if doubt && MaySend(set, &n) {
				return Hit{Run: n.Run, Host: n.Host, Text: "may send data to " + cmp.Or(n.Host, "an unknown host"), Doubt: "what is sent"}, true
			}
		}
		return Hit{}, false
	}
	if len(globs) == 0 {
		return maySend()
	}
	for i := range set.Runs {
		if len(set.Runs[i].Uses) > 0 && programs.Tells(&set.Runs[i]) {
			f.named(i)
		}
	}
	spec := Spec{Actions: []trammel.ActionKind{trammel.ReadAction}, Paths: globs, Doubt: doubt}
	if h, ok := pushed(ev, set, &spec); ok {
		return h, true
	}
	for h := range spec.Hits(ev) {
		if h.Blind || h.Run < 0 && tool || h.Run >= 0 && f.seen[h.Run] {
			if h.Path != "" {
				h.Text = "sends " + h.Path
			}
			return h, true
		}
	}
	return maySend()
}

// client reports whether a program is a client of a database, which hands on what it is told
// to read.
func client(r *effects.Run) bool {
	area, _ := programs.ClassOf(r)
	language := programs.Language(r)
	return area == "database" || language == "sql" || language == "redis" || language == "mongo"
}

func listed(r *effects.Run) bool {
	_, known := programs.Lookup(r.Program)
	return known
}

// Sending reports whether data of ours goes to a host: in a body or an upload,
// as something that is published, or as a file's content in the arguments.
func Sending(set *effects.Set, n *model.Net) bool {
	if n.Sends || n.Run < 0 || n.Listens {
		return n.Sends
	}
	r := &set.Runs[n.Run]
	if _, class := programs.ClassOf(r); class == programs.Publish {
		return true
	}
	return slices.ContainsFunc(r.Uses, func(source int) bool {
		return slices.ContainsFunc(set.Files, func(f effects.File) bool { return f.Run == source && reads(&f) })
	})
}

// MaySend reports whether local files may go to a host, because it is unknown what
// is published or what the program's arguments are.
func MaySend(set *effects.Set, n *model.Net) bool {
	if n.Sends || n.Run < 0 || n.Listens || n.Host != "" && hostname.Local(n.Host) {
		return false
	}
	r := &set.Runs[n.Run]
	area, class := programs.ClassOf(r)
	if class == programs.Publish || n.Own || area != "" { // those send what they publish, and no other files
		return class == programs.Publish
	}
	return slices.ContainsFunc(set.Doubts, func(d model.Doubt) bool { return d.Run == n.Run && d.Code == "argument" }) ||
		slices.ContainsFunc(r.Args, func(w effects.Word) bool {
			return !w.Known && !w.Names && w.Text != n.URL && unknownAt(w.Text) == 0 && mayBe(w.Text, "-") && !strings.ContainsRune(w.Text, '/')
		})
}

// pushed finds a file that git commits and then pushes. A file that is added
// together with everything else counts only with force: most such files are
// ignored.
func pushed(ev *trammel.Event, set *effects.Set, spec *Spec) (hit Hit, found bool) {
	last := len(set.Runs) - 1
	for ; last >= 0; last-- {
		if g, ok := programs.ReadGit(&set.Runs[last]); ok && g.Sub == "push" {
			break
		}
	}
	m := matcher{Spec: spec, call: Look(ev), ev: ev, set: set, yield: func(h Hit) bool { hit, found = h, true; return false }}
	for i := 0; i < last && !found; i++ {
		g, ok := programs.ReadGit(&set.Runs[i])
		if !ok || g.Help || g.Sub != "add" && g.Sub != "stage" && g.Sub != "commit" {
			continue
		}
		a := g.Options()
		forced := g.Sub != "commit" && a.Has("f", "force")
		if forced && a.Has("A", "all") {
			a.Operands = append(a.Operands, model.Word{Text: ".", Known: true})
		}
		at, dir := paths.Resolver{World: world.Of(ev)}, set.Runs[i].Dir
		for _, w := range g.Dirs {
			dir = at.Resolve(w, dir)
		}
		for _, w := range a.Operands {
			t := effects.NewTouch(ev, effects.Read, at.Resolve(w, dir), forced)
			t.Run = i
			m.file(t)
		}
	}
	if found {
		hit.Text = "sends " + hit.Path
	}
	return hit, found
}

// flow follows data back to the runs that it comes from.
type flow struct {
	set  *effects.Set
	seen []bool
}

// given marks a run, and all runs whose output it gets.
func (f *flow) given(run int) {
	if run < 0 || run >= len(f.seen) || f.seen[run] {
		return
	}
	f.seen[run] = true
	r := &f.set.Runs[run]
	f.given(r.From)
	f.given(r.By)
	for _, source := range r.Uses {
		f.given(source)
	}
	for i := range f.set.Files {
		if file := &f.set.Files[i]; file.Run == run && reads(file) {
			f.made(i)
		}
	}
}

// named marks the runs whose output is part of a run's arguments.
func (f *flow) named(run int) {
	r := &f.set.Runs[run]
	for _, source := range r.Uses {
		f.given(source)
	}
	if r.By >= 0 && (f.set.Runs[r.By].Program == "xargs" || f.set.Runs[r.By].Program == "parallel") {
		f.given(r.By)
	}
}

// made marks the runs that have written a file before it is read.
func (f *flow) made(read int) {
	from := &f.set.Files[read]
	for i := range f.set.Files[:read] {
		switch file := &f.set.Files[i]; {
		case file.Run == from.Run || file.Run < 0 || f.seen[file.Run]:
		case file.Op == effects.Write && meets(&file.Path, file.Tree, from),
			(file.Op == effects.Move || file.Op == effects.Link) && meets(&file.To, file.Tree, from):
			f.given(file.Run)
		}
	}
}

func reads(f *effects.File) bool {
	return f.Op == effects.Read || f.Op == effects.Move || f.Op == effects.Link
}

// meets reports whether data written to a path can be what a file effect reads.
func meets(to *effects.Path, tree bool, from *effects.File) bool {
	read := &from.Path
	switch {
	case !to.Known() || !read.Known():
		return false
	case to.Abs == read.Abs || to.Real == read.Real || to.Real == read.Abs || to.Abs == read.Real,
		tree && paths.Within(read.Abs, to.Abs), from.Tree && paths.Within(to.Abs, read.Abs):
		return true
	case to.Glob && read.Glob:
		return path.Dir(to.Abs) == path.Dir(read.Abs) && meet(path.Base(to.Abs), path.Base(read.Abs), false, true)
	}
	return to.Glob && doublestar.MatchUnvalidated(to.Abs, read.Abs) || read.Glob && doublestar.MatchUnvalidated(read.Abs, to.Abs)
}
