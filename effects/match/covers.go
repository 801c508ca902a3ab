package match

import (
	"cmp"
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

// Why says why a condition does not hold for a call, "" if it does, or cannot say.
func Why(c trammel.Condition, ev *trammel.Event) string {
	if r, ok := c.(trammel.Reasoner); ok {
		return r.Why(ev)
	}
	return ""
}

type covered struct {
	Spec
	sends bool
}

func (s covered) String() string { return "all that it does is covered: " + s.Spec.String() }

// Holds implements trammel.Condition.
func (s covered) Holds(ev *trammel.Event) bool { return s.Why(ev) == "" }

// Why names what a call does that is not covered, "" if all is.
func (s covered) Why(ev *trammel.Event) string {
	if ev.Tool == nil {
		return "it is no call of a tool"
	}
	c := Look(ev)
	m := coverer{matcher{Spec: &s.Spec, call: c, ev: ev, set: c.effects()}, s.sends}
	m.tool = slices.ContainsFunc(s.Actions, func(a trammel.ActionKind) bool { return !byEffect(a) && ev.Tool.Action.Is(a) })
	switch {
	case m.tool && len(s.Programs)+len(s.Paths)+len(s.To) == 0:
		return ""
	case len(s.Actions) > 0 && !m.tool && !slices.ContainsFunc(s.Actions, byEffect):
		return "the tool is none of these"
	}
	if why := Uncertain(m.set); why != "" {
		return why
	}
	return m.beyond()
}

// Uncertain names something because of which a call may do more than what is listed, "" if it
// does not.
func Uncertain(set *model.Set) string {
	for i := range set.Doubts {
		return strings.TrimSpace("something is unknown: " + set.Doubts[i].Code + " " + set.Doubts[i].What)
	}
	if len(set.Bombs)+len(set.Traps) > 0 {
		return "it starts processes without end, or deceives who reads it"
	}
	if i := slices.IndexFunc(set.Env, telling); i >= 0 {
		return "it reads the variable " + set.Env[i]
	}
	return replaced(set)
}

// replaced names a run that a variable makes another one, "" if there is none.
func replaced(set *model.Set) string {
	if i := slices.IndexFunc(set.Runs, model.Run.Replaced); i >= 0 {
		return "a variable decides what this runs: " + Line(&set.Runs[i])
	}
	return ""
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

// beyond names the first effect that is not covered, "" if all are.
func (m *coverer) beyond() string {
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
		if t.Run = f.Run; !act(t.Run, m.file(t)) {
			return m.touching(t)
		}
		if f.Shell && changes(f.Op) && m.anything() {
			return m.touching(t) + ": a program covers its own effects, but not where its output goes"
		}
	}
	for _, t := range m.call.touches() {
		if !act(t.Run, m.file(t)) {
			return m.touching(t)
		}
	}
	for i := range m.set.Nets {
		if n := &m.set.Nets[i]; !act(n.Run, m.net(n)) || n.Shell && m.anything() {
			return "talks to " + cmp.Or(n.Host, "an unknown host") + m.because(n.Run)
		}
	}
	for i := range m.set.Codes {
		if c := &m.set.Codes[i]; c.Origin == model.Network || len(m.Programs) == 0 || !m.named(c.Run) {
			return "executes " + c.Language + " code" + m.because(c.Run)
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
			return "runs " + Line(r) + m.because(i)
		}
	}
	if !some {
		return "it does nothing of the kind"
	}
	return ""
}

// touching is a touch in words, with its program.
func (m *coverer) touching(t *effects.Touch) string {
	return Verb(t.Op.String()) + " " + name(t) + m.because(t.Run)
}

// because says by which program something happens, and why it is not a demanded one.
func (m *coverer) because(run int) string {
	if run < 0 {
		return ""
	}
	text := " (by " + cmp.Or(m.set.Runs[run].Program, "an unknown program") + ")"
	if why := m.other(run); why != "" {
		text += ": " + why
	}
	return text
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
func (m *coverer) named(run int) bool { return m.other(run) == "" }

// other says why a program is not one of the demanded ones, "" if it is.
func (m *coverer) other(run int) string {
	switch {
	case len(m.Programs) == 0:
		return ""
	case run < 0 || m.program(run) != Yes:
		return "the rule does not name this program"
	case m.anything():
		return Beyond(m.ev, run, m.Programs, nil)
	case !installed(&m.set.Runs[run], m.Programs):
		return notInstalled
	case isLoaded(&m.set.Runs[run]):
		return "an option names code that it loads"
	}
	return ""
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
