// Package reach says which places a tool call touches, for policies that keep
// some places out of its reach. It looks at effects: a file that is moved is
// touched at both ends, a pattern touches what it matches on this machine, and
// who removes or moves a directory touches what is in it.
package reach

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
)

// Touch is one thing that happens to one place.
type Touch struct {
	Op   effects.Op
	Path effects.Path
	Tree bool // everything below is meant, too
	Run  int  // who does it: an index of Set.Runs, -1 for the tool itself
	// Readable is true for a change of permissions after which the owner can
	// still read.
	Readable bool

	look  sync.Once
	names []string // once they were asked for
	lower []string // the same in lower case, with slashes
}

// Changes reports whether something is different afterwards. A link counts: a
// write through it would no longer name the place.
func (t *Touch) Changes() bool { return t.Op != effects.Read && t.Op != effects.Search }

// Removes reports whether the place is gone or closed afterwards, with all
// that is below it.
func (t *Touch) Removes() bool {
	return t.Op == effects.Delete || t.Op == effects.Move || t.Op == effects.Mode && t.Tree && !t.Readable
}

// Covers reports whether something may be written anywhere below the place:
// an archive that is unpacked there, a tree that is copied, a mount.
func (t *Touch) Covers() bool { return t.Op == effects.Write && t.Tree }

// Touches lists what the event's call does to files. A move and a link write
// their other end, what lies behind a link of the same line is touched, too, and
// a tool that nobody knows does something to the paths it names.
//
// The list is made once for an event, and with it what its patterns match on
// this machine, however many policies ask.
func Touches(ev *trammel.Event) []*Touch {
	s := effects.Of(ev)
	return ev.Memo(touchesKey{}, func() any {
		var list []*Touch
		for _, files := range [...][]effects.File{s.Files, assumed(ev, s.Files)} {
			for i := range files {
				list = touches(list, s, files, &files[i])
			}
		}
		return list
	}).([]*Touch)
}

type touchesKey struct{}

func touches(list []*Touch, s *effects.Set, files []effects.File, f *effects.File) []*Touch {
	t := &Touch{Op: f.Op, Path: f.Path, Tree: f.Tree, Run: f.Run}
	if f.Run >= 0 && f.Op == effects.Mode {
		t.Readable = keepsReading(&s.Runs[f.Run])
	}
	if f.Run >= 0 && f.Op == effects.Delete && onlyEmpty(&s.Runs[f.Run]) {
		return list
	}
	list = append(list, t)
	if behind, ok := throughLink(files, t); ok {
		list = append(list, behind)
	}
	if f.Op != effects.Move && f.Op != effects.Link || f.To == (effects.Path{}) {
		return list
	}
	return append(list, &Touch{Op: effects.Write, Path: f.To, Tree: f.Tree, Run: f.Run})
}

// Reads reports whether the call is of a kind that only looks, so that there is
// no need to work out what it does.
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

// Names are all spellings of the place, if it is known: as it is named, what it
// points to, and if it is a pattern what that matches here.
func (t *Touch) Names() []string {
	t.look.Do(t.spell)
	return t.names
}

func (t *Touch) spell() {
	p := &t.Path
	switch {
	case !p.Known():
	case p.Glob:
		t.names = expand(p.Abs)
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

// folded are the names in the form in which tails are compared.
func (t *Touch) folded() []string {
	t.look.Do(t.spell)
	return t.lower
}
