package approvals_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/postgres"
	"github.com/trammel-dev/trammel/store/sqlite"
	"github.com/trammel-dev/trammel/test/pgtest"
)

// BenchmarkWakeUp is how long a call that waits at one replica takes to learn of
// a vote at another, among a thousand requests and two hundred that wait
// (issue 10, "what it must show" 4: under 200 ms at p95).
func BenchmarkWakeUp(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "store.db")
		wakeUp(b, func(t testing.TB) store.Store { return opened(t)(sqlite.Open(t.Context(), path)) })
	})
	b.Run("postgres", func(b *testing.B) {
		address := pgtest.Database(b)
		wakeUp(b, func(t testing.TB) store.Store { return opened(t)(postgres.Open(t.Context(), address)) })
	})
}

func wakeUp(b *testing.B, open func(t testing.TB) store.Store) {
	o := officeOver(b, open)
	o.Record = nil
	there := o.other(b)
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	for i := range 1000 {
		a := o.ask(b, call(fmt.Sprint("s", i), i), 1)
		if i < 200 {
			go o.Wait(ctx, a.ID, nil)
		}
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		a := o.ask(b, call("bench", 5000+i), 1)
		done := make(chan time.Time, 1)
		go func() {
			if got, err := o.Wait(ctx, a.ID, nil); err == nil && got.State == store.Approved {
				done <- time.Now()
			}
		}()
		time.Sleep(30 * time.Millisecond) // until it waits
		begin := time.Now()
		if _, err := there.Decide(ctx, o.ballot(a, "al", true)); err != nil {
			b.Fatal(err)
		}
		took = append(took, (<-done).Sub(begin))
	}
	slices.Sort(took)
	at := func(p int) float64 { return float64(took[len(took)*p/100].Microseconds()) / 1000 }
	b.ReportMetric(at(50), "p50-ms")
	b.ReportMetric(at(95), "p95-ms")
	b.ReportMetric(0, "ns/op")
}
