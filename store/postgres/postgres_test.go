package postgres_test

import (
	"context"
	"testing"

	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/postgres"
	"github.com/trammel-dev/trammel/test/pgtest"
	"github.com/trammel-dev/trammel/test/storesuite"
)

func TestStore(t *testing.T) {
	storesuite.Run(t, func(t testing.TB) *storesuite.Place {
		address := pgtest.Database(t)
		return &storesuite.Place{
			Open: func(t testing.TB) store.Store {
				st, err := postgres.Open(t.Context(), address)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { st.Close() })
				return st
			},
			Newer: func(t testing.TB) {
				st, err := postgres.Open(t.Context(), address)
				if err == nil {
					_, err = st.DB.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`)
					st.Close()
				}
				if err != nil {
					t.Fatal(err)
				}
			},
			Reopen: func(ctx context.Context) error {
				st, err := postgres.Open(ctx, address)
				if err == nil {
					st.Close()
				}
				return err
			},
		}
	})
}
