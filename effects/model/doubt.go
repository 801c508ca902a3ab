package model

// maxDoubts bounds how many doubts are listed of those that say only that
// something is unknown.
const maxDoubts = 256

// Doubt notes what is unknown about a run (-1: the call itself). Whatever stops
// at a limit calls it, too, with a code that says that something was not looked
// at; such a doubt is listed however many others there are.
func (s *Set) Doubt(code, what string, run int) {
	if len(s.Doubts) >= maxDoubts && (!cut(code) || s.doubts(code)) {
		return
	}
	next := Doubt{Code: code, What: what[:min(len(what), 200)], Run: run}
	if n := len(s.Doubts); n == 0 || s.Doubts[n-1] != next {
		s.Doubts = append(s.Doubts, next)
	}
}

// cut reports whether a doubt means that something was not looked at.
func cut(code string) bool {
	switch code {
	case "program", "argument", "path", "code", "stdin":
		return false
	}
	return true
}

func (s *Set) doubts(code string) bool {
	for i := range s.Doubts {
		if s.Doubts[i].Code == code {
			return true
		}
	}
	return false
}
