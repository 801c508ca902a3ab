package approvals_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/sqlite"
)

type office struct {
	*approvals.Service
	key   approvals.PrivateKey
	clock time.Time
	mu    sync.Mutex
	notes []string
}

func newOffice(t *testing.T) *office {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	public, private, _ := ed25519.GenerateKey(nil)
	o := &office{key: approvals.PrivateKey(private), clock: time.Unix(1_700_000_000, 0)}
	o.Service = &approvals.Service{Store: st, Keys: approvals.Keys{Servers: approvals.Named(public)}, Now: func() time.Time { return o.clock },
		Roster: &approvals.Roster{People: map[string][]string{"al": {"slack:T/al"}, "bo": {"slack:T/bo"}, "cy": {"slack:T/cy"}},
			Groups: map[string][]string{"finance": {"al", "bo", "cy"}}},
		Record: func(_ context.Context, n store.Note) error {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.notes = append(o.notes, n.Kind)
			return nil
		}}
	return o
}

func call(session string, amount int) *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "fim", Session: trammel.Session{ID: session, Project: "/p"},
		Tool: &trammel.ToolCall{Name: "pay", Input: map[string]any{"amount": int64(amount)}}}
}

func (o *office) ask(t *testing.T, ev *trammel.Event, n int) *store.Approval {
	t.Helper()
	a, err := o.Ask(t.Context(), &approvals.Request{Event: ev, Hook: "payments", Policy: "p1", Expires: 10 * time.Minute,
		Window: 5 * time.Minute,
		User:   "slack:T/cy", Needs: store.Needs{Factors: []store.Factor{{Approvers: []string{"group:finance"}, N: n}}, DenyAt: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (o *office) vote(a *store.Approval, who string, approve bool) (*store.Approval, error) {
	return o.Decide(context.Background(), approvals.Decision{Approval: a.ID, Nonce: a.Nonce, Digest: approvals.Shown(a), Approve: approve,
		Identity: "slack:T/" + who, Channel: "slack", Signer: o.key})
}

func refused(t *testing.T, err error, code approvals.RefusalCode) {
	t.Helper()
	var r *approvals.Refusal
	if !errors.As(err, &r) || r.Code != code {
		t.Errorf("got %v, want a refusal: %s", err, code)
	}
}

// An approval is bound to the exact call, and is good for one.
func TestApprovedOnceForThatCall(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 60000), 1)
	if a, _ = o.vote(a, "al", true); a.State != store.Approved {
		t.Fatalf("%+v", a)
	}
	_, err := o.Consume(t.Context(), a.ID, call("s", 70000), "p1")
	refused(t, err, approvals.RefusedChanged)
	_, err = o.Consume(t.Context(), a.ID, call("s", 60000), "p2")
	refused(t, err, approvals.RefusedChanged)
	if a, err = o.Consume(t.Context(), a.ID, call("s", 60000), "p1"); err != nil || a.State != store.Consumed {
		t.Fatalf("%v %v", a, err)
	}
	_, err = o.Consume(t.Context(), a.ID, call("s", 60000), "p1")
	refused(t, err, approvals.RefusedState)
}

// Two of three: a second vote of one person does not count, nor does that of
// the one who asked.
func TestQuorum(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 60000), 2)
	a, err := o.vote(a, "al", true)
	if err != nil || a.State != store.Pending {
		t.Fatalf("%v %v", a.State, err)
	}
	_, err = o.vote(a, "al", true)
	refused(t, err, approvals.RefusedVoted)
	_, err = o.vote(a, "cy", true)
	refused(t, err, approvals.RefusedRequester)
	_, err = o.vote(a, "di", true)
	refused(t, err, approvals.RefusedNotApprover)
	if a, err = o.vote(a, "bo", true); err != nil || a.State != store.Approved {
		t.Fatalf("%v %v", a.State, err)
	}
}

// Fifty clicks at once have one outcome.
func TestOneOutcome(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 60000), 1)
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for i := range 50 {
		wg.Go(func() {
			if _, err := o.vote(a, []string{"al", "bo"}[i%2], i%3 > 0); err == nil {
				mu.Lock()
				won++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d clicks counted", won)
	}
}

// The clock decides even if nobody sweeps.
func TestTwoClocks(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 1), 1)
	o.clock = o.clock.Add(10 * time.Minute)
	_, err := o.vote(a, "al", true)
	refused(t, err, approvals.RefusedExpired)
	if a, err = o.Wait(t.Context(), a.ID, nil); err != nil || a.State != store.Expired {
		t.Fatalf("%v %v", a.State, err)
	}
	b := o.ask(t, call("s", 1), 1)
	if b.ID == a.ID {
		t.Fatal("an expired request was joined")
	}
	if b, err = o.vote(b, "al", true); err != nil {
		t.Fatal(err)
	}
	o.clock = o.clock.Add(5 * time.Minute)
	_, err = o.Consume(t.Context(), b.ID, call("s", 1), "p1")
	refused(t, err, approvals.RefusedExpired)
}

// Identical calls share a request, and each goes through once.
func TestShared(t *testing.T) {
	o := newOffice(t)
	a, b := o.ask(t, call("s1", 1), 1), o.ask(t, call("s2", 1), 1)
	if a.ID != b.ID || len(b.Asks) != 2 {
		t.Fatalf("%s %s %v", a.ID, b.ID, b.Asks)
	}
	if _, err := o.vote(b, "al", true); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"s1", "s2"} {
		if _, err := o.Consume(t.Context(), a.ID, call(s, 1), "p1"); err != nil {
			t.Error(err)
		}
	}
	_, err := o.Consume(t.Context(), a.ID, call("s1", 1), "p1")
	refused(t, err, approvals.RefusedState)
}

// Who can write to the store cannot decide.
func TestForgedVote(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 1), 1)
	_, err := o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) {
		a.State = store.Approved
		a.Votes = []store.Vote{{Approver: "al", Identity: "slack:T/al", Approve: true, Key: o.key.KeyID(), Proof: make([]byte, 64)}}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = o.Consume(t.Context(), a.ID, call("s", 1), "p1")
	refused(t, err, approvals.RefusedNotApprover)
}

// Whoever waits is woken by the decision.
func TestWait(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 1), 1)
	done := make(chan store.State)
	go func() {
		a, _ := o.Wait(context.Background(), a.ID, nil)
		done <- a.State
	}()
	if _, err := o.vote(a, "bo", false); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got != store.Rejected {
		t.Error(got)
	}
}
