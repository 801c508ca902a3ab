package match

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// Carriers are the runs that only start others, as they are and here: env, timeout, sh
// -c. One that gives more rights, starts something elsewhere, or does something itself is
// none.
func Carriers(set *effects.Set) []bool {
	carries := make([]bool, len(set.Runs))
	for i := range set.Runs {
		if by := set.Runs[i].By; by >= 0 {
			carries[by] = true
		}
	}
	for i := range set.Runs {
		if r := &set.Runs[i]; r.By >= 0 && (r.Root != set.Runs[r.By].Root || r.Remote != set.Runs[r.By].Remote) {
			carries[r.By] = false
		}
	}
	for i := range set.Files {
		if f := &set.Files[i]; f.Run >= 0 && f.Op != effects.Read && f.Op != effects.Search {
			carries[f.Run] = false
		}
	}
	for i := range set.Nets {
		if run := set.Nets[i].Run; run >= 0 {
			carries[run] = false
		}
	}
	return carries
}

// AsNamed reports whether a run is what a person means who allows a program by its
// name: the one that is installed, with no option that makes it run a file, and for a
// program that only reads, nothing that an option adds to that.
func AsNamed(ev *trammel.Event, run int, names []string) bool {
	set := effects.Of(ev)
	r := &set.Runs[run]
	read := programs.PlacesOf(r)
	switch {
	case !installed(r, names) || read.Loads():
		return false
	case programs.OnlyReads(r):
		return !slices.ContainsFunc(set.Files, func(f effects.File) bool {
			return f.Run == run && f.Op != effects.Read && f.Op != effects.Search
		})
	}
	return !programs.Turned(r)
}

// installed reports whether a program is installed on the machine, or the rule
// gives its path.
func installed(r *effects.Run, names []string) bool {
	path := func(name string) bool { return strings.ContainsAny(name, `/\`) }
	return !path(r.Path) || paths.OfSystem(r.Path) || slices.ContainsFunc(names, path)
}
