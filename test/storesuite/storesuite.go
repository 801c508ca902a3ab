// Package storesuite holds an implementation of store.Store to its contract.
package storesuite

import (
	"context"
	"fmt"
	"testing"

	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/sqlstore"
)

// Place is a place for one store. Each Open is what another process would have:
// a store of its own over the same data.
type Place struct {
	Open func(t testing.TB) store.Store
	// Newer makes the place look as if a later version had used it, and Reopen
	// tries to open it.
	Newer  func(t testing.TB)
	Reopen func(ctx context.Context) error
}

// SQL is a place for a store over a database.
func SQL(open func(ctx context.Context) (*sqlstore.Store, error)) *Place {
	opened := func(t testing.TB) *sqlstore.Store {
		st, err := open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { st.Close() })
		return st
	}
	return &Place{
		Open: func(t testing.TB) store.Store { return opened(t) },
		Newer: func(t testing.TB) {
			if _, err := opened(t).DB.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`); err != nil {
				t.Fatal(err)
			}
		},
		Reopen: func(ctx context.Context) error {
			st, err := open(ctx)
			if err == nil {
				st.Close()
			}
			return err
		},
	}
}

// Run runs the suite; each test gets a place of its own.
func Run(t *testing.T, place func(t testing.TB) *Place) {
	for name, test := range map[string]func(*testing.T, *Place){
		"create":              create,
		"create race":         createRace,
		"list":                list,
		"pages":               pages,
		"change is atomic":    changeAtomic,
		"change race":         changeRace,
		"failed change":       changeFails,
		"notes":               notes,
		"notes and crash":     notesOnce,
		"notes held":          notesHeld,
		"grants":              grants,
		"grant race":          grantRace,
		"state":               state,
		"state race":          stateRace,
		"state keeps":         stateKeep,
		"state at most":       stateMost,
		"changes":             changes,
		"many wait":           manyWait,
		"decided":             decided,
		"odd text":            oddText,
		"newer version":       newer,
		"open at once":        openAtOnce,
		"closed":              closed,
		"context has an end":  ended,
		"what it keeps lasts": lasts,
		"forget":              forget,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, place(t))
		})
	}
}

// sample is an approval as a service would store it.
func sample(id, digest string) *store.Approval {
	return &store.Approval{ID: id, Nonce: "n", State: store.Pending, Digest: digest, CallKey: "key " + digest, Tool: "pay",
		Args:    []byte(`{"a":1}`),
		Project: "/p", Asks: []store.Ask{{Session: "s", Host: "h"}}}
}

func note(id string) store.Note { return store.Note{ID: id, Kind: "test", Subject: "apr"} }

func put(t testing.TB, st store.Store, a *store.Approval, notes ...store.Note) *store.Approval {
	t.Helper()
	got, err := st.Create(context.Background(), a, notes...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func noteIDs(t testing.TB, st store.Store) []string {
	t.Helper()
	list, err := st.Notes(context.Background(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, n := range list {
		ids = append(ids, n.ID)
	}
	return ids
}

func numbered(prefix string, i int) string { return fmt.Sprintf("%s%03d", prefix, i) }
