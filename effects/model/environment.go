package model

// Dumps reports whether a run prints all variables.
func (s *Set) Dumps(run int) bool {
	r := &s.Runs[run]
	switch r.Program {
	case "env", "printenv", "set", "export", "declare":
		for i := range s.Runs {
			if s.Runs[i].By == run {
				return false
			}
		}
		return len(r.Args) == 0 || r.Args[0].Text == "-p"
	}
	return false
}
