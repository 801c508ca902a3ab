package policytest

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// Rules finds the rules that tests are for: those of the files as they are
// written, so that a person who edits a rule tests what they see.
type Rules struct {
	Program *full.Program
	// InForce: what calls are judged by now, even if a file has changed since it was trusted.
	InForce bool
	// Isolated: no trust of this machine counts, so there is no point in telling people to trust a file.
	Isolated bool
	// Notes say where the two differ, each once.
	Notes []string

	found map[string]*pipeline.Config
}

// In is what counts in a directory.
func (r *Rules) In(dir string) (*pipeline.Config, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if c := r.found[dir]; c != nil {
		return c, nil
	}
	now, err := r.Program.ConfigFor(&trammel.Event{Session: trammel.Session{Dir: dir}})
	if err != nil {
		return nil, err
	}
	c := &now
	if !now.Set.InForce() {
		if c, err = r.differs(c); err != nil {
			return nil, err
		}
	}
	if r.found == nil {
		r.found = map[string]*pipeline.Config{}
	}
	r.found[dir] = c
	return c, nil
}

// differs chooses between what is in force and what is written, and says that they differ.
func (r *Rules) differs(now *pipeline.Config) (*pipeline.Config, error) {
	for i := range now.Set.Files {
		r.noteFile(now.Set, &now.Set.Files[i])
	}
	if r.InForce {
		return now, nil
	}
	set, err := config.Draft(now.Set, r.Program.Known())
	if err != nil {
		return nil, err
	}
	c, err := r.Program.Trial(set)
	if err != nil {
		return nil, err
	}
	hooks, err := config.WrittenIn(set, r.Program.Known())
	for _, h := range hooks {
		if h.Status == config.Untrusted {
			r.note("hook %s (%s) is not tested: %s", h.ID, h.Source, r.why(&h))
		}
	}
	return &c, err
}

// why says why a hook is not tested.
func (r *Rules) why(h *config.Written) string {
	if r.Isolated {
		return "it starts or calls something, and in isolation nothing is trusted; " +
			"to test it, set TRAMMEL_TRUST to what trammel trust --digest prints"
	}
	return h.Why
}

func (r *Rules) noteFile(set *layers.Set, f *layers.File) {
	there := slices.ContainsFunc(set.Files, func(o layers.File) bool { return o.Path == f.Path && !o.Pinned })
	advice := "; to have them judged by the file as it is, read it and run: trammel trust " + f.Dir
	switch {
	case f.Pinned && !there && r.InForce:
		r.note("%s is gone; tested is its trusted copy, by which calls are judged", f.Path)
	case f.Pinned && !there:
		r.note("%s is gone and not tested, but calls are still judged by its trusted copy", f.Path)
	case f.Trust == layers.Changed && r.InForce:
		r.note("%s has changed since it was trusted; tested is its trusted copy, by which calls are judged", f.Path)
	case f.Trust == layers.Changed:
		r.note("%s is tested as it is written, but it has changed since it was trusted, and calls are judged by its trusted copy"+advice, f.Path)
	case r.Isolated:
	case f.Trust == layers.Unknown && r.InForce:
		r.note("%s is not trusted; tested are only the parts of it by which calls are judged", f.Path)
	case f.Trust == layers.Unknown:
		r.note("%s is tested as it is written, but it is not trusted, and calls are judged by only a part of it"+advice, f.Path)
	}
}

func (r *Rules) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}
