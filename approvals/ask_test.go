package approvals_test

import (
	"slices"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/store"
)

// Identical calls, also of two hosts, share a request, and each goes through
// once (APR-10).
func TestShared(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		elsewhere := call("s2", 1)
		elsewhere.Host = "another"
		a, b := o.ask(t, call("s1", 1), 1), o.ask(t, elsewhere, 1)
		if a.ID != b.ID || len(b.Asks) != 2 || b.Asks[1].Host != "another" {
			t.Fatalf("%s %s %v", a.ID, b.ID, b.Asks)
		}
		if _, err := o.vote(b, "al", true); err != nil {
			t.Fatal(err)
		}
		late := request(call("s3", 1), 1)
		_, err := o.Ask(t.Context(), late) // nobody knew of it when they agreed
		refused(t, err, approvals.RefusedState)
		_, err = o.use(a.ID, late)
		refused(t, err, approvals.RefusedState)
		for _, s := range []string{"s1", "s2"} {
			if _, err := o.use(a.ID, request(call(s, 1), 1)); err != nil {
				t.Error(err)
			}
		}
		_, err = o.use(a.ID, request(call("s1", 1), 1))
		refused(t, err, approvals.RefusedState)
	})
}

// Nobody agrees to a call of their own by way of somebody else's identical one (APR-05).
func TestEveryRequesterIsExcluded(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		mine := request(call("s2", 1), 1)
		mine.User = "slack:T/al"
		a, b := o.ask(t, call("s1", 1), 1), o.put(t, mine)
		if a.ID != b.ID {
			t.Fatal("not shared")
		}
		for _, who := range []string{"al", "cy"} {
			_, err := o.vote(b, who, true)
			refused(t, err, approvals.RefusedRequester)
		}
		third := request(call("s3", 1), 1) // then nobody would be left
		third.User = "slack:T/bo"
		_, err := o.Ask(t.Context(), third)
		refused(t, err, approvals.RefusedNotApprover)
	})
}

// Who agrees to one call has not agreed to another that comes later, identical
// as it may be.
func TestNobodyJoinsAfterAVote(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, call("s1", 1), 2)
		if _, err := o.vote(a, "al", true); err != nil {
			t.Fatal(err)
		}
		_, err := o.Ask(t.Context(), request(call("s2", 1), 2))
		refused(t, err, approvals.RefusedState)
		_, err = o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) { // somebody writes it into the store
			a.Asks = append(a.Asks, store.Ask{Session: "s2", Host: "fim"})
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if a, err = o.vote(a, "bo", true); err != nil || a.State != store.Approved {
			t.Fatal(err)
		}
		_, err = o.use(a.ID, request(call("s2", 1), 2))
		refused(t, err, approvals.RefusedChanged)
		if _, err = o.use(a.ID, request(call("s1", 1), 2)); err != nil {
			t.Error(err)
		}
	})
}

// A request that could never be approved is refused at once.
func TestTooFewApprovers(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		_, err := o.Ask(t.Context(), request(call("s", 1), 3)) // cy is one of three
		refused(t, err, approvals.RefusedNotApprover)
		r := request(call("s", 1), 3)
		r.Needs.Escalate, r.Needs.Every = [][]string{{"boss"}}, time.Minute
		o.put(t, r)
	})
}

