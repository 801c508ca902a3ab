// Package dialects finds dialects by name, and degrades answers that a host
// cannot carry out. Each dialect has its own folder; package standard lists
// those that a program links.
package dialects

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/nearest"
)

// Set is the dialects of a program. It is immutable and safe for concurrent
// use.
type Set struct{ list []Entry }

// Entry is a system: what is known about it, nil for nothing, and its dialect,
// nil if it has none.
type Entry struct {
	Host    *Host
	Dialect Dialect
}

// Name is what the system is called in configuration.
func (e *Entry) Name() string {
	if e.Dialect != nil {
		return e.Dialect.Name()
	}
	return e.Host.System
}

// New makes a set. A duplicate name is a bug and panics.
func New(list ...Entry) *Set {
	for i := range list {
		for k := range i {
			if list[k].Name() == list[i].Name() {
				panic(fmt.Sprintf("dialect %q is listed twice", list[i].Name()))
			}
		}
	}
	return &Set{list}
}

// Host finds a dialect for agents.
func (s *Set) Host(name string) (trammel.HostDialect, bool) {
	d, ok := s.find(name).(trammel.HostDialect)
	return d, ok
}

// Named is Host for a name that a person gives: claude is claude-code, as its program
// is called.
func (s *Set) Named(name string) (trammel.HostDialect, error) {
	if d, ok := s.Host(name); ok {
		return d, nil
	}
	for i := range s.list {
		if d, ok := s.list[i].Dialect.(trammel.HostDialect); ok && s.list[i].Host != nil && s.list[i].Host.Starts(name) {
			return d, nil
		}
	}
	var programs []string
	for i := range s.list {
		if h := s.list[i].Host; h != nil {
			programs = append(programs, h.Facts().Programs...)
		}
	}
	return nil, UnknownHost(name, s.Hosts(), programs)
}

// UnknownHost is the error for a name that is no host's. The programs of hosts are
// names, too, but only the hosts are listed.
func UnknownHost(name string, hosts, programs []string) error {
	hint := ""
	if near := nearest.Word(name, slices.Concat(hosts, programs)); near != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	}
	return fmt.Errorf("unknown host %q%s, expected one of %s", name, hint, strings.Join(hosts, ", "))
}

// About is what is known about a host, nil if that is nothing.
func (s *Set) About(name string) *Host {
	for i := range s.list {
		if s.list[i].Name() == name {
			return s.list[i].Host
		}
	}
	return nil
}

// Hook finds a dialect for hook programs.
func (s *Set) Hook(name string) (trammel.HookDialect, bool) {
	d, ok := s.find(name).(trammel.HookDialect)
	return d, ok
}

// Names lists all dialects, sorted.
func (s *Set) Names() []string { return s.names(func(Dialect) bool { return true }) }

// Hosts lists the dialects for agents, sorted.
func (s *Set) Hosts() []string {
	return s.names(func(d Dialect) bool { _, ok := d.(trammel.HostDialect); return ok })
}

// Hooks lists the dialects for hook programs, sorted.
func (s *Set) Hooks() []string {
	return s.names(func(d Dialect) bool { _, ok := d.(trammel.HookDialect); return ok })
}

func (s *Set) find(name string) Dialect {
	for i := range s.list {
		if d := s.list[i].Dialect; d != nil && d.Name() == name {
			return d
		}
	}
	return nil
}

func (s *Set) names(want func(Dialect) bool) []string {
	var out []string
	for i := range s.list {
		if d := s.list[i].Dialect; d != nil && want(d) {
			out = append(out, d.Name())
		}
	}
	slices.Sort(out)
	return out
}
