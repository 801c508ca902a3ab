package paths

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/trammel-dev/trammel"
)

// maxEntries limits how many paths one pattern matches, and maxNames how many
// names it is compared with, so that filling a directory does not hide a match in
// it. All patterns of an event together get four times that.
const (
	maxEntries = 2048
	maxNames   = 8192
	opening    = 48 // what opening a directory costs, in names
)

// Lister lists what patterns match in a world. All that it lists counts
// together: a call must not take longer because it has many patterns.
type Lister struct {
	world trammel.World
	mu    sync.Mutex
	left  int
}

// NewLister returns the lister for one event.
func NewLister(w trammel.World) *Lister { return &Lister{world: w, left: 4 * maxNames} }

// Expand lists what a shell pattern matches. The pattern itself is included: it
// represents files that do not exist yet, and those beyond the limits. all is
// false if a limit was reached.
func (l *Lister) Expand(pattern string) (places []string, all bool) {
	places, all = []string{pattern}, true
	if doublestar.ValidatePattern(pattern) && strings.HasPrefix(pattern, "/") {
		var found []string
		found, all = l.Below("/", strings.TrimPrefix(filepath.ToSlash(pattern), "/"))
		places = append(places, found...)
	}
	return places, all
}

// Below lists what a pattern matches below a directory.
func (l *Lister) Below(dir, pattern string) (places []string, all bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := expander{world: l.world, left: min(maxNames, l.left), places: maxEntries}
	spent := e.left
	e.below(dir, strings.Split(pattern, "/"))
	l.left -= spent - e.left
	return e.out, e.left > 0 && e.places > 0
}

type expander struct {
	world  trammel.World
	left   int  // names that may still be read
	places int  // and places that may still be found
	hidden bool // * also matches hidden files, as it does for find
	out    []string
}

func (e *expander) below(dir string, parts []string) {
	for len(parts) > 0 && !strings.ContainsAny(parts[0], `*?[{\(`) {
		dir, parts = path.Join(dir, parts[0]), parts[1:]
	}
	if len(parts) == 0 {
		e.found(dir)
		return
	}
	deep := parts[0] == "**"
	if deep && len(parts) > 1 {
		e.hidden = true
		e.below(dir, parts[1:]) // ** also matches no directory at all
	}
	for _, entry := range e.list(dir) {
		if e.places <= 0 {
			return
		}
		if !deep && !e.matches(parts[0], entry.Name()) {
			continue
		}
		name := path.Join(dir, entry.Name())
		switch {
		case deep:
			if len(parts) == 1 {
				e.found(name)
			}
			if entry.IsDir() {
				e.below(name, parts)
			}
		case len(parts) == 1:
			e.found(name)
		default:
			e.below(name, parts[1:])
		}
	}
}

// list reads a directory as long as there is something left to spend.
func (e *expander) list(dir string) []fs.DirEntry {
	if e.left <= 0 {
		return nil
	}
	entries, err := e.world.ReadDir(dir, e.left)
	if err != nil && len(entries) == 0 {
		return nil
	}
	e.left -= len(entries) + opening
	return entries
}

// matches compares a name with one part of a pattern.
func (e *expander) matches(part, name string) bool {
	if name[0] == '.' && part[0] != '.' && part[0] != '{' && !e.hidden {
		return false
	}
	return doublestar.MatchUnvalidated(part, name)
}

// found adds a place that is there, and what it points to.
func (e *expander) found(place string) {
	e.places--
	info, err := e.world.Lstat(place)
	if err != nil {
		return
	}
	e.out = append(e.out, place)
	if info.Mode()&fs.ModeSymlink != 0 {
		r := Resolver{World: e.world}
		if p := r.Resolve(Word{Text: place, Known: true}, Path{}); p.Known() && p.Real != place {
			e.out = append(e.out, p.Real)
		}
	}
}

// maxInside limits how many names below directories are read, so that large trees
// do not delay a verdict.
const maxInside = 4096

// Search looks below directories of a world. All directories that one of them
// looks through count together.
type Search struct {
	World trammel.World
	spent int
}

// Inside looks below a directory for a file that holds answers yes to. all is
// false when there was more than it looks at.
func (s *Search) Inside(dir string, holds func(file string) bool) (file string, found, all bool) {
	e := expander{world: s.World, left: maxInside - s.spent}
	file, found = e.inside(dir, holds)
	s.spent = maxInside - e.left
	return file, found, e.left > 0
}

func (e *expander) inside(dir string, holds func(string) bool) (string, bool) {
	entries := e.list(dir)
	for _, entry := range entries {
		if file := path.Join(filepath.ToSlash(dir), entry.Name()); holds(file) {
			return file, true
		}
	}
	for _, entry := range entries {
		if entry.IsDir() {
			if file, ok := e.inside(path.Join(filepath.ToSlash(dir), entry.Name()), holds); ok {
				return file, true
			}
		}
	}
	return "", false
}
