package pipeline

import (
	"sync"
	"time"
)

// remembered caches values for a short time, for a process that judges many
// events. It does not cache errors. It is safe for concurrent use.
type remembered[T any] struct {
	mu    sync.Mutex
	known map[string]found[T]
}

type found[T any] struct {
	value T
	at    time.Time
}

// maxRemembered is the maximum number of cached values.
const maxRemembered = 256

// get returns the value of the key if it is not older than keep, and computes
// it otherwise, perhaps from the old one.
func (r *remembered[T]) get(key string, keep time.Duration, find func(old T) (T, error)) (T, error) {
	now := time.Now()
	r.mu.Lock()
	known, ok := r.known[key]
	r.mu.Unlock()
	if ok && now.Sub(known.at) < keep {
		return known.value, nil
	}
	v, err := find(known.value)
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
