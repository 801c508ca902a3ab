package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/postgres"
	"github.com/trammel-dev/trammel/store/sqlstore"
	"github.com/trammel-dev/trammel/test/pgtest"
	"github.com/trammel-dev/trammel/test/storesuite"
)

func TestStore(t *testing.T) {
	storesuite.Run(t, func(t testing.TB) *storesuite.Place {
		address := pgtest.Database(t)
		return storesuite.SQL(func(ctx context.Context) (*sqlstore.Store, error) { return postgres.Open(ctx, address) })
	})
}

// A server that goes away and comes back is a delay: who works goes on, and who
// waits learns what happened meanwhile.
func TestConnectionsBreak(t *testing.T) {
	address := pgtest.Database(t)
	var stores [3]*sqlstore.Store
	for i := range stores {
		st, err := postgres.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		stores[i] = st
	}
	here, there, admin := stores[0], stores[1], stores[2]
	if _, err := here.Create(t.Context(), &store.Approval{ID: "a", State: store.Pending, Args: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	changes, err := here.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		_, err := admin.DB.Exec(
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		if err != nil {
			t.Fatal(err)
		}
		a, err := there.Change(t.Context(), "a", func(a *store.Approval) ([]store.Note, error) { a.Reminded++; return nil, nil })
		if err != nil || a.Reminded != i+1 {
			t.Fatalf("%d: %+v %v", i, a, err)
		}
		for seen := 0; seen <= i; {
			select {
			case <-changes:
			case <-time.After(time.Minute):
				t.Fatalf("%d: never told", i)
			}
			if a, err = here.Approval(t.Context(), "a"); err != nil {
				t.Fatal(err)
			}
			seen = a.Reminded
		}
	}
}
