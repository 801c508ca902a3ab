package approvals_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// An approval is bound to the exact call, and is good for one: other arguments
// and a second use are refused (APR-01).
func TestApprovedOnceForThatCall(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.approved(t, request(call("s", 60000), 1))
		_, err := o.use(a.ID, request(call("s", 70000), 1))
		refused(t, err, approvals.RefusedChanged)
		other := request(call("s", 60000), 1)
		other.Policy = "p2"
		_, err = o.use(a.ID, other)
		refused(t, err, approvals.RefusedChanged)
		if a, err = o.use(a.ID, request(call("s", 60000), 1)); err != nil || a.State != store.Consumed {
			t.Fatalf("%v %v", a, err)
		}
		_, err = o.use(a.ID, request(call("s", 60000), 1))
		refused(t, err, approvals.RefusedState)
		if got := o.kinds(); !slices.Equal(got, []string{"approval.requested", "approval.approved", "approval.consumed"}) {
			t.Errorf("on record: %v", got)
		}
	})
}

// Two of three: a second vote of one person does not count, nor does that of
// the one who asked, nor that of a stranger (APR-04).
func TestQuorum(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, call("s", 60000), 2)
		a, err := o.vote(a, "al", true)
		if err != nil || a.State != store.Pending {
			t.Fatalf("%v %v", a.State, err)
		}
		for who, code := range map[string]approvals.RefusalCode{"al": approvals.RefusedVoted, "cy": approvals.RefusedRequester,
			"di": approvals.RefusedNotApprover, "boss": approvals.RefusedNotApprover} {
			_, err = o.vote(a, who, true)
			refused(t, err, code)
		}
		if a, err = o.vote(a, "bo", true); err != nil || a.State != store.Approved {
			t.Fatalf("%v %v", a.State, err)
		}
	})
}

// Fifty clicks at once, in two processes, have one outcome (APR-03, FIM-29).
func TestOneOutcome(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, call("s", 60000), 1)
		services := []*approvals.Service{o.Service, o.other(t)}
		var wg sync.WaitGroup
		var won atomic.Int64
		for i := range 50 {
			wg.Go(func() {
				_, err := services[i%2].Decide(t.Context(), o.ballot(a, []string{"al", "bo"}[i%2], i%3 > 0))
				if err == nil {
					won.Add(1)
				} else {
					refused(t, err, approvals.RefusedDecided)
				}
			})
		}
		wg.Wait()
		if a, _ = o.Store.Approval(t.Context(), a.ID); won.Load() != 1 || len(a.Votes) != 1 || len(o.kinds()) != 2 {
			t.Errorf("%d clicks counted: %v", won.Load(), a.Votes)
		}
	})
}

// Of fifty who use an approval at once, one does (APR-02).
func TestOneUse(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.approved(t, request(call("s", 1), 1))
		services := []*approvals.Service{o.Service, o.other(t)}
		var wg sync.WaitGroup
		var won atomic.Int64
		for i := range 50 {
			wg.Go(func() {
				if _, err := use(services[i%2], a.ID, request(call("s", 1), 1)); err == nil {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("used %d times", won.Load())
		}
	})
}

// Whoever waits is woken by a decision in another process, and by the end of
// what they wait for (FIM-25).
func TestWait(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, call("s", 1), 1)
		there := o.other(t)
		done := make(chan *store.Approval)
		go func() {
			a, _ := o.Wait(context.Background(), a.ID, nil)
			done <- a
		}()
		time.Sleep(20 * time.Millisecond)
		d := o.ballot(a, "bo", false)
		d.Comment = "too \x1b[2J\u202emuch"
		if _, err := there.Decide(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		got := <-done
		if text := approvals.Message(got); got.State != store.Rejected || !strings.Contains(text, "bo: too ") ||
			strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("%s: %s", got.State, text)
		}
	})
}

// A policy that changes while people are asked cancels the request (APR-06).
func TestPolicyChangesWhileWaiting(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, call("s", 1), 1)
		a, err := o.Wait(t.Context(), a.ID, func() string { return "the policy has changed" })
		if err != nil || a.State != store.Cancelled || !strings.Contains(approvals.Message(a), "the policy has changed") {
			t.Fatalf("%v %v", a, err)
		}
		_, err = o.vote(a, "al", true)
		refused(t, err, approvals.RefusedDecided)
	})
}

