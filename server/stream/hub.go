// Package stream sends events to many listeners, in order and without waiting
// for any of them: a ring of the last events, and server-sent events with
// resume (UI-30).
package stream

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Event is something that happened.
type Event struct {
	ID   uint64 // its number, in this process
	Type string // record, approval, grant
	Data []byte // JSON on one line, safe to display
}

// Hub keeps the last events. It is safe for concurrent use.
type Hub struct {
	epoch string // ids of another process are not valid here

	mu    sync.Mutex
	ring  []Event
	next  uint64
	woken chan struct{} // closed when there is something new

	listeners int
	left      time.Time // when the last one left
}

// lonely is how long a listener may be away and still resume.
const lonely = 30 * time.Second

// Idle reports whether there are no listeners, and none that could still
// resume. Later ones have to fetch everything.
func (h *Hub) Idle() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners > 0 || time.Since(h.left) < lonely {
		return false
	}
	h.epoch = rand.Text()[:8]
	return true
}

func (h *Hub) enter() (leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.listeners--
		h.left = time.Now()
	}
}

// NewHub makes a hub that remembers the last n events.
func NewHub(n int) *Hub {
	return &Hub{epoch: rand.Text()[:8], ring: make([]Event, n), next: 1, woken: make(chan struct{})}
}

// Publish adds an event.
func (h *Hub) Publish(kind string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ring[h.next%uint64(len(h.ring))] = Event{h.next, kind, data}
	h.next++
	close(h.woken)
	h.woken = make(chan struct{})
}

// Cursor is a position in the stream, for Last-Event-ID.
func (h *Hub) Cursor(after uint64) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return fmt.Sprintf("%s-%d", h.epoch, after)
}

// resume reads a cursor. It reports false for one that is not of this process,
// or too old: then the listener has to fetch everything again.
func (h *Hub) resume(cursor string) (after uint64, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	epoch, number, _ := strings.Cut(cursor, "-")
	if _, err := fmt.Sscanf(number, "%d", &after); err != nil || epoch != h.epoch || after >= h.next || h.lost(after) {
		return h.next - 1, false
	}
	return after, true
}

// Now is the position after the last event.
func (h *Hub) Now() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.next - 1
}

// lost reports whether events after this one are no longer in the ring.
func (h *Hub) lost(after uint64) bool { return h.next-1-after > uint64(len(h.ring)) }

// After waits for events after a position and returns them all. lost is true
// for a listener that was too slow: some are gone.
func (h *Hub) After(ctx context.Context, after uint64) (events []Event, lost bool, err error) {
	for {
		h.mu.Lock()
		if lost = h.lost(after); lost {
			after = h.next - 1
		}
		for n := after + 1; n < h.next; n++ {
			events = append(events, h.ring[n%uint64(len(h.ring))])
		}
		woken := h.woken
		h.mu.Unlock()
		if len(events) > 0 || lost {
			return events, lost, nil
		}
		select {
		case <-woken:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}
