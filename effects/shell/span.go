package shell

import "github.com/trammel-dev/trammel/effects/model"

// maxUses bounds the runs that are listed as used by others.
const maxUses = 1 << 16

// usesOf lists the runs that words, variables and standard input come from.
func (d *deriver) usesOf(words []model.Word, env []model.Assign, in model.Span) []int {
	var out []int
	last := model.Span{}
	add := func(s model.Span) {
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
	add(in)
	return out
}
