package dialects

import (
	"fmt"
	"strings"
)

// Facts is what the first part of a host's text says: one fact a line, a word
// and what is known under it. Lists are separated by a comma and a space, and
// go on where the word stands again.
type Facts struct {
	Title string // what people call it
	// Project is the variable in which it tells its hooks where the project is.
	// That is more stable than the directory in the payload, which an agent can
	// change. "" if it tells them nothing.
	Project string
	// Programs are the names that it is started under, Packages the npm
	// packages that they come in. Ordinary: a program's name is an ordinary
	// word, which says nothing where it stands in a pattern.
	Programs, Packages []string
	Ordinary           bool
	// Marks are variables that are set in the shells which it starts.
	Marks []string
	// Dirs are where its user's settings are: the first whose variable is set.
	Dirs []Dir
	// Settings are the files that wire it, and those beside them that could
	// switch the wiring off: paths by their last parts, in lower case.
	// A ** at the end stands for everything below.
	Settings []string
	// Off is what makes it run without its hooks, its settings or its questions.
	Off Off
	// NoUser and NoProject say why a scope has no file, and what to do instead.
	NoUser, NoProject string
	// Notes tell the user what is left to do once it is wired, ProjectNotes what
	// is for a project alone; {project} stands for its directory.
	Notes, ProjectNotes []string
	// Gaps are what lies outside of hooks, and therefore in no table of powers:
	// what it does not report at all, or lets through whatever is answered.
	Gaps []string
}

// Dir is a directory of a host's user: Below the directory that a variable
// names ($VARIABLE/below), or without a variable below the home directory.
type Dir struct{ Variable, Below string }

// Off are the options and variables with which a host is started unguarded: an
// option (--bare), one with its value (-s danger-full-access), or a variable
// (OPENCODE_PURE). With Hooks it runs no hooks, with Settings it reads other
// settings, and with Approval it asks nobody, or its commands run unconfined.
type Off struct{ Hooks, Settings, Approval []string }

// Facts reads the host's facts, once. A text that cannot be read is a mistake
// of the program and panics; the suite of every dialect reads it.
func (h *Host) Facts() *Facts {
	if f := h.facts.Load(); f != nil {
		return f
	}
	f := &Facts{}
	if h.About != nil {
		head, _, _ := strings.Cut(*h.About, tableTitle)
		for line := range strings.Lines(head) {
			word, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if word != "" && !f.add(word, strings.TrimLeft(value, " ")) {
				panic(fmt.Sprintf("the facts of %s: %q", h.System, line))
			}
		}
	}
	h.facts.Store(f)
	return f
}

// add takes one line. It reports whether there is such a word.
func (f *Facts) add(word, value string) bool {
	switch word {
	case "title":
		f.Title = value
	case "project":
		f.Project = value
	case "ordinary":
		f.Ordinary = value == "yes"
	case "no-user":
		f.NoUser = value
	case "no-project":
		f.NoProject = value
	case "note":
		f.Notes = append(f.Notes, value)
	case "project-note":
		f.ProjectNotes = append(f.ProjectNotes, value)
	case "gap":
		f.Gaps = append(f.Gaps, value)
	case "dirs":
		for name := range strings.SplitSeq(value, ", ") {
			d := Dir{Below: name}
			if rest, ok := strings.CutPrefix(name, "$"); ok {
				d.Variable, d.Below, _ = strings.Cut(rest, "/")
			}
			f.Dirs = append(f.Dirs, d)
		}
	default:
		list := f.list(word)
		if list == nil {
			return false
		}
		*list = append(*list, strings.Split(value, ", ")...)
	}
	return true
}

// list finds the list that a word stands for, nil if there is none.
func (f *Facts) list(word string) *[]string {
	switch word {
	case "programs":
		return &f.Programs
	case "packages":
		return &f.Packages
	case "marks":
		return &f.Marks
	case "settings":
		return &f.Settings
	case "off-hooks":
		return &f.Off.Hooks
	case "off-settings":
		return &f.Off.Settings
	case "off-approval":
		return &f.Off.Approval
	}
	return nil
}
