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

// Entry is a system under its name. Its language is made only when somebody
// asks for it: a hook is started for one host, and speaks to few programs.
type Entry struct {
	Name string
	New  func() Dialect // nil: nothing is spoken with it
	Host *Host          // what is known about it; nil: nothing
}

// New makes a set. A name that stands twice is a mistake of the program and
// panics.
func New(list ...Entry) *Set {
	for i := range list {
		for k := range i {
			if list[k].Name == list[i].Name {
				panic(fmt.Sprintf("dialect %q is there twice", list[i].Name))
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
		if s.list[i].Name == name && s.list[i].New != nil {
			return s.list[i].New()
		}
	}
	return nil
}

func (s *Set) names(want func(Dialect) bool) []string {
	var out []string
	for i := range s.list {
		if s.list[i].New != nil && want(s.list[i].New()) {
			out = append(out, s.list[i].Name)
		}
	}
	slices.Sort(out)
	return out
}
