package approvals_test

import (
	"slices"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// There are two clocks, and they decide even if nobody sweeps: how long people
// have, from the request on, and how long the call has, from the decision on (FIM-25).
func TestTwoClocks(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, call("s", 1), 1)
		o.pass(10*time.Minute - time.Second)
		b := o.approved(t, request(call("s", 2), 1))
		o.pass(time.Second)
		_, err := o.vote(a, "al", true)
		refused(t, err, approvals.RefusedExpired)
		if a, err = o.Wait(t.Context(), a.ID, nil); err != nil || a.State != store.Expired {
			t.Fatalf("%v %v", a.State, err)
		}
		o.pass(5*time.Minute - 2*time.Second) // one is left
		if _, err = o.use(b.ID, request(call("s", 2), 1)); err != nil {
			t.Error(err)
		}
		c := o.approved(t, request(call("s", 3), 1))
		o.pass(5 * time.Minute)
		_, err = o.use(c.ID, request(call("s", 3), 1))
		refused(t, err, approvals.RefusedExpired)
	})
}

// A process whose clock is ahead ends a request early, for everybody; one whose
// clock is before the request or a vote on it refuses (APR-11).
func TestClocksDiffer(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, call("s", 1), 1)
		o.pass(-time.Hour)
		_, err := o.vote(a, "al", true)
		refused(t, err, approvals.RefusedClock)
		o.pass(time.Hour - 20*time.Second) // close enough
		if a, err = o.vote(a, "al", true); err != nil {
			t.Fatal(err)
		}
		o.pass(-time.Hour) // set back after the decision
		_, err = o.use(a.ID, request(call("s", 1), 1))
		refused(t, err, approvals.RefusedClock)
		o.pass(2 * time.Hour) // and forth
		_, err = o.use(a.ID, request(call("s", 1), 1))
		refused(t, err, approvals.RefusedExpired)
		b := o.ask(t, call("s", 2), 1)
		o.pass(11 * time.Minute) // a process with the right time
		if err := o.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		o.pass(-5 * time.Minute) // one for which there would be time
		_, err = o.vote(b, "al", true)
		refused(t, err, approvals.RefusedExpired)
	})
}

// After its time a request goes to the next people, whether or not somebody
// sweeps; an earlier vote of theirs was refused (APR-19).
func TestEscalation(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		r := request(call("s", 1), 2)
		r.Needs.Escalate, r.Needs.Every, r.Needs.Reminders = [][]string{{"boss"}}, 2*time.Minute, []time.Duration{time.Minute}
		a := o.put(t, r)
		_, err := o.vote(a, "boss", true)
		refused(t, err, approvals.RefusedNotApprover)
		if _, err := o.vote(a, "al", true); err != nil {
			t.Fatal(err)
		}
		for range 2 { // each step once, however often it is swept
			o.pass(time.Minute)
			for range 2 {
				if err := o.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if a = stands(t, o, a.ID, store.Pending); a.Reminded != 1 || a.Escalated != 1 || len(o.kinds()) != 4 {
			t.Errorf("reminded %d, escalated %d: %v", a.Reminded, a.Escalated, o.kinds())
		}
		if a, err = o.vote(a, "boss", true); err != nil || a.State != store.Approved {
			t.Errorf("%v %v", a, err) // al's vote from before counts
		}
		r.Event = call("s", 2)
		r.Needs.Factors[0].N = 1
		b := o.put(t, r)
		o.pass(2 * time.Minute)
		if b, err = o.vote(b, "boss", true); err != nil || b.State != store.Approved {
			t.Errorf("not swept: %v %v", b, err)
		}
		if _, err := o.use(b.ID, r); err != nil {
			t.Error(err)
		}
	})
}

// Whom a request may be escalated to stands for all who have to agree, and only
// once it is: until then they count for what they are declared for (APR-19).
func TestEscalationIsNotAnticipated(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		o.Roster.People["di"] = []string{"slack:T/di"}
		r := request(call("s", 1), 1)
		r.Needs.Factors = append(r.Needs.Factors, store.Factor{Approvers: []string{"di"}, N: 1})
		r.Needs.Escalate, r.Needs.Every = [][]string{{"al"}}, 2*time.Minute
		a, err := o.vote(o.put(t, r), "al", true)
		if err != nil || a.State != store.Pending {
			t.Fatalf("al is one of finance, and di has not agreed: %v %v", a, err)
		}
		by := approvals.Granter{Identity: "slack:T/al", For: time.Hour}
		if _, err := o.MayGrant(a, approvals.ScopeRule, by); err == nil {
			t.Error("al may grant alone what takes two")
		}
		if a, err = o.vote(a, "di", true); err != nil || a.State != store.Approved {
			t.Errorf("%v %v", a, err)
		}
		r.Event = call("s", 2)
		b := o.put(t, r)
		o.pass(2 * time.Minute)
		if b, err = o.vote(b, "al", true); err != nil || b.State != store.Approved {
			t.Errorf("escalated: %v %v", b, err)
		}
	})
}

// People are reminded at each moment that the terms name, a span or a part of
// their time, once; one that was missed is not made up for (APR-19).
func TestReminders(t *testing.T) {
	s := approvals.Settings{Terms: approvals.Terms{Remind: []approvals.Moment{{Percent: 80}, {After: time.Minute}, {Percent: 50}}}}
	terms := s.Merged(&approvals.Terms{})
	needs, err := s.Needs(&terms)
	if want := []time.Duration{time.Minute, 5 * time.Minute, 8 * time.Minute}; err != nil || !slices.Equal(needs.Reminders, want) {
		t.Fatalf("%v %v, want %v", needs.Reminders, err, want)
	}
	own := s.Merged(&approvals.Terms{Remind: []approvals.Moment{{Percent: 10}}})
	if needs, _ := s.Needs(&own); !slices.Equal(needs.Reminders, []time.Duration{time.Minute}) {
		t.Errorf("the hook's own: %v", needs.Reminders)
	}
	onBoth(t, func(t *testing.T, o *office) {
		r := request(call("s", 1), 1)
		r.Needs.Reminders = needs.Reminders
		a := o.put(t, r)
		for _, step := range []struct {
			pass time.Duration
			want int
		}{{59 * time.Second, 0}, {time.Second, 1}, {3 * time.Minute, 1}, {4*time.Minute + time.Second, 3}} {
			o.pass(step.pass)
			for range 2 {
				if err := o.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if now := stands(t, o, a.ID, store.Pending); now.Reminded != step.want {
				t.Errorf("after another %v: reminded %d times, want %d", step.pass, now.Reminded, step.want)
			}
		}
		if kinds := o.kinds(); len(kinds) != 3 {
			t.Errorf("%v", kinds)
		}
	})
}
