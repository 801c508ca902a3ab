package model

// Dumps reports whether a run prints all variables.
func (s *Set) Dumps(run int) bool {
	r := &s.Runs[run]
	switch r.Program {
	case "env", "printenv", "set", "export", "declare", "typeset":
		for i := range s.Runs {
			if s.Runs[i].By == run {
				return false
			}
		}
		return len(r.Args) == 0 || len(r.Args) == 1 && (r.Args[0].Text == "-p" || r.Args[0].Text == "-px" || r.Args[0].Text == "-xp")
	}
	return false
}
