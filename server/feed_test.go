package server

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/server/auth"
)

// Approvals are counted and exported however quickly they are decided: one may be asked for
// and decided between two looks at the store, or before the first.
func TestQuickDecisionsCount(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{})
	me, token := r.login(), r.token(auth.Agent)
	reply := r.ask(token, w.event("s", "release", map[string]any{"version": "1"}))
	a := me.waiting()
	if status := me.call("POST", "/v1/approvals/"+a.ID+"/decision", a.approve(), nil); status != 200 {
		t.Fatal(status)
	}
	<-reply
	looker, err := Open(t.Context(), w.dirs, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	svc, err := looker.service(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	look := func(since time.Time, first bool, want float64) {
		t.Helper()
		if err := looker.published(t.Context(), svc.Store, seen, since, first); err != nil {
			t.Fatal(err)
		}
		families, err := looker.metrics.registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		for _, f := range families {
			for _, m := range f.GetMetric() {
				if f.GetName() == "trammel_approvals_total" {
					got += m.GetCounter().GetValue()
				}
			}
		}
		if got != want {
			t.Errorf("%v approvals, expected %v", got, want)
		}
	}
	look(time.Now().Add(time.Hour), true, 0) // decided before the server started
	clear(seen)
	look(time.Now().Add(-time.Hour), true, 1)
	look(time.Now().Add(-time.Hour), false, 1)
	clear(seen)
	look(time.Now().Add(-time.Hour), false, 2)
}

// What follows a log begins with its next record.
func TestNextRecord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	for want := uint64(1); want < 4; want++ {
		if got := next(dir); got != want {
			t.Errorf("the next record is %d, expected %d", got, want)
		}
		if _, err := evidence.Open(dir, evidence.Options{}).Append(t.Context(), []byte(`{"id":"x"}`)); err != nil {
			t.Fatal(err)
		}
	}
}

// The index waits for events of a moment ago, and not for those that were judged
// before the clock was set back.
func TestBusy(t *testing.T) {
	for age, want := range map[time.Duration]bool{0: true, time.Minute: false, -24 * time.Hour: false} {
		s, now := &Server{}, time.Now()
		s.judged.Store(now.Add(-age).UnixNano())
		if got := s.busy(now); got != want {
			t.Errorf("an event %v ago: %v", age, got)
		}
	}
}
