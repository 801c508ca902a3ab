package proxy

import "sync"

// memory is what a session remembers from one message to the next. Requests that
// belong together but come one by one share it.
type memory struct {
	mu       sync.Mutex
	known    known
	tasks    map[string]*exchange
	rate     rate
	server   any // what the server says that it is
	requests int // of our own, so far
	waiting  map[string]waiting
	listing  sync.Mutex
}

func (s *Session) memory() *memory {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own == nil {
		s.own = &memory{}
	}
	return s.own
}

// Beside is the same session for one more request that no other knows of: what is
// remembered is shared, and ids of requests cannot be mixed up. It is for clients
// over HTTP that have no session, whose ids are only their own.
func (s *Session) Beside() *Session {
	shared := s.memory()
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Session{ID: s.ID, Name: s.Name, Dir: s.Dir, Settings: s.Settings, Judge: s.Judge, Pins: s.Pins, Busy: s.Busy,
		User: s.User, Tasks: s.Tasks, version: s.version, peer: s.peer, own: shared}
}