// What an agent was sent away for, it learns when it comes back; then it can
// ask again.
func TestParkedAgentLearns(t *testing.T) {
	ends := map[store.State]func(t *testing.T, o *office, a *store.Approval){
		store.Rejected: func(t *testing.T, o *office, a *store.Approval) { o.vote(a, "al", false) },
		store.Expired:  func(t *testing.T, o *office, a *store.Approval) { o.pass(10 * time.Minute) },
		store.Lapsed: func(t *testing.T, o *office, a *store.Approval) {
			o.vote(a, "al", true)
			o.pass(5 * time.Minute)
		},
		store.Cancelled: func(t *testing.T, o *office, a *store.Approval) { o.Cancel(t.Context(), a.ID, "no longer needed") },
		store.Revoked: func(t *testing.T, o *office, a *store.Approval) {
			o.vote(a, "al", true)
			o.Cancel(t.Context(), a.ID, "taken back")
		},
	}
	onBoth(t, func(t *testing.T, o *office) {
		for want, end := range ends {
			r := request(call("s"+string(want), len(want)), 1)
			a := o.put(t, r)
			if _, err := o.Park(t.Context(), a.ID, r.Event.Session.ID, ""); err != nil {
				t.Fatal(err)
			}
			end(t, o, a)
			b := o.put(t, r)
			if b.ID != a.ID || b.State != want {
				t.Errorf("%s: came back, and found %s %s", want, b.ID, b.State)
			}
			if _, err := o.Tell(t.Context(), b.ID, r.Event.Session.ID, "", ""); err != nil {
				t.Fatal(err)
			}
			if c := o.put(t, r); c.ID == a.ID || c.State != store.Pending {
				t.Errorf("%s: cannot ask again: %s", want, c.State)
			}
			elsewhere := request(call("x"+string(want), len(want)), 1)
			if c := o.put(t, elsewhere); c.State != store.Pending {
				t.Errorf("%s: another session was told", want)
			}
		}
	})
}

// Parked and approved: the same call again goes through, once (APR-08).
func TestParkAndRetry(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		r := request(call("s", 1), 1)
		a := o.put(t, r)
		if _, err := o.Park(t.Context(), a.ID, "s", ""); err != nil {
			t.Fatal(err)
		}
		if _, err := o.vote(a, "al", true); err != nil {
			t.Fatal(err)
		}
		b := o.put(t, r)
		if b.ID != a.ID || b.State != store.Approved {
			t.Fatalf("%s %s", b.ID, b.State)
		}
		if _, err := o.use(b.ID, r); err != nil {
			t.Fatal(err)
		}
		if c := o.put(t, r); c.ID == a.ID || c.State != store.Pending {
			t.Errorf("a third time it is %s %s", c.ID, c.State)
		}
	})
}

// An open request that is over by the clock is not joined by anybody.
func TestOverIsNotJoined(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, call("s1", 1), 1)
		b := o.approved(t, request(call("s1", 2), 1))
		o.pass(10 * time.Minute)
		for i, old := range []*store.Approval{a, b} {
			if n := o.ask(t, call("s2", i+1), 1); n.ID == old.ID || n.State != store.Pending {
				t.Errorf("joined what is over: %s", n.State)
			}
		}
		stands(t, o, a.ID, store.Expired)
		stands(t, o, b.ID, store.Lapsed)
	})
}

// Two hooks that ask about one call do not cancel each other's requests.
func TestTwoHooksAskAboutOneCall(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		first, second := request(call("s", 1), 1), request(call("s", 1), 1)
		second.Hook, second.Policy = "weekend", "p2"
		a, b := o.approved(t, first), o.approved(t, second)
		for id, r := range map[string]*approvals.Request{a.ID: first, b.ID: second} {
			if _, err := o.use(id, r); err != nil {
				t.Error(err)
			}
		}
	})
}

// What takes the place of what.
func TestSupersede(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		park := func(a *store.Approval) {
			if _, err := o.Park(t.Context(), a.ID, "s", ""); err != nil {
				t.Fatal(err)
			}
		}
		one := o.ask(t, call("s", 1), 1)
		park(one)
		beside := o.ask(t, call("s", 2), 1) // at once: side by side
		park(beside)
		stands(t, o, one.ID, store.Pending)
		o.pass(time.Minute)
		other := o.ask(t, call("s", 3), 1)
		stands(t, o, one.ID, store.Cancelled)
		stands(t, o, beside.ID, store.Cancelled)
		park(other)
		o.pass(time.Minute)
		again := o.ask(t, call("s", 1), 1) // it wants both
		if again.ID == one.ID || again.State != store.Pending {
			t.Errorf("came back for what was superseded: %s", again.State)
		}
		stands(t, o, other.ID, store.Pending)

		changed := request(call("s", 3), 1)
		changed.Policy = "p2"
		o.put(t, changed)
		if a := stands(t, o, other.ID, store.Cancelled); a.Why != "the policy has changed" {
			t.Error(a.Why)
		}
		shared := o.ask(t, call("u", 9), 1)
		o.ask(t, call("v", 9), 1)
		changed.Event = call("u", 9)
		o.put(t, changed)
		stands(t, o, shared.ID, store.Pending) // another session still waits, under its own policy
	})
}

