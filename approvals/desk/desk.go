// Package desk is where a call waits for people: it opens the store that the
// settings name, asks, waits as long as the host allows or parks the call, and
// uses the approval when the call runs.
package desk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/overrule"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/postgres"
	"github.com/trammel-dev/trammel/store/sqlite"
)

// Desk asks people. The store is opened when it is first needed. It is safe for
// concurrent use.
type Desk struct {
	// StateDir is Trammel's state directory.
	StateDir string
	Settings approvals.Settings
	// Record records a change.
	Record func(ctx context.Context, n store.Note) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Ending, if set, ends when the process is about to: then waiting calls are
	// parked, and their requests stay open.
	Ending context.Context
	// Gone, if set, reports whether the waiting host is gone. Then nobody gets
	// the answer, so no approval is used for it.
	Gone func() bool

	mu    sync.Mutex
	store store.Store
}

// Service opens the store, once. The keys are read each time: a person may set
// the authority secret while a call waits.
func (d *Desk) Service(ctx context.Context) (*approvals.Service, error) {
	s, err := d.Reader()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.store == nil {
		opened, err := OpenStore(ctx, d.StateDir, d.Settings.Store)
		if err != nil { // opened would be an interface that holds a nil pointer, which is not nil
			return nil, err
		}
		d.store = opened
	}
	s.Store = d.store
	return s, nil
}

// Reader is the service without its store: it only knows who may decide.
func (d *Desk) Reader() (*approvals.Service, error) {
	keys, err := d.keys()
	now := d.Now
	if now == nil {
		now = time.Now
	}
	return &approvals.Service{Roster: d.Settings.Roster(), Keys: keys, Now: now, Record: d.Record, Spent: state.Files{Dir: d.StateDir}}, err
}

// keys are the currently valid ones.
func (d *Desk) keys() (approvals.Keys, error) {
	ring, err := approvals.LoadKeyring(d.StateDir)
	if err != nil {
		return approvals.Keys{}, err
	}
	return d.Settings.Keys(ring)
}

// Close closes the store, if it was opened.
func (d *Desk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.store == nil {
		return nil
	}
	s := d.store
	d.store = nil
	return s.Close()
}

// OpenStore opens the store at an address: a database, a file, or the file in
// the state directory. TRAMMEL_STORE is used if the settings name none. An
// agent could set it, so votes count only by their signatures, wherever they
// are stored.
func OpenStore(ctx context.Context, stateDir, address string) (store.Store, error) {
	if address == "" {
		address = os.Getenv("TRAMMEL_STORE")
	}
	switch {
	case strings.HasPrefix(address, "postgres://"), strings.HasPrefix(address, "postgresql://"):
		return postgres.Open(ctx, address)
	case strings.Contains(address, "://"):
		return nil, fmt.Errorf("store: its address is neither postgres:// nor a file") // it may contain a password
	case address != "":
		return sqlite.Open(ctx, address)
	case stateDir == "":
		return nil, fmt.Errorf("store: there is no state directory")
	}
	return sqlite.Open(ctx, filepath.Join(stateDir, "approvals", "store.db"))
}

// AllowOnce lets a denied call pass once, and sets the mark that makes hooks
// look into the store.
func (d *Desk) AllowOnce(ctx context.Context, denial approvals.Denial, by approvals.Granter) (*store.Grant, error) {
	s, err := d.Service(ctx)
	if err != nil {
		return nil, err
	}
	g, err := s.AllowOnce(ctx, denial, by)
	if err != nil {
		return nil, err
	}
	return g, overrule.Mark(d.StateDir, g.Expires.Time)
}
