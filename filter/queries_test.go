package filter_test

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/evidence/index"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/postgres"
	"github.com/trammel-dev/trammel/store/sqlite"
	"github.com/trammel-dev/trammel/test/pgtest"
)

var update = flag.Bool("update", false, "write what the queries give in memory into testdata")

var now = time.Date(2026, 11, 15, 9, 30, 0, 0, time.UTC)

func corpus(t testing.TB) []store.Event {
	data, err := os.ReadFile("testdata/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []store.Event
	for line := range bytes.Lines(data) {
		e, err := index.Event(uint64(len(out)+1), line)
		if err != nil {
			t.Fatal(err)
		}
		e.Machine, e.Log = "m1", "log"
		out = append(out, e)
	}
	return out
}

// UI-09, UI-10, acceptance test 10 of the console: a query gives the same
// records in memory and on both stores, and what is wrong with one is said with
// its column.
func TestQueries(t *testing.T) {
	events := corpus(t)
	backends := map[string]func(q *filter.Query) string{"memory": func(q *filter.Query) string {
		var ids []string
		for i := range events {
			if q.Match(&events[i]) {
				ids = append(ids, events[i].ID)
			}
		}
		return strings.Join(ids, " ")
	}}
	for name, st := range stores(t) {
		if err := st.Index(t.Context(), events...); err != nil {
			t.Fatal(err)
		}
		backends[name] = func(q *filter.Query) string { return found(t, st, q) }
	}
	data, err := os.ReadFile("testdata/queries.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	queries := 0
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		text, want, isQuery := strings.Cut(lines.Text(), "  =>")
		if isQuery = isQuery || *update && text != "" && text[0] != '#'; !isQuery {
			fmt.Fprintln(&out, text)
			continue
		}
		queries++
		want = strings.TrimSpace(want)
		q, err := filter.Parse(strings.Replace(text, "(empty)", "", 1), filter.Events, now)
		if err != nil {
			if fmt.Fprintf(&out, "%s  => %v\n", text, err); !*update && err.Error() != want {
				t.Errorf("%s: %v, want %s", text, err, want)
			}
			continue
		}
		fmt.Fprintf(&out, "%s  => %s\n", text, backends["memory"](q))
		for name, ask := range backends {
			if got := ask(q); !*update && got != want {
				t.Errorf("%s: %s in %s, want %s", text, got, name, want)
			}
		}
	}
	if queries < 60 {
		t.Errorf("only %d queries", queries)
	}
	if *update {
		if err := os.WriteFile("testdata/queries.txt", []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// found asks a store, in pages of three, and holds its other answers against
// that one.
func found(t *testing.T, st store.Events, q *filter.Query) string {
	ids := []string{}
	for before := int64(0); ; {
		page, err := st.Events(t.Context(), store.EventQuery{Filter: q, Before: before, Most: 3})
		if err != nil {
			t.Errorf("%s: %v", q.Text, err)
			return ""
		}
		for _, e := range page {
			ids = append(ids, e.ID)
			before = e.Row
		}
		if len(page) < 3 {
			break
		}
	}
	n, sessions := 0, 0
	bars, err := st.Histogram(t.Context(), q, time.Hour)
	for _, b := range bars {
		n += b.N
	}
	list, err2 := st.Sessions(t.Context(), q, 0)
	for _, s := range list {
		sessions += s.Events
	}
	without := len(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "e16" })) // it has no session
	if err != nil || err2 != nil || n != len(ids) || sessions != without {
		t.Errorf("%s: %d records, the histogram has %d, the sessions %d (%v, %v)", q.Text, len(ids), n, sessions, err, err2)
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

func stores(t testing.TB) map[string]store.Events {
	lite, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lite.Close() })
	out := map[string]store.Events{"sqlite": lite}
	if address := pgtest.Database(t); address != "" {
		pg, err := postgres.Open(context.Background(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { pg.Close() })
		out["postgres"] = pg
	}
	return out
}