// Only what this agent was told to come back for is superseded: nothing that another
// agent or session was told, nothing that is still waited for, and no call that was
// parked less than two seconds before.
func TestWhatIsNotSuperseded(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		for name, c := range map[string]struct {
			session, agent string // who else asked for the same
			parked         bool
			passed         time.Duration
			want           store.State
		}{
			"nobody else":     {"", "", true, 2 * time.Second, store.Cancelled},
			"side by side":    {"", "", true, 2*time.Second - time.Millisecond, store.Pending},
			"it waits":        {"", "", false, time.Minute, store.Pending},
			"another agent":   {"s", "sub", true, time.Minute, store.Pending},
			"another session": {"t", "", true, time.Minute, store.Pending},
			"one that ended":  {"ended", "", true, time.Minute, store.Pending},
		} {
			ask := func(session, agent string, amount int) *store.Approval {
				ev := call(name+session, amount)
				ev.Session.AgentID, ev.Session.Project = agent, "/"+name
				a := o.ask(t, ev, 1)
				if c.parked {
					if _, err := o.Park(t.Context(), a.ID, ev.Session.ID, agent); err != nil {
						t.Fatal(err)
					}
				}
				return a
			}
			a := ask("s", "", 1)
			if c.session != "" && ask(c.session, c.agent, 1).ID != a.ID {
				t.Fatalf("%s: not one request", name)
			}
			if err := o.EndSession(t.Context(), name+"ended"); err != nil {
				t.Fatal(err)
			}
			o.pass(c.passed)
			ask("s", "", 2)
			if got, err := o.Store.Approval(t.Context(), a.ID); err != nil || got.State != c.want {
				t.Errorf("%s: not %s (%v)", name, c.want, err)
			}
		}
	})
}

// The end of a session ends what only that session waits for (APR-20).
func TestEndSession(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		for i := range 120 {
			o.ask(t, call("s", i), 1)
		}
		shared := o.ask(t, call("s", 500), 1)
		o.ask(t, call("t", 500), 1)
		if err := o.EndSession(t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		open, err := o.Store.Approvals(t.Context(), store.Query{States: []store.State{store.Pending}})
		if err != nil || len(open) != 1 || open[0].ID != shared.ID || open[0].Asks[0].Waits() || !open[0].Asks[1].Waits() {
			t.Errorf("%v: %d are open, asks %v", err, len(open), open[0].Asks)
		}
	})
}

// A sub-agent's request says who is above it, and is its own ask (APR-09).
func TestParentChain(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		ev := call("s", 1)
		ev.Session.Agent, ev.Session.AgentID, ev.Session.Parents = "reviewer", "r1", []string{"planner", "main"}
		a := o.approved(t, request(ev, 1))
		if a.Agent != "reviewer" || !slices.Equal(a.Parents, []string{"planner", "main"}) || a.Asks[0].Agent != "r1" {
			t.Errorf("%+v", a)
		}
		sibling := *ev
		sibling.Session.AgentID = "r2"
		_, err := o.use(a.ID, request(&sibling, 1))
		refused(t, err, approvals.RefusedState)
		if _, err := o.use(a.ID, request(ev, 1)); err != nil {
			t.Error(err)
		}
	})
}

