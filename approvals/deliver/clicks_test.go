package deliver_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/standin"
)

// FIM-26, FIM-27, FIM-32, channels-wire: a person's click decides, signed for by the server, and the
// message says so afterwards, without buttons (FIM-25).
func TestClick(t *testing.T) {
	for _, decision := range []string{"approve", "reject"} {
		each(t, func(t *testing.T, kind string, o *office) {
			a := o.ask()
			o.rounds(1)
			if got := o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: decision, Comment: "as agreed"}); got.Status != 200 {
				t.Fatalf("%+v", got)
			}
			a = o.get(a.ID)
			want := map[string]store.State{"approve": store.Approved, "reject": store.Rejected}[decision]
			if a.State != want || len(a.Votes) != 1 || a.Votes[0].Approver != "al" || a.Votes[0].Channel != kind {
				t.Fatalf("%s %+v", a.State, a.Votes)
			}
			if c := a.Votes[0].Comment; c != "as agreed" && !(kind == "slack" && decision == "approve") {
				t.Errorf("the comment is %q", c)
			}
			o.rounds(1)
			if shown := o.shown(kind, a.ID); !strings.Contains(shown, "by al") || strings.Contains(shown, "hook_approve") ||
				strings.Contains(shown, "btn_approve") {
				t.Errorf("the message shows %s", shown)
			}
			if d := o.delivery(a.ID, kind); (d.State == "final") != (want == store.Rejected) {
				t.Errorf("%+v", d)
			}
		})
	}
}

// shown is what people see of an approval.
func (o *office) shown(kind, id string) string {
	var v any
	switch kind {
	case "webhook":
		types, last := o.there.Webhook.Received(id)
		return strings.Join(types, " ") + " by " + lastVoter(last)
	case "slack", "slack-socket":
		v, _ = o.there.Slack.Message(id)
	default:
		v, _ = o.there.Feishu.Card(id)
	}
	text, _ := json.Marshal(v)
	return string(text)
}

func lastVoter(m map[string]any) string {
	data, _ := m["data"].(map[string]any)
	votes, _ := data["votes"].([]any)
	if len(votes) == 0 {
		return ""
	}
	return votes[len(votes)-1].(map[string]any)["approver"].(string)
}

// channels-wire: whatever an attacker changes about a click, it does not count.
func TestTampered(t *testing.T) {
	signed := map[standin.Tamper]int{standin.Body: 401, standin.Signature: 401, standin.Unsigned: 401, standin.Stale: 401}
	want := map[string]map[standin.Tamper]int{
		"feishu":           {standin.Stale: 401},
		"feishu-text":      {standin.Stale: 401},
		"feishu-encrypted": signed, "feishu-legacy": signed, "slack": signed, "webhook": signed,
	}
	each(t, func(t *testing.T, kind string, o *office) {
		a := o.ask()
		o.rounds(1)
		cases := map[standin.Tamper]int{standin.Token: 401, standin.Chat: 403, standin.Message: 200, standin.App: 403}
		switch kind {
		case "feishu-legacy": // which does not name its app
			delete(cases, standin.App)
		case "slack":
			cases = map[standin.Tamper]int{standin.App: 403, standin.Team: 403, standin.Chat: 200, standin.Message: 200}
		case "webhook":
			cases = map[standin.Tamper]int{standin.Token: 409}
		}
		for tamper, status := range want[kind] {
			cases[tamper] = status
		}
		for tamper, status := range cases {
			got := o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve", Tamper: tamper})
			if got.Status != status {
				t.Errorf("%s: status %d, want %d: %s", tamper, got.Status, status, got.Raw)
			}
			if now := o.get(a.ID); now.State != store.Pending || len(now.Votes) > 0 {
				t.Fatalf("%s: it is %s", tamper, now.State)
			}
		}
		if got := o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"}); o.get(a.ID).State != store.Approved {
			t.Errorf("the real click: %+v", got)
		}
	})
}

// refusal is how a platform shows that a click does not count: a status, or a
// word in what the person is told.
func (o *office) refusal(t *testing.T, kind string, got standin.Answer, status int, word string) {
	t.Helper()
	if kind == "feishu-legacy" && got.Status == 0 {
		return // the card was updated meanwhile, and has no button any more
	}
	said := got.Raw
	if kind == "slack" {
		list := o.there.Slack.Whispers(1)
		said = list[len(list)-1]
	}
	if kind == "webhook" && got.Status != status {
		t.Errorf("status %d, want %d: %s", got.Status, status, said)
	}
	if !strings.Contains(said, word) || kind != "webhook" && got.Status != 200 {
		t.Errorf("status %d, %q does not say %q", got.Status, said, word)
	}
}

