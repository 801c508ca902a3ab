package effects

import (
	"iter"
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// Words yields the words from which a run may take file names: its own, those of
// the run that starts it, and those of runs that it reads from or is given by a
// substitution. Text that a program only prints or searches for counts if it is
// read as a list of names. The script of an editor is not a name.
func Words(s *Set, run int) iter.Seq[string] {
	return func(yield func(string) bool) {
		w := wordWalk{set: s, seen: make([]bool, 2*len(s.Runs)), yield: yield}
		w.of(run, false)
	}
}

type wordWalk struct {
	set   *Set
	seen  []bool // each run, also as a source of names
	yield func(string) bool
}

// of visits a run, and reports whether to continue.
func (w *wordWalk) of(run int, names bool) bool {
	at := 2 * run
	if names {
		at++
	}
	if run < 0 || at >= len(w.seen) || w.seen[at] {
		return true
	}
	w.seen[at] = true
	r := &w.set.Runs[run]
	if names || !r.Data && !editor(r.Program) {
		for _, word := range r.Args {
			if !w.yield(word.Text) {
				return false
			}
		}
	}
	if r.Input != nil && !r.Data {
		for word := range strings.FieldsSeq(*r.Input) {
			if !w.yield(word) {
				return false
			}
		}
	}
	for _, source := range r.Uses {
		if !w.of(source, true) {
			return false
		}
	}
	return w.of(r.From, true) && w.of(r.By, false)
}

func editor(program string) bool {
	switch program {
	case "sed", "perl", "awk", "gawk", "ed", "ex":
		return true
	}
	return false
}

// throughLink applies the links that the same command line makes to a touch:
// after `ln -s ~/.config x`, x/trammel is ~/.config/trammel.
func throughLink(files []File, t *Touch) (*Touch, bool) {
	for i := range files {
		f := &files[i]
		if f.Op != Link || !f.Path.Known() || f.To.Abs == "" || !paths.Below(t.Path.Abs, f.To.Abs) {
			continue
		}
		out := t.As(t.Op)
		out.Path.Abs = path.Join(f.Path.Abs, t.Path.Abs[len(f.To.Abs):])
		out.Path.Real = out.Path.Abs
		return out, true
	}
	return nil, false
}
