package approvals_test

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

func transfer(session, to string, amount int) *trammel.Event {
	ev := call(session, amount)
	ev.Tool.Input["to"] = to
	return ev
}

// voteFor is a vote for the call with other arguments.
func (o *office) voteFor(t *testing.T, a *store.Approval, who, args string) (*store.Approval, error) {
	t.Helper()
	e, err := approvals.NewEdit(a, []byte(args))
	if err != nil {
		return nil, err
	}
	d := o.ballot(a, who, true)
	d.Edit = e
	return o.Decide(t.Context(), d)
}

// A vote is for one exact call: after an edit, earlier votes do not count for
// it, and what runs is what was agreed to last.
func TestEditedCall(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		r := request(transfer("s", "acme", 60000), 2)
		a, err := o.vote(o.put(t, r), "al", true)
		if err != nil {
			t.Fatal(err)
		}
		edited, err := o.voteFor(t, a, "bo", `{"to":"acme","amount":50}`)
		if err != nil || edited.State != store.Pending || edited.Edit.By != "bo" {
			t.Fatalf("al agreed to another call: %v %v", edited, err)
		}
		_, err = o.vote(a, "al", true) // al still looks at the old one
		refused(t, err, approvals.RefusedChanged)
		_, err = o.vote(edited, "bo", true)
		refused(t, err, approvals.RefusedVoted)
		if a, err = o.vote(edited, "al", true); err != nil || a.State != store.Approved {
			t.Fatalf("%v %v", a, err)
		}
		_, err = o.use(a.ID, r)
		refused(t, err, approvals.RefusedChanged)
		if _, err = o.use(a.ID, request(transfer("s", "acme", 50), 2)); err != nil {
			t.Error(err)
		}
	})
}

// An edit can take an edit back: then the votes for what was asked count again,
// once for each person, and that is what runs (APR-17).
func TestEditBackToWhatWasAsked(t *testing.T) {
	const original = `{"to":"acme","amount":60000}`
	for _, back := range []string{"al", "bo"} { // one who voted for it, and the one who edited
		onBoth(t, func(t *testing.T, o *office) {
			r := request(transfer("s", "acme", 60000), 2)
			a, err := o.vote(o.put(t, r), "al", true)
			if err == nil {
				a, err = o.voteFor(t, a, "bo", `{"to":"acme","amount":50}`)
			}
			if err != nil {
				t.Fatal(err)
			}
			if a, err = o.voteFor(t, a, back, original); err != nil || a.Edit != nil {
				t.Fatalf("%s: %v %v", back, a, err)
			}
			if approved := a.State == store.Approved; approved == (back == "al") {
				t.Errorf("%s: %s, but two people have to agree to the call", back, a.State)
			}
			if back == "al" {
				_, err = o.vote(a, "al", true)
				refused(t, err, approvals.RefusedVoted)
				if a, err = o.vote(a, "bo", true); err != nil {
					t.Fatal(err)
				}
			}
			if _, err = o.use(a.ID, r); err != nil {
				t.Error(err)
			}
		})
	}
}

// Editing a call into what it was is no way to vote twice.
func TestEditIntoTheSameIsOneVote(t *testing.T) {
	o := newOffice(t)
	a, err := o.vote(o.put(t, request(transfer("s", "acme", 60000), 2)), "al", true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = o.voteFor(t, a, "al", `{"to":"acme","amount":60000}`); err == nil {
		t.Error("al has voted twice")
	}
}

// An edit can change values and add some. Others are refused when somebody
// decides, not when the call goes on.
func TestEditsThatAreRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		a := o.ask(t, transfer("s", "acme", 1), 1)
		for args, code := range map[string]approvals.RefusalCode{
			`{"amount":50}`:                         approvals.RefusedState, // agents would add "to" again
			`{"amount":1,"to":"acme"}`:              approvals.RefusedState, // nothing is changed
			`{"amount":1e0,"to":"\u0061cme"}`:       approvals.RefusedState,
			`{"amount":1,"amount":2,"to":"acme"}`:   approvals.RefusedState,
			`[]`:                                    approvals.RefusedState,
			`{"amount":1,"to":"acme"} {"amount":2}`: approvals.RefusedState,
		} {
			_, err := o.voteFor(t, a, "al", args)
			refused(t, err, code)
		}
		d := o.ballot(a, "al", true)
		d.Edit = &store.Edit{Args: []byte(`{"amount":50,"to":"acme"}`), Digest: a.Digest} // not its own digest
		_, err := o.Decide(t.Context(), d)
		refused(t, err, approvals.RefusedChanged)
		d.Edit, _ = approvals.NewEdit(a, []byte(`{"amount":50,"to":"acme"}`))
		d.Approve = false
		_, err = o.Decide(t.Context(), d)
		refused(t, err, approvals.RefusedState)
		if a, err = o.voteFor(t, a, "al", `{"amount":1,"to":"acme","memo":"by hand"}`); err != nil || a.State != store.Approved {
			t.Errorf("%v %v", a, err)
		}
	})
}