// FIM-25, FIM-29, channels-wire: who may not decide does not; the first decision stands; late
// is late.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		user, word string
		status     int
		before     func(o *office, kind string, a *store.Approval)
	}{
		"no approver": {"di", "not a known approver", 403, nil},
		"requester":   {"cy", "asked for this", 403, nil},
		"expired":     {"al", "expired", 410, func(o *office, _ string, _ *store.Approval) { o.later(11 * time.Minute) }},
		"decided": {"bo", "decided", 409, func(o *office, kind string, a *store.Approval) {
			o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
		}},
		"twice": {"al", "decided", 409, func(o *office, kind string, a *store.Approval) {
			o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
		}},
		"edited": {"al", "review it again", 409, func(o *office, _ string, a *store.Approval) {
			_, err := o.Store.Change(o.t.Context(), a.ID, func(a *store.Approval) (_ []store.Note, err error) {
				a.Edit, err = approvals.EditOf(a, map[string]any{"amount": int64(1)})
				return nil, err
			})
			if err != nil {
				o.t.Fatal(err)
			}
		}},
		"cancelled": {"al", "cancelled", 409, func(o *office, _ string, a *store.Approval) {
			if err := o.Cancel(o.t.Context(), a.ID, "no longer wanted"); err != nil {
				o.t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, kind string, o *office) {
				a := o.ask()
				o.rounds(1)
				if c.before != nil {
					c.before(o, kind, a)
				}
				before := o.get(a.ID)
				got := o.click(kind, standin.Click{Approval: a.ID, User: c.user, Decision: "approve"})
				o.refusal(t, kind, got, c.status, c.word)
				if card := name == "expired" && kind == "feishu"; card && !strings.Contains(got.Raw, `"template":"grey"`) {
					t.Errorf("the card does not show that it is over: %s", got.Raw)
				}
				if name == "expired" {
					before.State = store.Expired // it stays over, whatever becomes of the clock
				}
				if after := o.get(a.ID); after.State != before.State || len(after.Votes) != len(before.Votes) {
					t.Errorf("it was %s and is %s", before.State, after.State)
				}
			})
		})
	}
}

// channels-wire: the same callback a second time is answered as the first was,
// and counts once (APR-02).
func TestReplay(t *testing.T) {
	each(t, func(t *testing.T, kind string, o *office) {
		o.terms = func(n *store.Needs) { n.Factors[0].N = 2 }
		a := o.ask()
		o.rounds(1)
		c := standin.Click{Approval: a.ID, User: "al", Decision: "approve", ID: "the-same"}
		first := o.click(kind, c)
		second := o.click(kind, c)
		if first.Status != 200 || second.Status != 200 || first.Raw != second.Raw {
			t.Errorf("%+v, then %+v", first, second)
		}
		if now := o.get(a.ID); len(now.Votes) != 1 || now.State != store.Pending {
			t.Errorf("%s %v", now.State, now.Votes)
		}
	})
}

// A request that the store does not know, and one that was not sent through
// this channel, is not decided through it.
func TestForeign(t *testing.T) {
	each(t, func(t *testing.T, kind string, o *office) {
		a := o.ask()
		o.rounds(1)
		_, err := o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) {
			a.Deliveries[0].Channel = "another"
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		got := o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
		o.refusal(t, kind, got, 404, "no such request")
		if o.get(a.ID).State != store.Pending {
			t.Error("a foreign channel decided")
		}
		o.Service.Store = newOffice(t).Service.Store // which is empty
		got = o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
		o.refusal(t, kind, got, 404, "no such request")
	})
}

// FIM-29, approvals 2.4: of an approval and a rejection from two channels at once, one
// stands, and all messages show which (APR-03).
func TestRace(t *testing.T) {
	o := newOffice(t, "feishu-encrypted", "slack", "webhook")
	for range 5 {
		a := o.ask()
		o.rounds(1)
		var wg sync.WaitGroup
		wg.Go(func() { o.click("slack", standin.Click{Approval: a.ID, User: "al", Decision: "approve"}) })
		wg.Go(func() { o.click("feishu-encrypted", standin.Click{Approval: a.ID, User: "bo", Decision: "reject"}) })
		wg.Wait()
		a = o.get(a.ID)
		if a.State == store.Pending || len(a.Votes) != 1 {
			t.Fatalf("%s %v", a.State, a.Votes)
		}
		o.rounds(1)
		for _, kind := range []string{"feishu-encrypted", "slack", "webhook"} {
			if shown := o.shown(kind, a.ID); !strings.Contains(shown, "by "+a.Votes[0].Approver) {
				t.Errorf("%s shows %s", kind, shown)
			}
		}
	}
}