// A thousand requests wait, and the next is as quick (APR-13).
func TestThousandPending(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes with the race detector")
	}
	onBoth(t, func(t *testing.T, o *office) {
		record := o.Record
		o.Record = nil // that is another matter
		for i := range 1000 {
			o.ask(t, call("s"+string(rune('a'+i%20)), i), 1)
		}
		o.Record = record
		begin := time.Now()
		a := o.approved(t, request(call("new", 5000), 1))
		if _, err := o.use(a.ID, request(call("new", 5000), 1)); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("ask, vote and use took %v among a thousand", took)
		}
		o.Record = nil
		if o.pass(10 * time.Minute); o.Sweep(t.Context()) != nil {
			t.Error("sweep")
		}
		if list, _ := o.Store.Approvals(t.Context(), store.Query{States: []store.State{store.Expired}, Most: 2000}); len(list) != 1000 {
			t.Errorf("%d have expired", len(list))
		}
	})
}

// What the model is told says whether a person has decided, and what it can do.
func TestMessages(t *testing.T) {
	for state, want := range map[store.State]string{
		store.Rejected: "A person has decided this.", store.Expired: "Nobody answered within 10m", store.Lapsed: "was not made in time",
		store.Cancelled: "was cancelled: the session has ended", store.Revoked: "was revoked: the session has ended",
		store.Pending: "Request apr_1 is waiting for an answer.", store.Consumed: "This approval has been used.",
	} {
		a := &store.Approval{ID: "apr_1", State: state, Why: "the session has ended", Created: store.At(start),
			Expires: store.At(start.Add(10 * time.Minute))}
		if text := approvals.Message(a); !strings.HasPrefix(text, approvals.Prefix) || !strings.Contains(text, want) {
			t.Errorf("%s: %q", state, text)
		}
	}
}

// A request that does not exist is refused as such, whatever is asked of it.
func TestUnknownRequest(t *testing.T) {
	o := newOffice(t)
	r := request(call("s", 1), 1)
	_, err := o.vote(&store.Approval{ID: "apr_none"}, "al", true)
	refused(t, err, approvals.RefusedUnknown)
	_, err = o.use("apr_none", r)
	refused(t, err, approvals.RefusedUnknown)
	refused(t, o.Cancel(t.Context(), "apr_none", "x"), approvals.RefusedUnknown)
}

// brokenChange is a store in which one approval cannot be changed.
type brokenChange struct {
	store.Store
	id string
}

func (b brokenChange) Change(ctx context.Context, id string, change func(*store.Approval) ([]store.Note, error)) (*store.Approval, error) {
	if id == b.id {
		return nil, errors.New("broken")
	}
	return b.Store.Change(ctx, id, change)
}

// Sweep reports what it could not do, and does the rest.
func TestSweepGoesOn(t *testing.T) {
	o := newOffice(t)
	bad, good := o.ask(t, call("s", 1), 1), o.ask(t, call("t", 2), 1)
	working := o.Store
	o.Store = brokenChange{working, bad.ID}
	o.pass(time.Hour)
	if err := o.Sweep(t.Context()); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("found %v", err)
	}
	o.Store = working
	stands(t, o, good.ID, store.Expired)
}

// unreadable is a store that cannot be read once it is broken.
type unreadable struct {
	store.Store
	broken atomic.Bool
}

func (u *unreadable) Approval(ctx context.Context, id string) (*store.Approval, error) {
	if u.broken.Load() {
		return nil, errors.New("broken")
	}
	return u.Store.Approval(ctx, id)
}

// A wait that ends while the store cannot be read gives what it has seen last.
func TestWaitEndsUnread(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 1), 1)
	st := &unreadable{Store: o.Store}
	o.Store = st
	ctx, stop := context.WithCancel(t.Context())
	got, err := o.Wait(ctx, a.ID, func() string { st.broken.Store(true); stop(); return "" })
	if err != nil || got == nil || got.State != store.Pending {
		t.Errorf("%+v, %v", got, err)
	}
}
