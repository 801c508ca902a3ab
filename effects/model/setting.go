package model

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel"
)

// Setting is where a call happens: on which machine, and in which directories.
type Setting struct {
	trammel.World
	Dir     string // the session's directory, absolute
	Project string // the project's root, "" if there is none
	Past    trammel.Past
}

// Recall finds what the session has done to a file before. It is unsure where
// that cannot be read, or more was done than is remembered.
func (s *Setting) Recall(sort trammel.PastSort, p *Path) (r trammel.Remembered, found, unsure bool) {
	if s.Past == nil || !p.Known() || p.Glob {
		return r, false, false
	}
	all, err := s.Past.Recall(sort)
	for _, r := range all.Items {
		below := isFolder(r.What) && (strings.HasPrefix(p.Real+"/", r.What) || strings.HasPrefix(p.Abs+"/", r.What))
		if r.What == p.Real || r.What == p.Abs || below || isPattern(r.What, p.Abs) {
			return r, true, false
		}
	}
	return r, false, err != nil || all.Forgot
}

// Remembers reports whether the session may have done something of a sort before.
func (s *Setting) Remembers(sort trammel.PastSort) bool {
	if s.Past == nil {
		return false
	}
	all, err := s.Past.Recall(sort)
	return err != nil || all.Forgot || len(all.Items) > 0
}

// isPattern reports whether what is remembered is a pattern for names that only the
// running program knew, and that a file has such a name.
func isPattern(what, file string) bool {
	if strings.IndexByte(what, '*') < 0 {
		return false
	}
	ok, _ := path.Match(what, file)
	return ok
}

// isFolder reports whether what is remembered is about all files of a folder.
func isFolder(what string) bool { return len(what) > 1 && what[len(what)-1] == '/' }
