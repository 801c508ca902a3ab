package model

// Add lists what another set has, too. The runs of the other one come behind
// those that are there.
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
		for i := range r.Args {
			span(&r.Args[i].Uses)
		}
		for i := range r.Env {
			span(&r.Env[i].Value.Uses)
		}
		s.Runs = append(s.Runs, r)
	}
	for _, f := range o.Files {
		f.Run = moved(f.Run)
		s.Files = append(s.Files, f)
	}
	for _, n := range o.Nets {
		n.Run = moved(n.Run)
		s.Nets = append(s.Nets, n)
	}
	for _, c := range o.Codes {
		c.Run = moved(c.Run)
		s.Codes = append(s.Codes, c)
	}
	for _, d := range o.Doubts {
		d.Run = moved(d.Run)
		s.Doubts = append(s.Doubts, d)
	}
	s.Env = append(s.Env, o.Env...)
	s.Bombs = append(s.Bombs, o.Bombs...)
}
