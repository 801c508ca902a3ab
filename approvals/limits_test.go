package approvals_test

import (
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/store"
)

// A grant lasts more than no time, a day at most, and is not for an edited call.
func TestHowLongGrantsLast(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 1), 1)
	match, err := approvals.PatternOf(call("s", 1))
	if err != nil {
		t.Fatal(err)
	}
	for last, ok := range map[time.Duration]bool{0: false, -1: false, -time.Hour: false, 1: true, approvals.MaxGrant: true,
		approvals.MaxGrant + 1: false, 1<<63 - 1: false} {
		by := approvals.Granter{Identity: "slack:T/al", Signer: o.key, For: last}
		if _, err := o.Grant(t.Context(), a, approvals.ScopeRule, match, by); (err == nil) != ok {
			t.Errorf("%s: %v", last, err)
		}
		if _, err := o.MayGrant(a, approvals.ScopeRule, by); (err == nil) != ok {
			t.Errorf("%s: %v", last, err)
		}
	}
	by := approvals.Granter{Identity: "slack:T/al", Signer: o.key, For: time.Hour}
	if a.Edit, err = approvals.EditOf(a, map[string]any{"amount": int64(2)}); err != nil {
		t.Fatal(err)
	}
	_, err = o.MayGrant(a, approvals.ScopeRule, by)
	refused(t, err, approvals.RefusedState)
}

// The moment at which something ends is no longer part of it.
func TestTheMomentOfTheEnd(t *testing.T) {
	for left, ok := range map[time.Duration]bool{time.Microsecond: true, 0: false, -time.Microsecond: false} {
		o := newOffice(t)
		r := request(call("s", 1), 1)
		a := o.put(t, r)
		o.pass(r.Expires - left)
		_, err := o.vote(a, "al", true)
		if (err == nil) != ok {
			t.Errorf("a vote %s before the end: %v", left, err)
		}
		if !ok {
			continue
		}
		for before, used := range map[time.Duration]bool{0: false, time.Microsecond: true} {
			for name, edit := range map[string]func(a *store.Approval){
				"as it was stored": func(*store.Approval) {},
				"with more time":   func(a *store.Approval) { a.Until = store.At(a.Until.Add(time.Hour)) },
			} {
				other := newOffice(t)
				id := other.approved(t, r).ID
				other.edit(t, id, edit)
				other.pass(r.Window - before)
				if _, err := other.use(id, r); (err == nil) != used {
					t.Errorf("%s, used %s before the end: %v", name, before, err)
				}
			}
		}
	}
}

// The window counts from the signed votes, whatever the store says, and also if
// the configuration has none.
func TestWindowEditedByHand(t *testing.T) {
	o := newOffice(t)
	r := request(call("s", 1), 1)
	a := o.approved(t, r)
	o.edit(t, a.ID, func(a *store.Approval) { a.Until = store.At(a.Until.Add(aDay)) })
	o.pass(6 * time.Minute)
	_, err := o.Consume(t.Context(), a.ID, r.Event, approvals.Policy{Digest: r.Policy})
	refused(t, err, approvals.RefusedExpired)
}

// A call that has passed does not pass again, within a moment and with the same
// id, if the votes are no longer in the store.
func TestRepeatedAfterTheVotesAreGone(t *testing.T) {
	o := newOffice(t)
	o.Spent = state.Files{Dir: t.TempDir()}
	r := request(call("s", 1), 1)
	r.Event.Tool.ID = "c1"
	a := o.approved(t, r)
	for range 2 {
		if _, err := o.use(a.ID, r); err != nil {
			t.Fatal(err)
		}
	}
	o.edit(t, a.ID, func(a *store.Approval) { a.Votes = nil })
	_, err := o.use(a.ID, r)
	refused(t, err, approvals.RefusedState)
}
