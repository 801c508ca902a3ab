package approvals_test

import (
	"testing"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// Who submits a call asks for it, whomever it names as its user: for the vote, for its
// use, whatever the store says, and for grants.
func TestTheAccountAsks(t *testing.T) {
	by := func(account string) *approvals.Request {
		ev := call("s1", 60000)
		ev.Session.Account = account
		return request(ev, 1)
	}
	onBoth(t, func(t *testing.T, o *office) {
		a := o.put(t, by("slack:T/al"))
		for _, who := range []string{"al", "cy"} {
			_, err := o.vote(a, who, true)
			refused(t, err, approvals.RefusedRequester)
		}
		a, err := o.vote(a, "bo", true)
		if err != nil || a.State != store.Approved {
			t.Fatalf("%v %v", a, err)
		}
	})
	onBoth(t, func(t *testing.T, o *office) {
		a := o.approved(t, by("")) // as if somebody had removed the account from the store
		_, err := o.use(a.ID, by("slack:T/al"))
		refused(t, err, approvals.RefusedNotApprover)
		if _, err := o.use(a.ID, by("slack:T/cy")); err != nil {
			t.Error(err)
		}
	})
}

// The policy may let the requester vote.
func TestTheRequesterMayVote(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		mine := request(call("s1", 1), 1)
		mine.Needs.Requester = true
		if a, err := o.vote(o.put(t, mine), "cy", true); err != nil || a.State != store.Approved {
			t.Errorf("%v %v", a, err)
		}
	})
}

// A call that was cancelled takes back its own request, not that of another call
// or session, nor one that others wait for, too.
func TestWithdraw(t *testing.T) {
	for name, c := range map[string]struct {
		session, call, second string
		want                  store.State
	}{
		"its own":         {"s1", "c1", "", store.Cancelled},
		"another call":    {"s1", "c2", "", store.Pending},
		"another session": {"s2", "c1", "", store.Pending},
		"shared":          {"s1", "c1", "s2", store.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, o *office) {
				asked := func(session string) *approvals.Request {
					ev := call(session, 1)
					ev.Tool.ID = "c1"
					return request(ev, 1)
				}
				a := o.put(t, asked("s1"))
				if c.second != "" {
					o.put(t, asked(c.second))
				}
				if err := o.Withdraw(t.Context(), c.session, c.call); err != nil {
					t.Fatal(err)
				}
				stands(t, o, a.ID, c.want)
			})
		})
	}
}
