// Package dialects finds the languages of foreign systems by name, and says
// what becomes of an answer that a host cannot carry out. Each language is a
// folder below; which ones a program links is decided in standard.
package dialects

import (
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel"
)

// Dialect is a language of which at least one half is spoken: it is a
// trammel.HostDialect, a trammel.HookDialect, or both.
type Dialect interface{ Name() string }

// Set is the languages that a program speaks. It does not change once it is
// made and is safe for concurrent use.
type Set struct{ list []Dialect }

// New makes a set. A name that stands twice, or a dialect without either half,
// is a mistake of the program and panics.
func New(list ...Dialect) *Set {
	s := &Set{}
	for _, d := range list {
		_, host := d.(trammel.HostDialect)
		_, hook := d.(trammel.HookDialect)
		if !host && !hook || s.find(d.Name()) != nil {
			panic(fmt.Sprintf("dialect %q is there twice, or is neither for hosts nor for hooks", d.Name()))
		}
		s.list = append(s.list, d)
	}
	return s
}

// Host finds a language that is spoken towards agents.
func (s *Set) Host(name string) (trammel.HostDialect, bool) {
	d, ok := s.find(name).(trammel.HostDialect)
	return d, ok
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
	for _, d := range s.list {
		if d.Name() == name {
			return d
		}
	}
	return nil
}

func (s *Set) names(want func(Dialect) bool) []string {
	var out []string
	for _, d := range s.list {
		if want(d) {
			out = append(out, d.Name())
		}
	}
	slices.Sort(out)
	return out
}
