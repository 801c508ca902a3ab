package server

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/store"
)

// Requests that ended longer ago than approvals.keep are cleared away.
func TestForget(t *testing.T) {
	w := newWorld(t, strings.Replace(gate, "approvals:\n", "approvals:\n  keep: 1h\n", 1))
	before := &Server{Program: full.New(w.dirs), Now: time.Now}
	svc, err := before.service(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for id, age := range map[string]time.Duration{"old": 2 * time.Hour, "new": time.Minute} {
		if _, err := svc.Store.Create(t.Context(), &store.Approval{ID: id, State: store.Rejected, Digest: id, Args: []byte(`{}`),
			Created: store.At(time.Now().Add(-age))}); err != nil {
			t.Fatal(err)
		}
	}
	w.start(t, Options{})
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if _, err = svc.Store.Approval(t.Context(), "old"); errors.Is(err, store.ErrNotFound) {
			break
		}
	}
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the old one is still there: %v", err)
	}
	if _, err := svc.Store.Approval(t.Context(), "new"); err != nil {
		t.Errorf("the new one: %v", err)
	}
}
