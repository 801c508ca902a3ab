// Package store is where people, processes and machines agree: approvals and
// their votes, grants, shared counters, what has to be put on record. There is
// one interface and two implementations, store/sqlite for one machine and
// store/postgres for several; test/storesuite holds both to this contract.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/filter"
)

// Store keeps what must not be lost. Every method is safe for concurrent use,
// also by several processes. A method that returns an error has changed
// nothing, and whoever guards something takes an error for a no.
type Store interface {
	// State keeps small values that processes share: counters, contexts that
	// wait for the next event, callbacks seen, sessions of the console.
	trammel.State

	// Create stores a new approval and sets its Seq. If one with the same Digest
	// is open (pending, or approved and not used up), it returns that one and
	// ErrExists, and stores nothing.
	Create(ctx context.Context, a *Approval, notes ...Note) (*Approval, error)
	// Approval returns the approval with this id, or ErrNotFound.
	Approval(ctx context.Context, id string) (*Approval, error)
	// Approvals lists what the query asks for, newest first.
	Approvals(ctx context.Context, q Query) ([]*Approval, error)
	// Change changes one approval and stores the notes, both or neither. Nobody
	// else changes it meanwhile. If change fails, its error is returned and
	// nothing is stored. change may be called more than once.
	Change(ctx context.Context, id string, change func(a *Approval) ([]Note, error)) (*Approval, error)

	// PutGrant stores a new grant; Grants lists all that are not removed;
	// ChangeGrant is to a grant what Change is to an approval.
	PutGrant(ctx context.Context, g *Grant, notes ...Note) error
	Grants(ctx context.Context) ([]*Grant, error)
	ChangeGrant(ctx context.Context, id string, change func(g *Grant) ([]Note, error)) (*Grant, error)

	// Notes lists notes that are not on record yet, oldest first. Recorded takes
	// them off the list. A crash before that leaves them on it.
	Notes(ctx context.Context, most int) ([]Note, error)
	Recorded(ctx context.Context, ids ...string) error
	// Hold calls hold for notes that are not on record yet, oldest first, and
	// stores and returns those for which it reports true, as it has changed them.
	// Nobody else changes them meanwhile. hold may be called more than once.
	Hold(ctx context.Context, hold func(n *Note) bool) ([]Note, error)

	// Forget removes approvals that have ended and were asked for before a time,
	// and what is indexed of events before it. The evidence keeps both.
	Forget(ctx context.Context, before time.Time) error

	// Changes returns a channel that gets a value soon after anybody, in any
	// process, has changed approvals or grants. Several changes may come as one,
	// and a value may come without a change. It ends with ctx.
	Changes(ctx context.Context) (<-chan struct{}, error)

	// Decided returns a channel that gets a value soon after the approval with
	// this id has ceased to be pending. A value may come without that. It ends
	// with ctx. However many wait, a change that does not concern them costs
	// next to nothing.
	Decided(ctx context.Context, id string) (<-chan struct{}, error)

	Close() error
}

// What a Store answers if it is not the store's fault.
var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("there is one already")
)

// Query selects approvals. What is empty selects all.
type Query struct {
	States  []State
	Session string // those that this session waits for
	Project string
	Digest  string
	CallKey string
	Before  int64 // only those with a lower Seq: for the next page
	Most    int   // 0 is 100
	Filter  *filter.Query
	// Mine says which ones the person who asks may decide; nil is none.
	Mine func(a *Approval) bool
}
