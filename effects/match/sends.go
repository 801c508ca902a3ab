package match

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
)

// Sends reports whether a file that one of the globs matches goes to a host: who
// sends reads it, or is given it through a pipe or a substitution. Without globs
// it is enough that something is sent.
func Sends(ev *trammel.Event, globs []string, doubt bool) bool {
	if ev.Tool == nil {
		return false
	}
	set := effects.Of(ev)
	senders := make([]bool, len(set.Runs))
	tool := false
	for i := range set.Nets {
		switch n := &set.Nets[i]; {
		case !n.Sends && n.Run >= 0: // what stands in the address goes out, too
			for _, source := range set.Runs[n.Run].Uses {
				given(set, source, senders)
			}
		case !n.Sends:
		case n.Run < 0:
			tool = true
		default:
			given(set, n.Run, senders)
		}
		if set.Nets[i].Sends && len(globs) == 0 {
			return true
		}
	}
	spec := Spec{Actions: []trammel.ActionKind{trammel.ReadAction}, Paths: globs, Doubt: doubt}
	if len(globs) == 0 {
		return false
	}
	for h := range spec.Hits(ev) {
		if h.Blind || h.Run < 0 && tool || h.Run >= 0 && senders[h.Run] {
			return true
		}
	}
	return false
}

// given marks a run and all whose output it is given.
func given(set *effects.Set, run int, seen []bool) {
	if run < 0 || run >= len(seen) || seen[run] {
		return
	}
	seen[run] = true
	r := &set.Runs[run]
	given(set, r.From, seen)
	given(set, r.By, seen)
	for _, source := range r.Uses {
		given(set, source, seen)
	}
}
