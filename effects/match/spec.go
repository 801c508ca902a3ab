// Package match has the conditions in a hook's match about what a call does. They
// look at effects, so a rule applies however the call achieves them.
package match

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
)

// Spec is what a match requires of one effect of a call. All keys that are set must
// match the same effect: {program: sed, path: x} is a file x that sed touches. The
// zero Spec requires nothing.
type Spec struct {
	// Actions are what the tool is (shell, mcp, agent, other), or what the tool or
	// anything it starts does (read, write, edit, delete, search, fetch).
	Actions []trammel.ActionKind
	// Programs are names (git), patterns (terra*) or paths (./deploy.sh) of programs
	// that run, however deep.
	Programs []string
	// Paths are globs over the files that are touched; see Globs.
	Paths []string
	// To are hosts that are talked to: example.com, *.example.com, 10.0.0.*, or
	// !example.com for all but this one.
	To []string
	// Doubt makes possible matches count: the program, the file or the host is
	// unknown, or part of the call could not be read.
	Doubt bool
}

// About reports whether files or hosts are demanded, and not just programs and tools.
func (s *Spec) About() bool {
	return len(s.Paths)+len(s.To) > 0 || slices.ContainsFunc(s.Actions, byEffect)
}

// Hit is an effect that a Spec holds for.
type Hit struct {
	// Run is the program that does it, an index of Set.Runs; -1 if it is the tool
	// itself, or if nothing is known but that there may be one.
	Run  int
	Path string // the file, "" if it is not about one
	Host string // likewise
	Text string // the effect in words; see What
	// Doubt says what is unknown; "" means that the effect is certain.
	Doubt string
	// Blind is true if not even a program is known.
	Blind bool
}

// What is the effect in words: "runs git push", "read /p/.env".
func (h *Hit) What(ev *trammel.Event) string {
	switch {
	case h.Text != "":
		return h.Text
	case h.Blind:
		return "does something unknown"
	case h.Run >= 0:
		return "runs " + Line(&effects.Of(ev).Runs[h.Run])
	}
	return ""
}

// Empty reports whether nothing is demanded.
func (s *Spec) Empty() bool { return len(s.Actions)+len(s.Programs)+len(s.Paths)+len(s.To) == 0 }

// Holds reports whether one effect satisfies the Spec, or may and Doubt is set.
func (s *Spec) Holds(ev *trammel.Event) bool {
	if s.Empty() {
		return true
	}
	_, ok := s.Find(ev)
	return ok
}

// Find returns the first effect that satisfies the Spec: a certain one if there
// is one.
func (s *Spec) Find(ev *trammel.Event) (Hit, bool) {
	for h := range s.Hits(ev) {
		return h, true
	}
	return Hit{}, false
}

// Target is Find for the engine: the match as shown to programs and people.
func (s *Spec) Target(ev *trammel.Event) (trammel.Target, bool) {
	h, ok := s.Find(ev)
	if !ok {
		return trammel.Target{}, false
	}
	t := trammel.Target{Path: h.Path, What: h.What(ev), Doubt: h.Doubt}
	if len(s.Programs) > 0 && h.Run >= 0 {
		t.Command = Line(&effects.Of(ev).Runs[h.Run])
	}
	return t, true
}

// String describes the requirements: "action is read and path matches .env*".
func (s *Spec) String() string {
	var parts []string
	if len(s.Actions) > 0 {
		words := make([]string, len(s.Actions))
		for i, a := range s.Actions {
			words[i] = a.String()
		}
		parts = append(parts, "action is "+strings.Join(words, " or "))
	}
	if len(s.Programs) > 0 {
		parts = append(parts, "program is "+strings.Join(s.Programs, " or "))
	}
	if len(s.Paths) > 0 {
		parts = append(parts, describePaths(s.Paths))
	}
	if len(s.To) > 0 {
		parts = append(parts, describeHosts(s.To))
	}
	return strings.Join(parts, " and ")
}

// Hits lists the effects that satisfy the Spec, certain ones first, and then, if
// Doubt is set, those that may.
func (s *Spec) Hits(ev *trammel.Event) func(yield func(Hit) bool) { return s.hits(Look(ev)) }

func (s *Spec) hits(c *Call) func(yield func(Hit) bool) {
	return func(yield func(Hit) bool) {
		ev := c.ev
		if ev.Tool == nil || s.Empty() || c.excludes(s) {
			return
		}
		m := matcher{Spec: s, call: c, ev: ev, set: c.effects(), yield: yield}
		m.tool = slices.ContainsFunc(s.Actions, func(a trammel.ActionKind) bool { return !byEffect(a) && ev.Tool.Action.Is(a) })
		if m.each() && s.Doubt {
			m.doubtful = true
			if m.each() {
				m.blind()
			}
		}
	}
}

// matcher goes through the effects of one call.
type matcher struct {
	*Spec
	call     *Call
	ev       *trammel.Event
	set      *effects.Set
	tool     bool // an action is demanded that the tool itself is
	doubtful bool // look only for possible matches
	yield    func(Hit) bool
}

