package cli

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Each is this evidence alone, or that of every project of this user, sorted by
// project. Removed logs are included; There reports them.
func (s *Evidence) Each(all bool) ([]*Evidence, error) {
	if !all {
		return []*Evidence{s}, s.Open()
	}
	if s.Dir != "" {
		return nil, Usagef("--all is for every project and --dir for one: use only one of them")
	}
	if _, err := s.Place(); err != nil {
		return nil, err
	}
	var names []string
	for _, place := range []string{s.Log, s.mark} {
		entries, err := os.ReadDir(filepath.Dir(place))
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() == (place == s.Log) {
				names = append(names, e.Name())
			}
		}
	}
	if len(names) == 0 {
		return nil, errors.New("there is no evidence yet: no agent has reported anything; trammel doctor says whether one is wired")
	}
	slices.Sort(names)
	var out []*Evidence
	for _, name := range slices.Compact(names) {
		one := &Evidence{Log: filepath.Join(filepath.Dir(s.Log), name), mark: filepath.Join(filepath.Dir(s.mark), name),
			KeyFile: filepath.Join(filepath.Dir(s.KeyFile), name), State: s.State, Project: name}
		one.named()
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b *Evidence) int { return cmp.Compare(a.Project, b.Project) })
	return out, nil
}

// lookFor is how many records are read to find the name of their project.
const lookFor = 100

// named finds the directory of the project in its records. A log without one
// keeps its own name. Errors of the log are reported elsewhere.
func (s *Evidence) named() {
	n := 0
	_ = evidence.Scan(s.Log, func(e evidence.Entry) error {
		r, err := e.Record()
		dir, _ := r["project"].(string)
		if n++; err == nil && dir != "" && layers.Key(dir) == filepath.Base(s.Log) {
			s.Project, n = dir, lookFor
		}
		if n >= lookFor {
			return evidence.ErrStop
		}
		return nil
	})
}
