package shell

// maxUses bounds the runs that are listed as used by one.
const maxUses = 32

// uses lists the runs that words and variables come from.
func uses(words []Word, env []Assign) []int {
	var out []int
	last := span{}
	add := func(s span) {
		if s == last || s.From >= s.To {
			return
		}
		last = s
		for run := s.From; run < s.To && len(out) < maxUses; run++ {
			out = append(out, run)
		}
	}
	for i := range words {
		add(words[i].Uses)
	}
	for i := range env {
		add(env[i].Value.Uses)
	}
	return out
}
