package state

import (
	"sync/atomic"
	"time"
)

// Then is a Memory in which it is the time of what is being replayed: counts are
// what they were.
type Then struct {
	*Memory
	now atomic.Int64
}

// NewThen returns an empty one.
func NewThen() *Then { return &Then{Memory: NewMemory()} }

// Set says what time it is.
func (t *Then) Set(now time.Time) { t.now.Store(now.UnixNano()) }

func (t *Then) clocks() (wall, mono int64) {
	now := t.now.Load()
	return now, now
}
