package effects

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/world"
)

// Touch is something that happens to one path.
type Touch struct {
	Op   model.Op
	Path Path
	Tree bool // includes everything below
	Run  int  // the run that does it: an index of Set.Runs, -1 for the tool itself
	// Readable is true for a change of permissions after which the owner can
	// still read.
	Readable bool
	// Narrows is true for a change of permissions that only removes those of
	// other users: chmod 600.
	Narrows bool

	machine *machine
	look    sync.Once
	names   []string // computed on demand
	lower   []string // the same in lower case, with slashes
	partial bool     // there are more names
}

// machine is where the touches of one event look paths up.
type machine struct {
	world  trammel.World
	lister *paths.Lister
}

// NewTouch makes a touch that is implied by an event's call, but not listed by it.
func NewTouch(ev *trammel.Event, op model.Op, p Path, tree bool) *Touch {
	w := world.Of(ev)
	return &Touch{Op: op, Path: p, Tree: tree, Run: -1, machine: &machine{w, paths.NewLister(w)}}
}

// As returns a copy of the touch with another operation.
func (t *Touch) As(op model.Op) *Touch {
	return &Touch{Op: op, Path: t.Path, Tree: t.Tree, Run: t.Run, Readable: t.Readable, Narrows: t.Narrows && op == Mode, machine: t.machine}
}

// Changes reports whether the touch changes anything. A link counts, because a
// write through it would no longer name the path.
func (t *Touch) Changes() bool { return t.Op != Read && t.Op != Search }

// Removes reports whether the path is gone or inaccessible afterwards, with
// everything below it.
func (t *Touch) Removes() bool {
	return t.Op == Delete || t.Op == Move || t.Op == Mode && t.Tree && !t.Readable
}

// Covers reports whether something may be written anywhere below the path: an
// unpacked archive, a copied tree, a mount.
func (t *Touch) Covers() bool { return t.Op == Write && t.Tree }

// Touches lists what the event's call does to files. A move or a link also writes
// its other end. If the same command line makes a link, its target is touched,
// too. An unknown tool may change the paths it names.
//
// The list, and what its patterns match on this machine, is computed once per
// event, however many policies ask.
func Touches(ev *trammel.Event) []*Touch {
	s := Of(ev)
	return ev.Memo(touchesKey{}, func() any {
		w := world.Of(ev)
		b := touchList{set: s, machine: &machine{w, paths.NewLister(w)}}
		for _, files := range [...][]File{s.Files, assumed(ev, s.Files)} {
			for i := range files {
				b.add(files, &files[i])
			}
		}
		return b.list
	}).([]*Touch)
}

type touchesKey struct{}

type touchList struct {
	set     *Set
	machine *machine
	list    []*Touch
}

// add adds the touches of one file effect. files are all those of the call.
func (b *touchList) add(files []File, f *File) {
	t := &Touch{Op: f.Op, Path: f.Path, Tree: f.Tree, Run: f.Run, machine: b.machine}
	if f.Run >= 0 && f.Op == Mode {
		t.Readable = keepsReading(&b.set.Runs[f.Run])
		t.Narrows = narrows(&b.set.Runs[f.Run])
	}
	if f.Run >= 0 && f.Op == Delete && onlyEmpty(&b.set.Runs[f.Run]) {
		return
	}
	b.list = append(b.list, t)
	if behind, ok := throughLink(files, t); ok {
		b.list = append(b.list, behind)
	}
	if (f.Op == Move || f.Op == Link) && f.To != (Path{}) {
		b.list = append(b.list, &Touch{Op: Write, Path: f.To, Tree: f.Tree, Run: f.Run, machine: b.machine})
	}
}

// Reads reports whether the call is of a kind that only reads, so that its effects
// need not be computed.
func Reads(ev *trammel.Event) bool {
	a := &ev.Tool.Action
	if a.Command != "" || slices.ContainsFunc(a.Also, func(k trammel.ActionKind) bool { return !looks(k) }) {
		return false
	}
	return looks(a.Kind)
}

func looks(k trammel.ActionKind) bool {
	switch k {
	case trammel.ReadAction, trammel.SearchAction, trammel.FetchAction, trammel.AgentAction:
		return true
	}
	return false
}

// Names returns all spellings of the path, if it is known: as written, its target,
// and the matches on this machine if it is a pattern.
func (t *Touch) Names() []string {
	t.look.Do(t.spell)
	return t.names
}

// Partial reports whether the path is a pattern that matches more than Names
// returns.
func (t *Touch) Partial() bool {
	t.look.Do(t.spell)
	return t.partial
}

func (t *Touch) spell() {
	p := &t.Path
	switch {
	case !p.Known():
	case p.Glob:
		var all bool
		t.names, all = t.machine.lister.Expand(p.Abs)
		t.partial = !all
	case p.Real == "" || p.Real == p.Abs:
		t.names = []string{p.Abs}
	default:
		t.names = []string{p.Abs, p.Real}
	}
	t.lower = make([]string, len(t.names))
	for i, name := range t.names {
		t.lower[i] = strings.ToLower(filepath.ToSlash(name))
	}
}

// folded returns the names in the form in which tails are compared.
func (t *Touch) folded() []string {
	t.look.Do(t.spell)
	return t.lower
}
