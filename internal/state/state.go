// Package state stores small values that outlast an event, for processes that
// share them: counts, what a session was told, pending context, answers; and
// files that grow: journals, long outputs.
//
// Values are kept in a trammel.State, which is Files or Memory. Everything else
// here is a use of it.
package state

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
)

// Of is the state of a handler: its own memory if it has none.
func Of(spec trammel.Spec) trammel.State {
	if spec.State != nil {
		return spec.State
	}
	return NewMemory()
}

// Choose is the state for a handler's counts: shared by several machines if it
// is declared so, else its own. A program that cannot reach the shared one
// hands the call over.
func Choose(spec trammel.Spec, shared bool) (trammel.State, error) {
	switch {
	case !shared:
		return Of(spec), nil
	case spec.Shared == nil:
		return nil, fmt.Errorf("%w: counts that machines share cannot be reached here", trammel.ErrUnknownKind)
	}
	return spec.Shared, nil
}

// Store is a bucket of a state as one event uses it: in a rehearsal everything
// can be read, and nothing is stored.
type Store struct {
	State     trammel.State
	Bucket    *trammel.Bucket
	Rehearsal bool
}

func (s Store) update(ctx context.Context, keys []trammel.Key, change func(values [][]byte) error) error {
	if s.Rehearsal {
		return s.State.View(ctx, s.Bucket, keys, change)
	}
	return s.State.Update(ctx, s.Bucket, keys, change)
}

// Update changes the value of a key: old is nil if there is none. change
// returns the new value, or nil to leave it.
func (s Store) Update(ctx context.Context, key trammel.Key, change func(old []byte) ([]byte, error)) error {
	return s.update(ctx, []trammel.Key{key}, func(values [][]byte) error {
		next, err := change(values[0])
		if next != nil {
			values[0] = next
		}
		return err
	})
}

// Get returns the value of a key, nil if there is none.
func (s Store) Get(ctx context.Context, key trammel.Key) (value []byte, err error) {
	err = s.State.View(ctx, s.Bucket, []trammel.Key{key}, func(values [][]byte) error {
		value = values[0]
		return nil
	})
	return value, err
}

// Remove removes the value of a key.
func (s Store) Remove(ctx context.Context, key trammel.Key) error {
	if value, err := s.Get(ctx, key); value == nil && err == nil {
		return nil // without a trace
	}
	return s.update(ctx, []trammel.Key{key}, func(values [][]byte) error {
		values[0] = nil
		return nil
	})
}
