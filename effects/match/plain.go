package match

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
)

// Carriers are the runs that only start others, as they are and here: env, timeout, sh
// -c. One that gives more rights, starts something elsewhere, or does something itself is
// none, nor one with an option that turns it to another place: uv run --project /tmp/x. A
// change to another directory of the project does nothing, either, nor does a filter that
// only gets what another run prints.
func Carriers(ev *trammel.Event) []bool {
	set := effects.Of(ev)
	carries := make([]bool, len(set.Runs))
	for i := range set.Runs {
		r := &set.Runs[i]
		carries[i] = carries[i] || GoesTo(ev, r) || isFilter(set, i)
		if by := set.Runs[i].By; by >= 0 {
			carries[by] = true
		}
	}
	for i := range set.Runs {
		n := namedRun{effects.At(ev), &set.Runs[i], nil}
		carries[i] = carries[i] && !n.isTurned() && !n.isLed(false)
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

// GoesTo reports whether a run only changes the directory, to one of the project. CDPATH,
// which an assignment cannot spell otherwise, may lead it elsewhere.
func GoesTo(ev *trammel.Event, r *effects.Run) bool {
	if r.Program != "cd" || len(r.Args) != 1 || !r.Args[0].Known || !r.Dir.Known() {
		return false
	}
	to := r.Args[0].Text
	if to == "-" || strings.Contains(ev.Tool.Action.Command, "CDPATH") {
		return false
	}
	if !path.IsAbs(to) {
		to = path.Join(r.Dir.Abs, to)
	}
	n := namedRun{at: effects.At(ev), Run: r}
	return !n.outside(effects.Resolve(n.at, to), false)
}

// isFilter reports whether a run stands behind a pipe, touches nothing itself, and prints
// what it gets, or something made of it: git log | head.
func isFilter(set *effects.Set, run int) bool {
	r := &set.Runs[run]
	return r.From >= 0 && !r.Root && !r.Remote && installed(r, nil) && filters(r) &&
		!slices.ContainsFunc(set.Files, func(f effects.File) bool { return f.Run == run }) &&
		!slices.ContainsFunc(set.Nets, func(n model.Net) bool { return n.Run == run })
}