// each goes through the effects of the kind that the Spec is about, and reports
// whether to go on.
func (m *matcher) each() bool {
	switch {
	case len(m.Paths) > 0:
		return m.files()
	case len(m.To) > 0:
		return m.nets()
	case len(m.Programs) > 0 && (len(m.Actions) == 0 || m.tool):
		return m.runs()
	}
	if len(m.Programs) == 0 && !m.doubtful && slices.ContainsFunc(m.Actions, m.ev.Tool.Action.Is) &&
		!m.yield(Hit{Run: -1, Text: "is a call of " + m.ev.Tool.Name}) {
		return false
	}
	return m.files() && m.nets()
}

func (m *matcher) runs() bool {
	for i := range m.set.Runs {
		fits := m.program(i)
		if fits == Yes && !m.doubtful && !m.yield(Hit{Run: i}) {
			return false
		}
		if fits == Unclear && m.doubtful && !m.yield(Hit{Run: i, Doubt: "the program"}) {
			return false
		}
	}
	return true
}

func (m *matcher) files() bool {
	for _, t := range m.call.touches() {
		if !m.file(t) {
			return false
		}
	}
	for i := range m.set.Files { // no touch is made for something removed only if it is empty
		if f := &m.set.Files[i]; f.Op == effects.Delete && f.Run >= 0 && m.set.Runs[f.Run].Program == "find" {
			t := effects.NewTouch(m.ev, f.Op, f.Path, f.Tree)
			if t.Run = f.Run; !m.file(t) {
				return false
			}
		}
	}
	for i := range m.set.Codes { // running a file reads it
		if c := &m.set.Codes[i]; c.File.Text != "" {
			t := effects.NewTouch(m.ev, effects.Read, c.File, false)
			if t.Run = c.Run; !m.file(t) {
				return false
			}
		}
	}
	a := &m.ev.Tool.Action
	if len(m.Paths) == 0 || len(m.Actions) > 0 && !m.tool || byEffect(a.Kind) || a.Kind == trammel.OtherAction || a.Kind == trammel.MCPAction {
		return true
	}
	for _, name := range a.Paths { // of a tool that does something else with them
		if !m.file(effects.NewTouch(m.ev, 0, effects.Resolve(effects.At(m.ev), name), false)) {
			return false
		}
	}
	return true
}

// file looks at one touched file, and reports whether to go on.
func (m *matcher) file(t *effects.Touch) bool {
	if !m.acts(func(a trammel.ActionKind) bool { return touches(a, t, &m.ev.Tool.Action) }) {
		return true
	}
	fits := min(m.by(t.Run), m.together(t.Run))
	path := name(t)
	if fits != No && len(m.Paths) > 0 {
		var at string
		place, at := m.place(t)
		if fits = min(fits, place); at != "" {
			path = at
		}
	}
	if fits == No || (fits == Unclear) != m.doubtful {
		return true
	}
	h := Hit{Run: t.Run, Path: path, Text: Verb(t.Op.String()) + " " + path}
	if t.Run >= 0 {
		h.Text += " (by " + cmp.Or(m.set.Runs[t.Run].Program, "an unknown program") + ")"
	}
	if m.doubtful {
		h.Doubt = "the file"
	}
	return m.yield(h)
}

// name is a touched file as the call's own argument or, where a program touches
// it, as an absolute path.
func name(t *effects.Touch) string {
	if t.Run < 0 && t.Path.Text != "" || !t.Path.Known() {
		return t.Path.Text
	}
	return t.Path.Abs
}

func (m *matcher) nets() bool {
	if !m.acts(func(a trammel.ActionKind) bool { return a == trammel.FetchAction }) {
		return true
	}
	for _, n := range m.call.nets() {
		fits := min(m.by(n.Run), m.host(&n))
		if n.Listens || fits == No || (fits == Unclear) != m.doubtful {
			continue
		}
		h := Hit{Run: n.Run, Host: n.Host, Text: "talks to " + cmp.Or(n.Host, "an unknown host")}
		if m.doubtful {
			h.Doubt = "the host"
		}
		if !m.yield(h) {
			return false
		}
	}
	return true
}

// acts reports whether an action is demanded that fits, or none.
func (m *matcher) acts(fits func(trammel.ActionKind) bool) bool {
	return m.tool || len(m.Actions) == 0 || slices.ContainsFunc(m.Actions, fits)
}

// blind yields parts that were not read, if they may match.
func (m *matcher) blind() {
	if len(m.Actions) > 0 && !m.tool && !slices.ContainsFunc(m.Actions, byEffect) ||
		len(m.Actions) == 0 && len(m.Programs)+len(m.Paths)+len(m.To) == 0 {
		return
	}
	if len(m.Actions) > 0 && m.tool && len(m.Programs)+len(m.Paths)+len(m.To) == 0 {
		return
	}
	for what := range Unread(m.set) {
		if !m.yield(Hit{Run: -1, Doubt: what, Blind: true}) {
			return
		}
	}
}

// Unread lists parts of a call that could not be read, so that it may do anything.
func Unread(s *effects.Set) func(yield func(what string) bool) {
	return func(yield func(string) bool) {
		for i := range s.Doubts {
			switch d := &s.Doubts[i]; {
			case d.Code == "program" && (d.Run < 0 || s.Runs[d.Run].Program != ""), d.Code == "argument", d.Code == "path":
			default:
				if !yield(strings.TrimSpace(d.Code + " " + d.What)) {
					return
				}
			}
		}
		for i := range s.Codes {
			if c := &s.Codes[i]; c.Origin == model.Network && !yield(c.Language+" code from the network") {
				return
			}
		}
	}
}
