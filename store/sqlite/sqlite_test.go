package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/sqlite"
	"github.com/trammel-dev/trammel/store/sqlstore"
	"github.com/trammel-dev/trammel/test/storesuite"
)

func TestStore(t *testing.T) {
	storesuite.Run(t, func(t testing.TB) *storesuite.Place {
		path := filepath.Join(t.TempDir(), "a b?c#d%20", "store.db")
		return storesuite.SQL(func(ctx context.Context) (*sqlstore.Store, error) { return sqlite.Open(ctx, path) })
	})
}

// Who waits for changes is gone when the store is closed: it would write to the
// file of a store that somebody has removed.
func TestCloseWaitsForListeners(t *testing.T) {
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	st.Driver.Listen = func(ctx context.Context, _ func()) {
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond)
		ended.Store(true)
	}
	if _, err := st.Changes(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil || !ended.Load() {
		t.Errorf("closed with %v, and the listener has ended: %v", err, ended.Load())
	}
}

// It holds the arguments of calls: nobody but its owner reads it.
func TestOnlyTheOwnerReads(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "approvals")
	st, err := sqlite.Open(t.Context(), filepath.Join(dir, "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := st.Create(t.Context(), &store.Approval{ID: "a", State: store.Pending, Args: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < 3 { // the file, its log, its shared memory
		t.Fatalf("%v %v", entries, err)
	}
	for _, e := range entries {
		if info, _ := e.Info(); info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
	}
}

// What opening costs a hook that has to ask.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "store.db")
	for b.Loop() {
		st, err := sqlite.Open(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		st.Close()
	}
}

// What a person decided survives a power failure, as shipped. make test links less.
func TestSurvivesPowerFailure(t *testing.T) {
	if os.Getenv("TRAMMEL_TEST_LDFLAGS") != "" {
		t.Skip("linked for tests")
	}
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	const full = 2
	var level int
	if err := st.DB.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&level); err != nil || level != full {
		t.Errorf("synchronous is %d, %v", level, err)
	}
}
