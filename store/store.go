// Package store holds what people, processes and machines share: approvals and
// their votes, grants, counters, and notes that must be recorded. There is one
// interface and two implementations, store/sqlite for one machine and
// store/postgres for several; test/storesuite tests both.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/filter"
)

// Store stores what must not be lost. Every method is safe for concurrent use,
// also by several processes. A method that returns an error has changed
// nothing; guards treat an error as a no.
type Store interface {
	// State keeps small values that processes share: counters, contexts for the
	// next event, callbacks seen, sessions of the console.
	trammel.State

	// Create stores a new approval and sets its Seq. If one with the same Digest
	// is open (pending, or approved and not used up), it returns that one and
	// ErrExists, and stores nothing.
	Create(ctx context.Context, a *Approval, notes ...Note) (*Approval, error)
	// Approval returns the approval with this id, or ErrNotFound.
	Approval(ctx context.Context, id string) (*Approval, error)
	// Approvals lists the results of the query, newest first.
	Approvals(ctx context.Context, q Query) ([]*Approval, error)
	// Change changes one approval and stores the notes, both or neither. Nobody
	// else changes it at the same time. If change fails, its error is returned
	// and nothing is stored. change may be called more than once.
	Change(ctx context.Context, id string, change func(a *Approval) ([]Note, error)) (*Approval, error)

	// PutGrant stores a new grant; Grants lists all that are not removed;
	// ChangeGrant changes a grant like Change an approval.
	PutGrant(ctx context.Context, g *Grant, notes ...Note) error
	Grants(ctx context.Context) ([]*Grant, error)
	ChangeGrant(ctx context.Context, id string, change func(g *Grant) ([]Note, error)) (*Grant, error)

	// Notes lists notes that are not recorded yet, oldest first. Recorded
	// removes them from the list. After a crash before that, they are still on
	// it.
	Notes(ctx context.Context, most int) ([]Note, error)
	Recorded(ctx context.Context, ids ...string) error
	// Hold calls hold for notes that are not recorded yet, oldest first, and
	// stores and returns those for which it returns true, as hold has changed
	// them. Nobody else changes them at the same time. hold may be called more
	// than once.
	Hold(ctx context.Context, hold func(n *Note) bool) ([]Note, error)

	// Forget removes approvals that have ended and were created before a time,
	// and older events from the index. The evidence keeps both.
	Forget(ctx context.Context, before time.Time) error

	// Changes returns a channel that gets a value soon after anybody, in any
	// process, has changed approvals or grants. Several changes may come as one,
	// and a value may come without a change. It ends with ctx.
	Changes(ctx context.Context) (<-chan struct{}, error)

	// Decided returns a channel that gets a value soon after the approval with
	// this id is no longer pending. A value may come without that. It ends with
	// ctx. However many are waiting, a change of another approval costs very
	// little.
	Decided(ctx context.Context, id string) (<-chan struct{}, error)

	Close() error
}

// The errors of a Store that are not failures.
var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("it exists already")
)

// Query selects approvals. Empty fields match everything.
type Query struct {
	States  []State
	Session string // those that this session is waiting for
	Project string
	Digest  string
	CallKey string
	Before  int64 // only those with a lower Seq: for the next page
	Most    int   // 0 is 100
	Filter  *filter.Query
	// Mine reports which ones the person may decide; nil means none.
	Mine func(a *Approval) bool
}
