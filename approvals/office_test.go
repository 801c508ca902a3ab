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
	"github.com/trammel-dev/trammel/store/postgres"
	"github.com/trammel-dev/trammel/store/sqlite"
	"github.com/trammel-dev/trammel/test/pgtest"
)

// office is a service with three people in finance and a boss, a clock that is
// set by hand, and all that goes on record.
type office struct {
	*approvals.Service
	key  approvals.PrivateKey
	open func(t testing.TB) store.Store // another process's view of the store

	mu    sync.Mutex
	clock time.Time
	notes []store.Note
}

var start = time.Unix(1_700_000_000, 0)

func newOffice(t testing.TB) *office {
	path := filepath.Join(t.TempDir(), "store.db")
	return officeOver(t, func(t testing.TB) store.Store { return opened(t)(sqlite.Open(t.Context(), path)) })
}

// onBoth runs a test on both stores.
func onBoth(t *testing.T, test func(t *testing.T, o *office)) {
	t.Run("sqlite", func(t *testing.T) { test(t, newOffice(t)) })
	t.Run("postgres", func(t *testing.T) {
		address := pgtest.Database(t)
		test(t, officeOver(t, func(t testing.TB) store.Store { return opened(t)(postgres.Open(t.Context(), address)) }))
	})
}

func opened(t testing.TB) func(store.Store, error) store.Store {
	return func(st store.Store, err error) store.Store {
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { st.Close() })
		return st
	}
}

func officeOver(t testing.TB, open func(t testing.TB) store.Store) *office {
	public, private, _ := ed25519.GenerateKey(nil)
	o := &office{key: approvals.PrivateKey(private), clock: start, open: open}
	o.Service = &approvals.Service{Store: open(t), Keys: approvals.Keys{Servers: approvals.Named(public)}, Now: o.now,
		Roster: roster(),
		Record: func(_ context.Context, n store.Note) error {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.notes = append(o.notes, n)
			return nil
		}}
	return o
}

func roster() *approvals.Roster {
	return &approvals.Roster{
		People: map[string][]string{"al": {"slack:T/al"}, "bo": {"slack:T/bo"}, "cy": {"slack:T/cy"}, "boss": {"slack:T/boss"}},
		Groups: map[string][]string{"finance": {"al", "bo", "cy"}}}
}

// other is the same office in another process.
func (o *office) other(t testing.TB) *approvals.Service {
	s := *o.Service
	s.Store = o.open(t)
	return &s
}

func (o *office) now() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.clock
}

func (o *office) pass(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clock = o.clock.Add(d)
}

// kinds are the sorts of notes on record.
func (o *office) kinds() (out []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, n := range o.notes {
		out = append(out, n.Kind)
	}
	return out
}

func call(session string, amount int) *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "fim", Session: trammel.Session{ID: session, Project: "/p"},
		Tool: &trammel.ToolCall{Name: "pay", Input: map[string]any{"amount": int64(amount)}}}
}

// request is what cy's agent asks: n of finance have to agree.
func request(ev *trammel.Event, n int) *approvals.Request {
	return &approvals.Request{Event: ev, Hook: "payments", Policy: "p1", Expires: 10 * time.Minute, Window: 5 * time.Minute,
		User:  "slack:T/cy",
		Needs: store.Needs{Factors: []store.Factor{{Approvers: []string{"group:finance"}, N: n}}, DenyAt: 1}}
}

func (o *office) ask(t testing.TB, ev *trammel.Event, n int) *store.Approval {
	t.Helper()
	return o.put(t, request(ev, n))
}

func (o *office) put(t testing.TB, r *approvals.Request) *store.Approval {
	t.Helper()
	a, err := o.Ask(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (o *office) vote(a *store.Approval, who string, approve bool) (*store.Approval, error) {
	return o.Decide(context.Background(), o.ballot(a, who, approve))
}

func (o *office) ballot(a *store.Approval, who string, approve bool) approvals.Decision {
	return approvals.Decision{Approval: a.ID, Nonce: a.Nonce, Digest: approvals.Shown(a), Approve: approve, Identity: "slack:T/" + who,
		Channel: "slack", Signer: o.key}
}

// approved asks, and al agrees.
func (o *office) approved(t testing.TB, r *approvals.Request) *store.Approval {
	t.Helper()
	a, err := o.vote(o.put(t, r), "al", true)
	if err != nil || a.State != store.Approved {
		t.Fatalf("%v %v", a, err)
	}
	return a
}

// use lets the call through that a request is about.
func (o *office) use(id string, r *approvals.Request) (*store.Approval, error) {
	return use(o.Service, id, r)
}

func use(s *approvals.Service, id string, r *approvals.Request) (*store.Approval, error) {
	p := approvals.Policy{Digest: r.Policy, Needs: &r.Needs, Window: r.Window}
	return s.Consume(context.Background(), id, r.Event, p)
}

func refused(t testing.TB, err error, code approvals.RefusalCode) {
	t.Helper()
	var r *approvals.Refusal
	if !errors.As(err, &r) || r.Code != code {
		t.Errorf("got %v, want a refusal: %s", err, code)
	}
}

func stands(t testing.TB, o *office, id string, want store.State) *store.Approval {
	t.Helper()
	a, err := o.Store.Approval(t.Context(), id)
	if err != nil || a.State != want {
		t.Errorf("%s is %s, want %s (%v)", id, a.State, want, err)
	}
	return a
}
