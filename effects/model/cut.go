package model

// Cut notes that something was not looked at: it is too large (size) or too deep
// (depth), or reading it has failed (syntax, failure). Everything that stops at
// a limit calls it. Such a doubt is never dropped, however many others there
// are; each kind is listed once, for the first place where it came up.
func (s *Set) Cut(code, what string, run int) {
	for i := range s.Doubts {
		if s.Doubts[i].Code == code {
			return
		}
	}
	s.Doubts = append(s.Doubts, Doubt{Code: code, What: clip(what), Run: run})
}

// maxDoubts bounds how many doubts are listed that are not cuts.
const maxDoubts = 256

// Doubt notes that something about a run (-1: the call itself) is unknown. After
// many others it is no longer listed: what was not looked at is noted with Cut.
func (s *Set) Doubt(code, what string, run int) {
	if len(s.Doubts) >= maxDoubts {
		return
	}
	next := Doubt{Code: code, What: clip(what), Run: run}
	if n := len(s.Doubts); n == 0 || s.Doubts[n-1] != next {
		s.Doubts = append(s.Doubts, next)
	}
}

// clip shortens what a doubt is about to what somebody reads.
func clip(what string) string { return what[:min(len(what), 200)] }
