package storesuite

import (
	"errors"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// What has ended long ago goes, with its index; what is open stays, however old
// it is.
func forget(t *testing.T, p *Place) {
	st := p.Open(t)
	now := time.Now()
	for id, c := range map[string]struct {
		days  int
		state store.State
	}{"old": {500, store.Rejected}, "used": {450, store.Consumed}, "open": {500, store.Pending}, "granted": {500, store.Approved},
		"new": {3, store.Rejected}} {
		a := sample(id, "d "+id)
		a.State, a.Created = c.state, store.At(now.AddDate(0, 0, -c.days))
		put(t, st, a)
	}
	events := st.(store.Events)
	for i, days := range []int{500, 401, 399, 1} {
		if err := events.Index(t.Context(), store.Event{Machine: "m", Log: "l", Seq: uint64(i + 1), ID: numbered("e", i),
			Time: store.At(now.AddDate(0, 0, -days))}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := st.Forget(t.Context(), now.AddDate(0, 0, -400)); err != nil {
			t.Fatal(err)
		}
	}
	for id, there := range map[string]bool{"old": false, "used": false, "open": true, "granted": true, "new": true} {
		if _, err := st.Approval(t.Context(), id); (err == nil) != there || !there && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if list, err := st.Approvals(t.Context(), store.Query{Session: "s"}); err != nil || len(list) != 3 {
		t.Errorf("%d of the session, %v", len(list), err)
	}
	left := func(want int) {
		t.Helper()
		if list, err := events.Events(t.Context(), store.EventQuery{}); err != nil || len(list) != want {
			t.Errorf("%d events are left, want %d, %v", len(list), want, err)
		}
	}
	left(2)
	if last, id, err := events.Indexed(t.Context(), "m", "l"); last != 4 || id != "e003" || err != nil {
		t.Errorf("%d, %q, %v", last, id, err)
	}
	if err := events.Drop(t.Context(), "m", "other"); err != nil {
		t.Error(err)
	}
	left(2)
	for _, c := range []struct {
		log        string
		last, left int
	}{{"other", 9, 2}, {"l", 2, 2}, {"l", 3, 1}} {
		if err := events.Prune(t.Context(), "m", c.log, uint64(c.last)); err != nil {
			t.Error(err)
		}
		left(c.left)
	}
	if err := events.Drop(t.Context(), "m", "l"); err != nil {
		t.Error(err)
	}
	left(0)
	if last, id, err := events.Indexed(t.Context(), "m", "l"); last != 0 || id != "" || err != nil {
		t.Errorf("%d, %q, %v", last, id, err)
	}
}
