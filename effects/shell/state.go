package shell

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// state is what is known about a shell at one point of a script. A subshell works
// on a copy; after a branch, both outcomes are possible.
type state struct {
	*scope
	dir    model.Path   // Abs is "" after a cd to an unknown directory
	dirs   []model.Path // other directories where it may be
	oldDir model.Path
	pushed []model.Path
	args   []model.Word // $1, $2, …
	more   bool         // there may be further ones that are unknown
	prior  model.Word   // $_: the last word of the command before
	name   string       // $0
	in     stream       // standard input
	out    *sink        // standard output, nil if it is not used
	files  map[string]descriptor
	// sourced are the runs of source whose files could not be read. A command that prints all variables prints theirs, too.
	sourced model.Span
	by      int  // the run that started the shell, -1 for the line itself
	root    bool // it runs with more rights than the agent
	remote  bool // it runs on another machine
	mounts  []mounted
	maybe   bool // it is not certain that this point is reached
	left    bool // the shell has ended before this point
	missed  bool // the last cd fails, as far as is known
	astray  bool // a cd to a directory that is not there yet may have failed
	apart   int  // number of background jobs and pipes around it
	ifs     int  // number of conditions around it
	plain   bool // no alias lookup, because this is the text of one
	depth   int
}

// scope holds names. Copying a state is cheap: the copy is a new scope on top of
// the old one.
type scope struct {
	up      *scope
	vars    map[string]value
	funcs   map[string]*function
	aliases map[string]string
}

// value is what is known about a variable. The zero value is unknown.
type value struct {
	text     string
	known    bool
	set      bool // it has a value at all
	exported bool
	odd      bool   // declare -i, -l, -u: assigning changes the value
	ref      string // declare -n: the variable that it stands for
	network  bool   // all of it was fetched from a host
	some     bool   // a pattern that matches more than is meant
	names    bool   // unknown, but one of the names in a directory
	glob     bool   // text is a pattern: for f in *.log
	array    bool
	list     []model.Word // of an array
	or       []string     // other known values that it may have
	open     bool         // it may also have an unknown value
	uses     model.Span   // the runs whose output is part of it
}

type function struct {
	body     *syntax.Stmt
	source   string
	exported bool
}

// descriptor is a file descriptor that a script has opened.
type descriptor struct {
	in   stream
	out  *sink
	path model.Path
	host *model.Net // what is written goes to a host
}

// copy returns a state that can be changed without changing st.
func (st *state) copy() *state {
	c := *st
	up := st.scope
	for up.up != nil && up.vars == nil && up.funcs == nil && up.aliases == nil {
		up = up.up // an empty one has nothing to look up
	}
	c.scope = &scope{up: up}
	return &c
}

// perhaps notes that the following depends on a condition.
func (st *state) perhaps(unsure bool) {
	if unsure {
		st.maybe = true
		st.ifs++
	}
}

// lookup is the value of a variable, or of the one that it stands for.
func (s *scope) lookup(name string) (value, bool) { return s.own(s.target(name)) }

func (s *scope) own(name string) (value, bool) {
	for ; s != nil; s = s.up {
		if v, ok := s.vars[name]; ok {
			return v, true
		}
	}
	return value{}, false
}

// target is the variable that a name stands for, after declare -n name=other.
// Where they stand for each other, or for too many, it is one of them.
func (s *scope) target(name string) string {
	for range maxChoices {
		v, _ := s.own(name)
		if v.ref == "" {
			break
		}
		name = v.ref
	}
	return name
}

// sets reports whether any variable is set.
func (s *scope) sets() bool {
	for ; s != nil; s = s.up {
		if len(s.vars) > 0 {
			return true
		}
	}
	return false
}

func (s *scope) set(name string, v value) { s.put(s.target(name), v) }

// put sets a variable itself, whatever it stands for.
func (s *scope) put(name string, v value) {
	if old, ok := s.own(name); ok && old.ref == "" && v.ref == "" {
		v.exported = v.exported || old.exported
		if v.odd = v.odd || old.odd; old.odd && v.known {
			v = value{set: true, odd: true, exported: v.exported}
		}
	}
	if s.vars == nil {
		s.vars = map[string]value{}
	}
	s.vars[name] = v
}

