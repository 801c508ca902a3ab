package approvals_test

import (
	"errors"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

const aDay = 24 * time.Hour

// When the clock jumps by a day and back, an approval that was seen to be over
// stays over, and one that was not works again when the clock is right (APR-11).
func TestTheClockJumps(t *testing.T) {
	r := request(call("s", 1), 1)
	type step func(o *office, a *store.Approval) error
	vote := func(o *office, a *store.Approval) error { _, err := o.vote(a, "al", true); return err }
	use := func(o *office, a *store.Approval) error { _, err := o.use(a.ID, r); return err }
	for _, c := range []struct {
		name  string
		voted bool
		jump  time.Duration
		do    step
		away  approvals.RefusalCode // after the jump
		back  approvals.RefusalCode // after the jump back
	}{
		{"a vote, forward", false, aDay, vote, approvals.RefusedExpired, approvals.RefusedExpired},
		{"a vote, back", false, -aDay, vote, approvals.RefusedClock, ""},
		{"a use, forward", true, aDay, use, approvals.RefusedExpired, approvals.RefusedExpired},
		{"a use, back", true, -aDay, use, approvals.RefusedClock, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOffice(t)
			a := o.put(t, r)
			if c.voted {
				a, _ = o.vote(a, "al", true)
			}
			o.pass(c.jump)
			refused(t, c.do(o, a), c.away)
			o.pass(-c.jump)
			if err := c.do(o, a); c.back != "" {
				refused(t, err, c.back)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// A grant that was seen to be over does not count again when the clock is set
// back; one from the future waits for its time.
func TestTheClockJumpsWithGrants(t *testing.T) {
	for jump, want := range map[time.Duration]bool{aDay: false, -aDay: true} {
		o := newOffice(t)
		r := request(shell2("s"), 1)
		match, _ := approvals.PatternOf(r.Event)
		if _, err := o.Grant(t.Context(), o.put(t, r), approvals.ScopeSession, match,
			approvals.Granter{Identity: "slack:T/al", Signer: o.key, Reason: "x", For: time.Hour}); err != nil {
			t.Fatal(err)
		}
		o.pass(jump)
		if g, err := o.Granted(t.Context(), r); g != nil || err != nil {
			t.Errorf("%v later: %v %v", jump, g, err)
		}
		o.pass(-jump)
		if g, err := o.Granted(t.Context(), r); (g != nil) != want || err != nil {
			t.Errorf("%v later and back: %v %v", jump, g, err)
		}
	}
}

// The same for a person's permission for one denied call (TEAM-25).
func TestTheClockJumpsWithAllowOnce(t *testing.T) {
	for jump, want := range map[time.Duration]bool{aDay: false, -aDay: true} {
		o := newOffice(t)
		key, err := approvals.Digest(call("s", 1), "")
		if err != nil {
			t.Fatal(err)
		}
		d := approvals.Denial{CallKey: key, Project: "/p", Host: "fim", Tool: "pay", Policy: "p1", Hooks: []string{"a"}, Shown: "it"}
		by := approvals.Granter{Identity: "slack:T/al", Signer: o.key, Reason: "x", For: time.Hour}
		if _, err := o.AllowOnce(t.Context(), d, by); err != nil {
			t.Fatal(err)
		}
		found := func() bool {
			g, err := o.FindOnce(t.Context(), call("s", 1), approvals.Overruled{Hooks: []string{"a"}, Policy: "p1", Shown: "it"})
			if err != nil {
				t.Fatal(err)
			}
			return g != nil
		}
		o.pass(jump)
		if found() {
			t.Errorf("it counts %v later", jump)
		}
		o.pass(-jump)
		if found() != want {
			t.Errorf("%v later and back: %v", jump, !want)
		}
	}
}

// A request that was made, or approved, while the clock was a day ahead does not
// keep its agent from asking again (APR-11).
func TestTheClockWasAhead(t *testing.T) {
	for _, voted := range []bool{false, true} {
		o := newOffice(t)
		r := request(call("s", 1), 1)
		o.pass(aDay)
		before := o.put(t, r)
		if voted {
			if _, err := o.vote(before, "al", true); err != nil {
				t.Fatal(err)
			}
		}
		o.pass(-aDay)
		after := o.put(t, r)
		if _, err := o.vote(after, "al", true); err != nil || after.ID == before.ID {
			t.Fatalf("voted %v: the new request is %s, the old one %s: %v", voted, after.ID, before.ID, err)
		}
		if _, err := o.use(after.ID, r); err != nil {
			t.Error(err)
		}
		if a, err := o.Wait(t.Context(), before.ID, nil); err != nil || a.State.Open() {
			t.Errorf("the old one is %v, %v", a.State, err)
		}
		o.pass(aDay)
		if _, err := o.use(before.ID, r); err == nil || errors.Is(err, store.ErrNotFound) {
			t.Errorf("the old one is used: %v", err)
		}
	}
}

// The request of another machine stays, even if this machine's clock is behind.
func TestAnotherMachinesClockIsAhead(t *testing.T) {
	o := newOffice(t)
	o.pass(time.Hour)
	theirs := o.put(t, request(call("theirs", 1), 1))
	o.pass(-time.Hour)
	if ours := o.put(t, request(call("ours", 1), 1)); ours.ID != theirs.ID {
		t.Errorf("there is another request for the same call: %v", ours)
	}
}
