package trammel

import (
	"slices"
	"sync"
)

// Spell tells ParseKind and Kind.Aliases the names that other systems have for
// kinds. list calls add for each of them. It is called when somebody first asks,
// so that a program that never asks pays nothing for it. Another list under the
// same name replaces the first.
func Spell(name string, list func(add func(system, name string, kind Kind))) {
	spellings.mu.Lock()
	defer spellings.mu.Unlock()
	spellings.folded = nil
	at := slices.IndexFunc(spellings.lists, func(l spelledList) bool { return l.name == name })
	if at < 0 {
		spellings.lists = append(spellings.lists, spelledList{name, list})
		return
	}
	spellings.lists = slices.Clone(spellings.lists)
	spellings.lists[at].list = list
}

type spelledList struct {
	name string
	list func(add func(system, name string, kind Kind))
}

var spellings spelling

type spelling struct {
	mu     sync.Mutex
	lists  []spelledList
	folded map[string]Kind // Other marks an ambiguous name
}

func (s *spelling) each(use func(system, name string, kind Kind)) {
	s.mu.Lock()
	lists := s.lists
	s.mu.Unlock()
	for _, l := range lists {
		l.list(use)
	}
}

// names maps each folded spelling to its kind.
func (s *spelling) names() map[string]Kind {
	s.mu.Lock()
	m := s.folded
	s.mu.Unlock()
	if m != nil {
		return m
	}
	m = make(map[string]Kind, 4*len(catalogue))
	s.each(func(_, name string, kind Kind) {
		key := fold(name)
		if old, taken := m[key]; taken && old != kind {
			kind = Other
		}
		m[key] = kind
	})
	for k := range catalogue { // our own names win
		m[fold(catalogue[k].name)] = Kind(k)
	}
	s.mu.Lock()
	s.folded = m
	s.mu.Unlock()
	return m
}
