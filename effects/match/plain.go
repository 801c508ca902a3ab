package match

import "github.com/trammel-dev/trammel/effects"

// Carriers are the runs that only start others, as they are and here: env, timeout, sh
// -c. One that gives more rights, starts something elsewhere, or does something itself is
// none.
func Carriers(set *effects.Set) []bool {
	carries := make([]bool, len(set.Runs))
	for i := range set.Runs {
		if by := set.Runs[i].By; by >= 0 {
			carries[by] = true
		}
	}
	for i := range set.Runs {
		if r := &set.Runs[i]; r.By >= 0 && (r.Root != set.Runs[r.By].Root || r.Remote != set.Runs[r.By].Remote) {
			carries[r.By] = false
		}
	}
	for i := range set.Files {
		if f := &set.Files[i]; f.Run >= 0 && f.Op != effects.Read && f.Op != effects.Search {
			carries[f.Run] = false
		}
	}
	for i := range set.Nets {
		if run := set.Nets[i].Run; run >= 0 {
			carries[run] = false
		}
	}
	return carries
}
