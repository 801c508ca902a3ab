package shell

// maxUses bounds the runs that are listed as used by others.
const maxUses = 1 << 16

// uses lists the runs that words and variables come from.
func (d *deriver) usesOf(words []Word, env []Assign) []int {
	var out []int
	last := span{}
	add := func(s span) {
		if s == last || s.From >= s.To {
			return
		}
		last = s
		if d.uses += s.To - s.From; d.uses > maxUses {
			d.doubt("size", "more outputs are used than are looked at", -1)
			return
		}
		for run := s.From; run < s.To; run++ {
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
