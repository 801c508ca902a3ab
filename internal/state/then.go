package state

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/trammel-dev/trammel"
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

type aheadKey struct{}

var errAhead = errors.New("earlier events are not replayed yet")

// Ahead returns a context for replaying an event before the events that came
// earlier. With it a Then answers with an error, and asked reports whether it did.
func Ahead(ctx context.Context) (_ context.Context, asked func() bool) {
	var mark atomic.Bool
	return context.WithValue(ctx, aheadKey{}, &mark), mark.Load
}

// View implements trammel.State.
func (t *Then) View(ctx context.Context, b *trammel.Bucket, keys []trammel.Key, look func([][]byte) error) error {
	if isAhead(ctx) {
		return errAhead
	}
	return t.Memory.View(ctx, b, keys, look)
}

// Update implements trammel.State.
func (t *Then) Update(ctx context.Context, b *trammel.Bucket, keys []trammel.Key, change func([][]byte) error) error {
	if isAhead(ctx) {
		return errAhead
	}
	return t.Memory.Update(ctx, b, keys, change)
}

func isAhead(ctx context.Context) bool {
	mark, ok := ctx.Value(aheadKey{}).(*atomic.Bool)
	if ok {
		mark.Store(true)
	}
	return ok
}
