package model

// maxDoubts limits how many doubts are listed. The first of each kind is always
// included.
const maxDoubts = 256

// Doubt notes something unknown about a run (-1: the call itself). It is also used
// when a limit is reached, with a code that says that something was not read:
// size, depth. Other doubts, however many, cannot displace one that says something
// new.
func (s *Set) Doubt(code, what string, run int) {
	if len(s.Doubts) >= maxDoubts && s.doubts(code) {
		return
	}
	next := Doubt{Code: code, What: what[:min(len(what), 200)], Run: run}
	if n := len(s.Doubts); n == 0 || s.Doubts[n-1] != next {
		s.Doubts = append(s.Doubts, next)
	}
}

func (s *Set) doubts(code string) bool {
	for i := range s.Doubts {
		if s.Doubts[i].Code == code {
			return true
		}
	}
	return false
}
