package pipeline

import (
	"sync"
	"time"
)

// remembered keeps what was found for a moment, for a process that judges many
// events. Errors are not kept. It is safe for concurrent use.
type remembered[T any] struct {
	mu    sync.Mutex
	known map[string]found[T]
}

type found[T any] struct {
	value T
	at    time.Time
}

// maxRemembered bounds how much is remembered.
const maxRemembered = 256

// get returns what was found for the key, if that is not older than keep, and
// finds it otherwise.
func (r *remembered[T]) get(key string, keep time.Duration, find func() (T, error)) (T, error) {
	now := time.Now()
	r.mu.Lock()
	known, ok := r.known[key]
	r.mu.Unlock()
	if ok && now.Sub(known.at) < keep {
		return known.value, nil
	}
	v, err := find()
	if err != nil {
		return v, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxRemembered || r.known == nil {
		r.known = map[string]found[T]{}
	}
	r.known[key] = found[T]{v, now}
	return v, nil
}
