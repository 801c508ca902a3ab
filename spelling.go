package trammel

import "sync"

// Spell makes the names that other systems have for kinds known to ParseKind
// and Kind.Aliases. list calls add for each of them; it is called when somebody
// first asks, so that a program which never does pays nothing for it.
func Spell(list func(add func(system, name string, kind Kind))) {
	spellings.mu.Lock()
	defer spellings.mu.Unlock()
	spellings.lists = append(spellings.lists, list)
	spellings.folded = nil
}

var spellings spelling

type spelling struct {
	mu     sync.Mutex
	lists  []func(add func(system, name string, kind Kind))
	folded map[string]Kind // Other marks an ambiguous name
}

func (s *spelling) each(use func(system, name string, kind Kind)) {
	s.mu.Lock()
	lists := s.lists
	s.mu.Unlock()
	for _, list := range lists {
		list(use)
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
