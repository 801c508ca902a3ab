package match

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// Covered is the condition of an exception: it is true only if a Spec covers
// everything that a call does. One harmless effect does not excuse another, and
// anything unknown is not covered.
//
// Programs alone cover everything that these programs do. If a path, a host or an
// action is named, files are covered only by paths and actions, and hosts only by
// hosts and the action fetch.
func Covered(s Spec) trammel.Condition { return covered{Spec: s} }

// Answered is Covered for the files and hosts that a condition asks for: talks_to says
// nothing about what is sent, while the action fetch only gets something.
func Answered(s Spec) trammel.Condition { return covered{Spec: s, sends: true} }

type covered struct {
	Spec
	sends bool
}

func (s covered) String() string { return "all that it does is covered: " + s.Spec.String() }

// Holds implements trammel.Condition.
func (s covered) Holds(ev *trammel.Event) bool {
	if ev.Tool == nil {
		return false
	}
	c := Look(ev)
	m := coverer{matcher{Spec: &s.Spec, call: c, ev: ev, set: c.effects()}, s.sends}
	m.tool = slices.ContainsFunc(s.Actions, func(a trammel.ActionKind) bool { return !byEffect(a) && ev.Tool.Action.Is(a) })
	switch {
	case m.tool && len(s.Programs)+len(s.Paths)+len(s.To) == 0:
		return true
	case len(s.Actions) > 0 && !m.tool && !slices.ContainsFunc(s.Actions, byEffect):
		return false
	case unclear(m.set):
		return false
	}
	return m.all()
}

// unclear reports whether a call may do more than what is listed.
func unclear(set *model.Set) bool {
	return len(set.Doubts)+len(set.Bombs)+len(set.Traps) > 0 || slices.ContainsFunc(set.Env, telling) ||
		slices.ContainsFunc(set.Runs, model.Run.Replaced)
}

// telling reports whether a variable may contain more than a location.
func telling(name string) bool {
	return !slices.Contains([]string{"HOME", "PWD", "OLDPWD", "TMPDIR", "USER"}, name)
}

// coverer asks of every effect what a matcher asks of one.
type coverer struct {
	matcher
	sends bool // sending to a host is covered, too
}

func (m *coverer) all() bool {
	active := make([]bool, len(m.set.Runs)) // which programs do something that is covered
	some := false
	act := func(run int, ok bool) bool {
		if some = true; run >= 0 {
			active[run] = true
		}
		return ok
	}
	for i := range m.set.Files {
		f := &m.set.Files[i]
		t := effects.NewTouch(m.ev, f.Op, f.Path, f.Tree)
		if t.Run = f.Run; !act(t.Run, m.file(t)) || f.Shell && changes(f.Op) && m.anything() {
			return false // a program covers its own effects, but not where its output goes
		}
	}
	for _, t := range m.call.touches() {
		if !act(t.Run, m.file(t)) {
			return false
		}
	}
	for i := range m.set.Nets {
		if n := &m.set.Nets[i]; !act(n.Run, m.net(n)) || n.Shell && m.anything() {
			return false
		}
	}
	for i := range m.set.Codes {
		if c := &m.set.Codes[i]; c.Origin == model.Network || len(m.Programs) == 0 || !m.named(c.Run) {
			return false
		}
	}
	for i := range m.set.Runs {
		r := &m.set.Runs[i]
		switch {
		case len(m.Programs) > 0 && m.named(i):
			some = true
		case r.Data || r.Program == "cd": // what they print or where they go is among the effects of others
		case !active[i] && isFilter(m.set, i): // cat docs/x | wc -l
		case len(m.Programs) > 0 || !active[i]:
			return false
		}
	}
	return some
}

// filters reports whether all that a run prints is made of its input.
func filters(r *effects.Run) bool {
	if r.Program == "wc" {
		return true
	}
	row, _ := programs.Lookup(r.Program)
	switch row.Output(r.Args) {
	case "in", "same", "order", "some", "part":
		return programs.OnlyReads(r)
	}
	return false
}

