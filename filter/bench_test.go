package filter_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/sqlstore"
)

// UI-31: with 100,000 events, a page takes 50 ms at p95 where an index helps,
// and 200 ms where all texts are looked through.
func BenchmarkPages(b *testing.B) {
	samples := corpus(b)
	for name, st := range stores(b) {
		const n, batch = 100_000, 1000
		for i := 0; i < n; i += batch {
			list := make([]store.Event, batch)
			for j := range list {
				seq := i + j
				list[j] = samples[seq%len(samples)]
				list[j].Seq, list[j].ID = uint64(seq+1), fmt.Sprintf("ev_%08d", seq)
				list[j].Session = fmt.Sprintf("s%d", seq/200)
				list[j].Time = store.At(now.Add(time.Duration(seq-n) * time.Second))
			}
			if err := st.Index(b.Context(), list...); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := st.(*sqlstore.Store).DB.Exec("ANALYZE"); err != nil { // PostgreSQL does so by itself, a little later
			b.Fatal(err)
		}
		for _, text := range []string{"", "decision:deny", "tool:Read decision:deny", "session:s77", "session:nobody", "host:gemini since:1h",
			"hook:tidy", "is:gap", "hook:nobody", "push", "nothinglikethis", "path:**/*.env", "path:**/*.nothing", "id:ev_00000077"} {
			b.Run(name+"/"+text, func(b *testing.B) {
				q, err := filter.Parse(text, filter.Events, now)
				if err != nil {
					b.Fatal(err)
				}
				var took []time.Duration
				for b.Loop() {
					begin := time.Now()
					if _, err := st.Events(b.Context(), store.EventQuery{Filter: q, Before: 60_000}); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(begin))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			})
		}
	}
}
