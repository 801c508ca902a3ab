// Package state keeps small things that outlast an event, for processes that
// share them: counts, what a session was told, context that waits, answers; and
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

// Of is the state that a handler is given: its own memory if it is given none.
func Of(spec trammel.Spec) trammel.State {
	if spec.State != nil {
		return spec.State
	}
	return NewMemory()
}

// Choose is the state that a handler keeps its counts in: what several machines
// share, if it is declared so, and else its own. A program that cannot reach
// the former hands the call on.
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
// can be asked, and nothing is kept.
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

// Update changes what is kept under a key: old is nil if nothing is. change
// returns what is to be kept, or nil to leave it.
func (s Store) Update(ctx context.Context, key trammel.Key, change func(old []byte) ([]byte, error)) error {
	return s.update(ctx, []trammel.Key{key}, func(values [][]byte) error {
		next, err := change(values[0])
		if next != nil {
			values[0] = next
		}
		return err
	})
}

// Get returns what is kept under a key, nil if nothing is.
func (s Store) Get(ctx context.Context, key trammel.Key) (value []byte, err error) {
	err = s.State.View(ctx, s.Bucket, []trammel.Key{key}, func(values [][]byte) error {
		value = values[0]
		return nil
	})
	return value, err
}

// Remove forgets what is kept under a key.
func (s Store) Remove(ctx context.Context, key trammel.Key) error {
	if value, err := s.Get(ctx, key); value == nil && err == nil {
		return nil // without a trace
	}
	return s.update(ctx, []trammel.Key{key}, func(values [][]byte) error {
		values[0] = nil
		return nil
	})
}