// named reports whether a program is one of the demanded ones itself, and not
// just started by one.
func (m *coverer) named(run int) bool {
	switch {
	case len(m.Programs) == 0:
		return true
	case run < 0 || m.program(run) != Yes:
		return false
	case m.anything():
		return AsNamed(m.ev, run, m.Programs, nil)
	}
	return installed(&m.set.Runs[run], m.Programs) && !isLoaded(&m.set.Runs[run])
}

// anything reports whether programs are all that is demanded.
func (m *coverer) anything() bool {
	return len(m.Paths)+len(m.To) == 0 && (len(m.Actions) == 0 || m.tool)
}

func (m *coverer) file(t *effects.Touch) bool {
	switch {
	case !m.named(t.Run):
		return false
	case m.anything():
		return true
	case len(m.Paths) == 0 && (len(m.Actions) == 0 || m.tool):
		return false
	}
	acts := func(a trammel.ActionKind) bool {
		if t.Op == effects.Mode {
			return false // who may read or run a file is more than what is in it
		}
		return touches(a, t, &m.ev.Tool.Action) || a == trammel.EditAction && t.Op == effects.Read && m.edits(t)
	}
	return m.acts(acts) && (len(m.Paths) == 0 || m.inside(t))
}

// edits reports whether what is read is written by the same run: sed -i.
func (m *coverer) edits(t *effects.Touch) bool {
	return t.Run >= 0 && t.Path.Known() && !t.Tree && slices.ContainsFunc(m.set.Files, func(f effects.File) bool {
		return f.Run == t.Run && f.Op == effects.Write && f.Path.Known() && f.Path.Abs == t.Path.Abs
	})
}

func (m *coverer) net(n *model.Net) bool {
	switch {
	case !m.named(n.Run) || n.Listens && !m.anything() || n.Run >= 0 && unchecked(&m.set.Runs[n.Run]):
		return false
	case m.anything():
		return true
	case slices.Contains(m.Actions, trammel.FetchAction) && !m.sends && m.isRequest(n):
		return false
	case len(m.Programs) == 0 && n.Run >= 0 && programs.Installs(&m.set.Runs[n.Run]): // what it gets is run, too
		return false
	case len(m.To) == 0:
		return !m.tool && slices.Contains(m.Actions, trammel.FetchAction)
	}
	return m.acts(func(a trammel.ActionKind) bool { return a == trammel.FetchAction }) && m.host(n) == Yes
}

// isRequest reports whether a host is asked to do something, and not just for something.
func (m *coverer) isRequest(n *model.Net) bool {
	if n.Sends || n.Run < 0 {
		return n.Sends
	}
	r := &m.set.Runs[n.Run]
	a := programs.Parse(r)
	method, given := a.Value("request")
	if !given {
		method, given = a.Value("method")
	}
	if !given {
		method.Text = a.Word(0) // http DELETE example.com
	}
	switch strings.ToUpper(method.Text) {
	case "POST", "PUT", "PATCH", "DELETE":
		return true
	case "GET", "HEAD", "OPTIONS":
		return false
	}
	return given
}

// inside reports whether a touched place lies within the globs, by every name
// that it has, with all that is below it if that is meant, too.
func (m *coverer) inside(t *effects.Touch) bool {
	p := &t.Path
	if !p.Known() || p.Some || p.Glob && strings.ContainsRune(p.Abs, '{') || t.Partial() {
		return false
	}
	tree := t.Tree || t.Op == effects.Move || t.Op == effects.Search
	names := []string{p.Abs, p.Real}
	if p.Glob {
		for _, name := range t.Names() {
			at := effects.Resolve(effects.At(m.ev), name)
			names = append(names, at.Abs, at.Real)
		}
	}
	return !slices.ContainsFunc(names, func(name string) bool { return name != "" && !m.within(name, tree) })
}

// somewhere is a place that no glob names by chance.
const somewhere = "any \x01/name"

func (m *coverer) within(name string, tree bool) bool {
	g := m.call.globs()
	if !g.any(m.Paths, name) {
		return false
	}
	excludes := slices.ContainsFunc(m.Paths, func(glob string) bool { return glob[0] == '!' })
	return !tree || !excludes && g.any(m.Paths, path.Join(name, somewhere))
}
