package importers

// lines are the declaration of a hook that starts a program, which inherits all
// variables, as it does in other systems.
func (p *Program) lines() []string {
	if p.Lines != nil {
		return p.Lines
	}
	out := declared(p.Event, p.Match)
	switch {
	case p.Check != "":
		out = append(out, "check: "+quoted(p.Check))
	case p.URL != "":
		out = append(out, "http: "+quoted(p.URL))
	case len(p.Exec) > 0:
		out = append(out, "exec: "+list(p.Exec))
	default:
		out = append(out, "run: "+quoted(p.Run))
	}
	if p.URL == "" {
		out = append(out, `pass: "*"`)
	}
	for _, f := range [][2]string{{"dialect", p.Dialect}, {"timeout", p.Seconds}, {"on_error", p.OnError}, {"may", p.May}} {
		if f[1] != "" {
			out = append(out, f[0]+": "+f[1])
		}
	}
	return out
}
