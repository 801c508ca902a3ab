// Package dialects finds the languages of foreign systems by name, and says
// what becomes of an answer that a host cannot carry out. Each language is a
// folder below; which ones a program links is decided in standard.
package dialects

import (
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel"
)

// Set is the languages that a program speaks. It does not change once it is
// made and is safe for concurrent use.
type Set struct{ list []Entry }

// Entry is a system: what is known about it, nil for nothing, and its language,
// nil if nothing is spoken with it.
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

// New makes a set. A name that stands twice is a mistake of the program and
// panics.
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

// Host finds a language that is spoken towards agents.
func (s *Set) Host(name string) (trammel.HostDialect, bool) {
	d, ok := s.find(name).(trammel.HostDialect)
	return d, ok
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

// Hook finds a language that is spoken towards hook programs.
func (s *Set) Hook(name string) (trammel.HookDialect, bool) {
	d, ok := s.find(name).(trammel.HookDialect)
	return d, ok
}

// Names lists all languages, sorted.
func (s *Set) Names() []string { return s.names(func(Dialect) bool { return true }) }

// Hosts lists the languages that are spoken towards agents, sorted.
func (s *Set) Hosts() []string {
	return s.names(func(d Dialect) bool { _, ok := d.(trammel.HostDialect); return ok })
}

// Hooks lists the languages that are spoken towards hook programs, sorted.
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