// A host that is wired twice asks twice about one call, at once or one after
// the other: it is told the same, people are asked once, and the approval is
// used once. Another call, or the same id later on, is another matter.
func TestOneCallAskedTwice(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		o.Spent = state.Files{Dir: t.TempDir()}
		with := func(id string) *approvals.Request {
			r := request(call("s", 1), 1)
			r.Event.Tool.ID = id
			return r
		}
		a := o.approved(t, with("c1"))
		for range 4 {
			if b := o.put(t, with("c1")); b.ID != a.ID {
				t.Fatal("asked again")
			}
			if _, err := o.use(a.ID, with("c1")); err != nil {
				t.Fatal(err)
			}
		}
		_, err := o.use(a.ID, with("c1")) // no agent has so many files: it gives every call the same id
		refused(t, err, approvals.RefusedState)
		if n := len(o.kinds()); n != 3 { // requested, approved, consumed
			t.Errorf("on record: %v", o.kinds())
		}
		larger := with("c1") // not what was approved, whatever its id
		larger.Event.Tool.Input["amount"] = int64(2)
		_, err = o.use(a.ID, larger)
		refused(t, err, approvals.RefusedState)
		for _, id := range []string{"c2", ""} {
			_, err := o.use(a.ID, with(id))
			refused(t, err, approvals.RefusedState)
		}
		_, err = o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) { // by hand
			a.Asks[0].Call = "c2"
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = o.use(a.ID, with("c2"))
		refused(t, err, approvals.RefusedState)
		o.pass(2 * time.Minute)
		_, err = o.use(a.ID, with("c1"))
		refused(t, err, approvals.RefusedState)

		b := o.ask(t, call("t", 2), 1)
		o.vote(b, "al", false)
		if _, err := o.Tell(t.Context(), b.ID, "t", "", "c9"); err != nil {
			t.Fatal(err)
		}
		again := call("t", 2)
		again.Tool.ID = "c9"
		if c := o.ask(t, again, 1); c.ID != b.ID || c.State != store.Rejected {
			t.Errorf("rejected a moment ago, and now %s", c.State)
		}
		again.Tool.ID = "c10"
		if c := o.ask(t, again, 1); c.ID == b.ID {
			t.Error("another call cannot ask")
		}
	})
}

// A call that has ended is over: a host may give the next one the same id.
func TestTheNextCallOfAnID(t *testing.T) {
	o := newOffice(t)
	o.Spent = state.Files{Dir: t.TempDir()}
	r := request(call("s", 1), 1)
	r.Event.Tool.ID = "c1"
	a := o.approved(t, r)
	for range 2 { // it is wired twice
		if _, err := o.use(a.ID, r); err != nil {
			t.Fatal(err)
		}
	}
	for _, end := range []trammel.Event{{Kind: trammel.PreToolUse}, {Kind: trammel.PostToolUse, Session: trammel.Session{ID: "other"}}} {
		end.Tool = &trammel.ToolCall{ID: "c1"}
		if err := (state.Passed{State: o.Spent}).Ended(t.Context(), &end); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := o.use(a.ID, r); err != nil {
		t.Errorf("no event says that it has ended: %v", err)
	}
	end := &trammel.Event{Kind: trammel.PostToolFailure, Session: trammel.Session{ID: "s"}, Tool: &trammel.ToolCall{ID: "c1"}}
	if err := (state.Passed{State: o.Spent}).Ended(t.Context(), end); err != nil {
		t.Fatal(err)
	}
	_, err := o.use(a.ID, r)
	refused(t, err, approvals.RefusedState)
	if _, err := o.vote(o.put(t, r), "al", true); err != nil {
		t.Errorf("nobody can be asked about the next one: %v", err)
	}
}

// Agents without a session are not told what was decided about another one's call.
func TestDecidedForAnotherWithoutASession(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, call("", 1), 1)
		if _, err := o.vote(a, "al", false); err != nil {
			t.Fatal(err)
		}
		if b := o.ask(t, call("", 1), 1); b.ID == a.ID || b.State != store.Pending {
			t.Errorf("it gets %s of another: %s", b.ID, b.State)
		}
	})
}
