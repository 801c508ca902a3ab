package model

import "slices"

// Add appends another set. Its runs come after the existing ones.
func (s *Set) Add(o *Set) {
	by := len(s.Runs)
	moved := func(run int) int {
		if run < 0 {
			return run
		}
		return run + by
	}
	span := func(u *Span) {
		if u.From < u.To {
			u.From, u.To = u.From+by, u.To+by
		}
	}
	for _, r := range o.Runs {
		r.By, r.From = moved(r.By), moved(r.From)
		for i := range r.Uses {
			r.Uses[i] += by
		}
		r.Args, r.Env = slices.Clone(r.Args), slices.Clone(r.Env) // a run may share them with the one that starts it
		for i := range r.Args {
			span(&r.Args[i].Uses)
		}
		for i := range r.Env {
			span(&r.Env[i].Value.Uses)
		}
		s.Runs = append(s.Runs, r)
	}
	s.Files = appendEach(s.Files, o.Files, func(f *File) { f.Run = moved(f.Run) })
	s.Far = appendEach(s.Far, o.Far, func(f *File) { f.Run = moved(f.Run) })
	s.Nets = appendEach(s.Nets, o.Nets, func(n *Net) { n.Run = moved(n.Run) })
	s.Codes = appendEach(s.Codes, o.Codes, func(c *Code) { c.Run = moved(c.Run) })
	s.Traps = appendEach(s.Traps, o.Traps, func(t *Trap) { t.Run = moved(t.Run) })
	s.Doubts = appendEach(s.Doubts, o.Doubts, func(d *Doubt) { d.Run = moved(d.Run) })
	s.Env = append(s.Env, o.Env...)
	s.Bombs = append(s.Bombs, o.Bombs...)
	s.Origins = append(s.Origins, o.Origins...)
}

// appendEach appends a changed copy of each.
func appendEach[T any](to, from []T, change func(*T)) []T {
	for _, x := range from {
		change(&x)
		to = append(to, x)
	}
	return to
}

// Show notes that what a run has read is printed. It reports false if the run has not
// read it.
func (s *Set) Show(f *File) bool {
	for i := len(s.Files) - 1; i >= 0; i-- {
		if r := &s.Files[i]; r.Run == f.Run && r.Op == f.Op && r.Path == f.Path {
			r.Shown = true
			return true
		}
	}
	return false
}
