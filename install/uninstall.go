package install

import (
	"fmt"
	"path/filepath"
	"slices"
)

// PlanUninstall plans the removal of a host's wiring, and changes nothing;
// Apply does it. An unchanged file is restored byte for byte, a file that we
// made is deleted, and from a file that somebody has changed only our entries
// are removed. It also works if the record is lost.
func PlanUninstall(env Env, host string, opts Options) (*Change, error) {
	s, err := at(env, host, opts)
	if err != nil {
		return nil, err
	}
	c := &Change{Host: host, state: storeOf(env, s.host.System, opts)}
	rec, err := c.state.read()
	if err != nil {
		return nil, err
	}
	targets := s.targets
	if rec != nil {
		for _, f := range rec.Files { // also what is no longer wired today
			if !slices.ContainsFunc(targets, func(t target) bool { return t.path == f.Path }) {
				targets = append(targets, target{path: f.Path, wiring: lost(&f, targets)})
			}
		}
	}
	for i := range targets {
		fc, err := c.unwire(&targets[i], rec.file(targets[i].path))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w; nothing was changed. Our entries contain %q", s.host.Facts().Title, targets[i].path, err, Marker)
		}
		if fc != nil {
			c.Files = append(c.Files, *fc)
		}
	}
	return c, nil
}

// lost says how to read a file that is no longer a target: like the others of
// its host.
func lost(f *recordedFile, targets []target) *wiring {
	if f.Whole {
		return nil
	}
	for i := range targets {
		if targets[i].wiring != nil && filepath.Dir(targets[i].path) == filepath.Dir(f.Path) {
			return targets[i].wiring
		}
	}
	return &wiring{}
}

func (c *Change) unwire(t *target, rec *recordedFile) (*FileChange, error) {
	now, there, err := read(t.path)
	if err != nil || !there {
		return nil, err
	}
	fc := &FileChange{Path: t.path, Before: now}
	switch {
	case rec != nil && rec.Written == digest(now) && rec.Created:
		fc.Remove = true
	case rec != nil && rec.Written == digest(now):
		if fc.After, err = c.state.original(rec); err != nil {
			return nil, err
		}
	case rec != nil && rec.Original == digest(now):
		return nil, nil
	case t.wiring == nil:
		if !ownsText(now) {
			return nil, nil
		}
		fc.Remove = true
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s was changed after it was written; the whole file is ours, so it is removed with the "+
			"changes.",
			t.path))
	default:
		emptied := false
		if fc.After, emptied, err = t.clean(now); err != nil {
			return nil, err
		}
		if emptied && (t.named || rec != nil && rec.Created) {
			fc.Remove = true
		} else if rec != nil && string(fc.After) != string(now) {
			c.Notes = append(c.Notes, fmt.Sprintf("%s was changed after it was wired, so only our entries were removed.", t.path))
		}
	}
	if !fc.Remove && string(fc.After) == string(now) {
		return nil, nil
	}
	if fc.Remove {
		fc.After = nil
	}
	return fc, writable(t.path)
}
