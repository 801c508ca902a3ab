package effect

// span is a range of runs, from the first up to the last but one.
type span struct{ from, to int }

// add makes the span cover another one, too.
func (s *span) add(o span) {
	switch {
	case o.from >= o.to:
	case s.from >= s.to:
		*s = o
	default:
		s.from, s.to = min(s.from, o.from), max(s.to, o.to)
	}
}

// maxUses bounds the runs that are listed as used by one.
const maxUses = 32

// uses lists the runs that words and variables come from.
func uses(words []Word, env []Assign) []int {
	var out []int
	last := span{}
	add := func(s span) {
		if s == last || s.from >= s.to {
			return
		}
		last = s
		for run := s.from; run < s.to && len(out) < maxUses; run++ {
			out = append(out, run)
		}
	}
	for i := range words {
		add(words[i].uses)
	}
	for i := range env {
		add(env[i].Value.uses)
	}
	return out
}