func (s *scope) function(name string) *function {
	for ; s != nil; s = s.up {
		if f, ok := s.funcs[name]; ok {
			return f
		}
	}
	return nil
}

func (s *scope) define(name string, f *function) {
	if s.funcs == nil {
		s.funcs = map[string]*function{}
	}
	s.funcs[name] = f
}

func (s *scope) alias(name string) (string, bool) {
	for ; s != nil; s = s.up {
		if text, ok := s.aliases[name]; ok {
			return text, text != ""
		}
	}
	return "", false
}

func (s *scope) setAlias(name, text string) {
	if s.aliases == nil {
		s.aliases = map[string]string{}
	}
	s.aliases[name] = text
}

// merge makes the changes in b, a copy of st, possible but not certain.
func (st *state) merge(b *state) { st.join(st.copy(), b) }

// join sets st to the state after one of two branches, both copies of it.
func (st *state) join(a, b *state) {
	switch { // a branch that has left does not continue
	case a.left && b.left:
		st.left = true
	case a.left:
		a = b
	case b.left:
		b = a
	}
	for name := range a.vars {
		va, _ := a.own(name)
		vb, _ := b.own(name)
		st.either(name, va, vb)
	}
	for name, vb := range b.vars {
		if _, done := a.vars[name]; !done {
			va, _ := a.own(name)
			st.either(name, va, vb)
		}
	}
	st.takeRest(a)
	st.takeRest(b)
	st.astray = a.astray || b.astray
	if st.prior = a.prior; a.prior.Text != b.prior.Text {
		st.prior = model.Word{}
	}
	if a.dir.Abs != st.dir.Abs || b.dir.Abs != st.dir.Abs || len(a.dirs)+len(b.dirs) > 0 {
		st.dir = a.dir
		st.dirs = compute.AddPlaces(maxChoices/2, nil, st.dir, b.dir)
		st.dirs = compute.AddPlaces(maxChoices/2, st.dirs, st.dir, a.dirs...)
		st.dirs = compute.AddPlaces(maxChoices/2, st.dirs, st.dir, b.dirs...)
	}
	if len(a.args) != len(b.args) || len(a.args) != len(st.args) {
		st.args, st.more = nil, true
	}
}

// either sets a variable to one of two values. If it may stand for another one, that
// one may have been set through it.
func (st *state) either(name string, a, b value) {
	for _, ref := range [...]string{a.ref, b.ref} {
		if ref != "" && a.ref != b.ref {
			st.set(ref, value{set: true, odd: true})
		}
	}
	st.put(name, oneOf(a, b))
}

// takeRest takes over functions and aliases: a name that may be one counts as one.
func (st *state) takeRest(b *state) {
	for name, f := range b.funcs {
		st.define(name, f)
	}
	for name, text := range b.aliases {
		st.setAlias(name, text)
	}
	if len(b.files) > 0 {
		st.files = maps.Collect(maps.All(st.files))
		maps.Copy(st.files, b.files)
	}
	st.sourced.Add(b.sourced)
}

func (st *state) open(fd string, f descriptor) {
	st.files = maps.Collect(maps.All(st.files)) // the old map may be another state's, too
	st.files[fd] = f
}

// oneOf returns a variable that has the value a or b.
func oneOf(a, b value) value {
	switch {
	case a.ref != b.ref: // a name that may stand for another one
		return value{set: true, odd: true}
	case a.ref != "":
		return a
	case a.array || b.array:
		return value{set: true}
	case !a.known && !b.known:
		b.network = b.network || a.network
		return b
	case !b.known:
		a, b = b, a
		fallthrough
	case !a.known:
		b.open = true
		return b
	}
	b.open = b.open || a.open
	b.uses.Add(a.uses)
	texts := append([]string{b.text}, b.or...)
	for _, text := range append([]string{a.text}, a.or...) {
		switch {
		case slices.Contains(texts, text):
		case len(texts) < maxChoices/2:
			texts = append(texts, text)
		default:
			b.open = true
		}
	}
	b.or = texts[1:]
	return b
}
