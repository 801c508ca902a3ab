package model

import "strings"

// Initialises reports whether a run executes only what programs print to set up
// a shell: eval "$(ssh-agent)", eval "$(direnv hook bash)". That is as much
// theirs as what they do themselves. What hands on the text of others does not
// count: cat, echo, git log, a filter.
func (s *Set) Initialises(run int) bool {
	if run < 0 || len(s.Runs[run].Uses) == 0 {
		return false
	}
	for _, source := range s.Runs[run].Uses {
		r := &s.Runs[source]
		if r.Program == "" || r.Program == "git" || r.Data || r.From >= 0 || r.Input != nil || r.More || !setsUp(r) {
			return false
		}
		for i := range s.Files {
			if f := &s.Files[i]; f.Run == source && f.Op == Read {
				return false
			}
		}
		for i := range s.Nets {
			if s.Nets[i].Run == source {
				return false
			}
		}
	}
	return true
}

func setsUp(r *Run) bool {
	switch r.Program {
	case "ssh-agent", "gpg-agent", "keychain", "dircolors", "lesspipe", "resize", "tset":
		return true
	}
	for _, a := range r.Args {
		switch word, _, _ := strings.Cut(a.Text, "."); {
		case !a.Known:
			return false
		case word == "init" || word == "hook" || word == "env" || word == "shellenv" || word == "docker-env" || word == "shell" ||
			word == "completion" || word == "activate" || word == "--bash" || word == "--zsh" || word == "--fish" || word == "--nushell":
			return true
		}
	}
	return false
}
