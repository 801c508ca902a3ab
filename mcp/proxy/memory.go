package proxy

import "sync"

// memory is what a session remembers from one message to the next. Related
// requests that arrive separately share it.
type memory struct {
	mu       sync.Mutex
	known    known
	tasks    map[string]*exchange
	rate     rate
	server   any // the server's description of itself
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

// Beside is the same session for one separate request: the memory is shared,
// but request ids cannot collide. It is for HTTP clients without a session,
// whose ids are unique only per client.
func (s *Session) Beside() *Session {
	shared := s.memory()
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Session{ID: s.ID, Name: s.Name, Dir: s.Dir, Settings: s.Settings, Judge: s.Judge, Pins: s.Pins, Busy: s.Busy,
		User: s.User, Tasks: s.Tasks, version: s.version, peer: s.peer, own: shared}
}
