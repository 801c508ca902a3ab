package install

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/install/plugins"
)

// Hosts returns all agents that can be wired, in the order in which they are
// shown.
func Hosts() []*dialects.Host {
	return slices.DeleteFunc(standard.Hosts(), func(h *dialects.Host) bool { return h.Wiring == nil })
}

// Find returns a host by the name of its dialect, or by that of its program.
func Find(name string) (*dialects.Host, error) {
	var names, programs []string
	var started *dialects.Host
	for _, h := range Hosts() {
		switch {
		case h.System == name:
			return h, nil
		case h.Starts(name):
			started = h
		}
		names, programs = append(names, h.System), append(programs, h.Facts().Programs...)
	}
	if started != nil {
		return started, nil
	}
	return nil, dialects.UnknownHost(name, names, programs)
}

// Dir is where a host keeps its user's settings.
func (e Env) Dir(h *dialects.Host) string {
	dir, _ := e.dir(h)
	return dir
}

// dir is Dir, and whether a variable names it.
func (e Env) dir(h *dialects.Host) (dir string, named bool) {
	for _, d := range h.Facts().Dirs {
		if d.Variable == "" {
			return filepath.Join(e.Home, filepath.FromSlash(d.Below)), false
		}
		if dir := e.Getenv(d.Variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(d.Below)), true
		}
	}
	return "", false
}

// collect finds the files of the site's scope, with what should be in them.
func (s *site) collect() error {
	for i := range s.host.Wiring {
		f := &s.host.Wiring[i]
		base, rel := s.Env.Dir(s.host), f.User
		if s.Scope == Project {
			base, rel = s.Project, f.Project
		}
		if rel == "" {
			continue
		}
		paths := []string{filepath.Join(base, filepath.FromSlash(rel))}
		if strings.Contains(rel, "*") {
			var err error
			if paths, err = filepath.Glob(filepath.Join(globQuote(base), filepath.FromSlash(rel))); err != nil {
				return err
			}
		}
		for _, path := range paths {
			s.targets = append(s.targets, s.target(f, path))
		}
		s.known = true
	}
	known := s.host.Facts()
	switch {
	case s.known:
	case s.Scope == Project:
		return fmt.Errorf("%s", known.NoProject)
	default:
		return fmt.Errorf("%s", known.NoUser)
	}
	s.notes = slices.Clone(known.Notes)
	if s.Scope == Project {
		for _, note := range known.ProjectNotes {
			s.notes = append(s.notes, strings.ReplaceAll(note, "{project}", s.Project))
		}
	}
	return nil
}

// target is a file as it should be.
func (s *site) target(f *dialects.File, path string) target {
	t := target{path: path, named: f.Named}
	calls := s.calls(f)
	switch {
	case f.Entry != nil:
		t.wiring = &wiring{head: f.Head, listed: f.Listed}
		for _, c := range calls {
			t.wiring.entries = append(t.wiring.entries, entry{c.Name, f.Entry(c)})
		}
	case f.Plugin != nil:
		t.text = plugins.Make(*f.Plugin, s.program(), calls)
	default:
		t.text = append([]byte("# "+Marker+": written by trammel init; changes are lost\n"), f.Text(calls)...)
	}
	return t
}

// calls are the events of a file.
func (s *site) calls(f *dialects.File) []dialects.Call {
	var out []dialects.Call
	events := s.host.Events()
	for i := range events {
		e := &events[i]
		if e.Wire == dialects.NotWired || f.Only != nil && !slices.Contains(f.Only, e.Name) || slices.Contains(f.Except, e.Name) {
			continue
		}
		c := dialects.Call{Event: e, Timeout: cmp.Or(s.host.Patience(e.Kind), e.Timeout, e.Deadline, dialects.Deadline),
			Windows: s.GOOS == "windows" && s.Scope != Project, AtLeast: s.atLeast}
		c.Command, c.OnWindows = s.lines(e)
		out = append(out, c)
	}
	return out
}

// atLeast reports whether the installed host is known to be of a version, or a
// newer one. A shared file must not depend on what is installed here, so it is
// written for new versions.
func (s *site) atLeast(version string) bool {
	if s.Scope != User {
		return true
	}
	v := s.version()
	return v != "" && semver.Compare("v"+v, "v"+version) >= 0
}

// globQuote makes a path match only itself.
func globQuote(path string) string {
	if filepath.Separator == '\\' {
		return path // there is no quoting on Windows, and of these only [ can be in a name
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
