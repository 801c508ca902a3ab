package install

import (
	"fmt"
	"slices"
	"strings"
)

// Plan computes what has to be done to wire a host, and changes nothing.
func Plan(env Env, host string, opts Options) (*Change, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	s, err := at(env, host, opts)
	if err != nil {
		return nil, err
	}
	state := storeOf(env, s.host.System, opts)
	old, err := state.read()
	if err != nil {
		return nil, err
	}
	c := &Change{Host: host, Notes: s.notes, state: state}
	rec := &record{Host: host, Scope: opts.Scope, Project: opts.Project, Hook: opts.Hook}
	if old != nil {
		rec.Dirs = old.Dirs
	}
	for i := range s.targets {
		t := &s.targets[i]
		fc, kept, err := s.wire(t, old.file(t.path))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s.host.Facts().Title, t.path, err)
		}
		if fc != nil {
			c.Files = append(c.Files, *fc)
		}
		if kept != nil {
			rec.Files = append(rec.Files, *kept)
		}
	}
	if old != nil { // files that are no longer wired, such as a deleted agent's
		for _, f := range old.Files {
			if rec.file(f.Path) == nil {
				rec.Files = append(rec.Files, f)
			}
		}
	}
	slices.SortFunc(rec.Files, func(a, b recordedFile) int { return strings.Compare(a.Path, b.Path) })
	c.record, c.Warnings = rec, s.warnings
	return c, nil
}

// wire computes the change of one file, and what is recorded about it.
func (s *site) wire(t *target, old *recordedFile) (*FileChange, *recordedFile, error) {
	before, there, err := read(t.path)
	if err != nil {
		return nil, nil, err
	}
	fc := &FileChange{Path: t.path, Before: before, Create: !there, Mode: 0o644}
	origin, err := s.origin(t, before, there, old)
	if err != nil {
		return nil, nil, err
	}
	if fc.After, err = s.wired(t, before); err != nil {
		return nil, nil, err
	}
	if there && string(fc.After) == string(before) {
		return nil, old, nil
	}
	origin.Written = digest(fc.After)
	return fc, origin, writable(t.path)
}

// wired is the file as it should be.
func (s *site) wired(t *target, before []byte) ([]byte, error) {
	if t.wiring == nil {
		if len(before) > 0 && !ownsText(before) {
			return nil, fmt.Errorf("the file exists and is not ours: its first line does not contain %q", Marker)
		}
		return t.text, nil
	}
	if blank(before) {
		return t.wiring.file(), nil
	}
	d, err := parse(before)
	if err != nil {
		return nil, err
	}
	s.remark(t, d)
	if missing, err := t.wiring.current(d); err != nil || len(missing) == 0 {
		return before, err
	}
	clean, err := strip(d, t.wiring.listed)
	if err != nil {
		return nil, err
	}
	if len(clean) != len(before) {
		if d, err = parse(clean); err != nil {
			return nil, err
		}
	}
	after, err := t.wiring.add(d)
	if err != nil {
		return nil, err
	}
	return after, t.verify(after)
}

// verify reads what would be written, because a bug of ours must not damage the
// user's settings.
func (t *target) verify(after []byte) error {
	d, err := parse(after)
	if err != nil {
		return fmt.Errorf("the file cannot be edited safely: %w", err)
	}
	if missing, err := t.wiring.current(d); err != nil || len(missing) > 0 {
		return fmt.Errorf("the file cannot be edited safely: %s", strings.Join(missing, ", "))
	}
	return nil
}

// remark warns of settings in a file that keep the wiring from working.
func (s *site) remark(t *target, d *document) {
	if !d.plainJSON() && !s.host.Facts().Comments {
		s.warn("%s has comments or trailing commas. They stay, but it is unknown whether %s can read such a file.", t.path, s.host.Facts().Title)
	}
	if s.disabled(d) {
		s.warn("%s sets %s, so %s runs no hooks at all.", t.path, s.host.Facts().Disabled, s.host.Facts().Title)
	}
}

// disabled reports whether the host's own switch turns all hooks off.
func (s *site) disabled(d *document) bool {
	key := s.host.Facts().Disabled
	if key == "" {
		return false
	}
	off := find(d.obj, key)
	return off != nil && off.Value.Kind() == 't'
}

// origin says what uninstall has to restore: the file as it was before we
// first touched it, or, if others have changed it since, as it is now without
// our entries.
func (s *site) origin(t *target, before []byte, there bool, old *recordedFile) (*recordedFile, error) {
	switch {
	case !there:
		return &recordedFile{Path: t.path, Created: true, Whole: t.wiring == nil}, nil
	case old != nil && old.Written == digest(before):
		kept := *old
		return &kept, nil
	case t.wiring == nil: // entirely ours, or refused later
		return &recordedFile{Path: t.path, Created: true, Whole: true}, nil
	}
	clean, emptied, err := t.clean(before)
	if err != nil {
		return nil, err
	}
	if emptied && (t.named || old != nil && old.Created) {
		return &recordedFile{Path: t.path, Created: true}, nil
	}
	return &recordedFile{Path: t.path, Original: digest(clean), original: clean}, nil
}

// clean returns a JSON file without our entries, and whether nothing is left
// that would not be ours.
func (t *target) clean(data []byte) ([]byte, bool, error) {
	if blank(data) {
		return data, false, nil
	}
	d, err := parse(data)
	if err != nil {
		return nil, false, err
	}
	out, err := strip(d, t.wiring.listed)
	if err != nil || len(out) == len(data) { // strip only removes
		return data, false, err
	}
	if d, err = parse(out); err != nil {
		return nil, false, err
	}
	return out, bare(d, t.wiring.head), nil
}

func blank(data []byte) bool { return strings.TrimSpace(string(data)) == "" }

// ownsText reports whether a file is entirely ours.
func ownsText(data []byte) bool {
	first, _, _ := strings.Cut(string(data), "\n")
	return strings.Contains(first, Marker)
}
