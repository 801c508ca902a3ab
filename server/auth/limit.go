package auth

import (
	"sync"
	"time"
)

// Limit is a rate limit for each name (UI-29). It counts in this process: each
// replica has its own.
type Limit struct {
	Most int
	Per  time.Duration
	Now  func() time.Time

	mu    sync.Mutex
	since time.Time
	seen  map[string]int
}

// Allow counts one more, and reports whether it is within the limit. The period
// is the same for all names, so that all counts can be reset at once.
func (l *Limit) Allow(names ...string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.Now(); l.seen == nil || now.Sub(l.since) >= l.Per {
		l.seen, l.since = map[string]int{}, now
	}
	ok := true
	for _, name := range names {
		l.seen[name]++
		ok = ok && l.seen[name] <= l.Most
	}
	return ok
}

// forgive uncounts one: a success is not an attempt to guess.
func (l *Limit) forgive(names ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		l.seen[name] = max(l.seen[name]-1, 0)
	}
}
