package deliver_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/standin"
)

// A message that somebody has deleted is sent again while people can decide, and
// can be answered. Afterwards it is not sent again.
func TestDeletedMessage(t *testing.T) {
	for kind, lose := range map[string]func(o *office, id string){
		"slack":  func(o *office, id string) { o.there.Slack.Delete(id) },
		"feishu": func(o *office, id string) { o.there.Feishu.Delete(id) },
	} {
		t.Run(kind, func(t *testing.T) {
			o := newOffice(t, kind)
			o.terms = func(n *store.Needs) { n.Reminders = []time.Duration{time.Minute} }
			a := o.ask()
			o.rounds(1)
			first := o.delivery(a.ID, kind)
			lose(o, a.ID)
			o.later(time.Minute)
			if err := o.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			o.rounds(1)
			if d := o.delivery(a.ID, kind); d.State != "sent" || d.Ref == first.Ref || d.Ref == "" {
				t.Fatalf("%+v, and before %+v", d, first)
			}
			o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
			if o.get(a.ID).State != store.Approved {
				t.Error("the new message could not be answered")
			}
			lose(o, a.ID)
			calls := len(o.there.Calls("/"))
			o.rounds(3)
			if d, n := o.delivery(a.ID, kind), len(o.there.Calls("/"))-calls; d.State != "final" || n != 1 {
				t.Errorf("%+v after %d calls", d, n)
			}
		})
	}
}

// A request that could not be told, and is decided elsewhere, is not told later:
// there is no message to bring up to date.
func TestDecidedBeforeItWasTold(t *testing.T) {
	o := newOffice(t, "slack", "webhook")
	o.there.Fail("postMessage", 1, standin.Fault{Error: "fatal_error"})
	a := o.ask()
	_ = o.round()
	o.rounds(1) // the other channel
	o.click("webhook", standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
	o.later(time.Minute)
	o.rounds(2)
	if d := o.delivery(a.ID, "slack"); d.State != "final" || len(o.there.Calls("chat.update")) > 0 {
		t.Errorf("%+v", d)
	}
}

// channels-wire: a platform says when to try again, in seconds or as a date,
// but no retry waits for more than an hour.
func TestRetryAfter(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for text, want := range map[string]time.Duration{"": time.Second, "nonsense": time.Second, "0": time.Second, "-5": time.Second, "90": 90 *
		time.Second, now.Add(2 * time.Minute).UTC().Format(http.TimeFormat): 2 * time.Minute, "86400": time.Hour,
		"99999999999999999999": time.Second, now.Add(-time.Hour).UTC().Format(http.TimeFormat): time.Second} {
		for kind, path := range map[string]string{"feishu": "/im/v1/messages", "slack": "chat.postMessage", "webhook": "/hook"} {
			if kind != "webhook" && text != "90" {
				continue // they have it from the same place
			}
			for _, status := range []int{429, 503} {
				o := newOffice(t, kind)
				o.there.Fail(path, 1, standin.Fault{Status: status, RetryAfter: text})
				a := o.ask()
				_ = o.round()
				if got := o.delivery(a.ID, kind).Next.Sub(o.now()); got != want {
					t.Errorf("%s, status %d, Retry-After %q: %s, want %s", kind, status, text, got, want)
				}
			}
		}
	}
}

// A token that is refused in whatever words is renewed, once.
func TestTokenRefused(t *testing.T) {
	o := newOffice(t, "feishu")
	o.there.Fail("/im/v1/messages", 1, standin.Fault{Status: 401, Code: 99991661})
	a := o.ask()
	o.rounds(1)
	if n, d := o.there.Feishu.Tokens(), o.delivery(a.ID, "feishu"); n != 2 || d.State != "sent" {
		t.Errorf("%d tokens, %+v", n, d)
	}
}

// With an encrypt key, nothing that is signed with less is believed: not even
// the shape of older cards, which is signed with the token.
func TestNoDowngrade(t *testing.T) {
	o := newOffice(t, "feishu-encrypted")
	a := o.ask()
	o.rounds(1)
	got := o.there.Feishu.Click(standin.Click{Approval: a.ID, User: "al", Decision: "approve"}, standin.Shape{Legacy: true})
	if got.Status != 401 || o.get(a.ID).State != store.Pending {
		t.Errorf("%+v", got)
	}
}

// What a platform does not take as it is, it gets in its short form, without a
// button that approves.
func TestRefusedForItsLength(t *testing.T) {
	for kind, fault := range map[string]standin.Fault{"slack": {Error: "invalid_blocks"}, "feishu": {Status: 400, Code: 230099}} {
		o := newOffice(t, kind)
		o.there.Fail(map[string]string{"slack": "postMessage", "feishu": "/im/v1/messages"}[kind], 1, fault)
		a := o.ask()
		o.rounds(1)
		shown := o.shown(kind, a.ID)
		if d := o.delivery(a.ID, kind); d.State != "sent" || !strings.Contains(shown, "too long") || strings.Contains(shown, "pprove_") {
			t.Errorf("%+v %s", d, shown)
		}
		if got := o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"}); got.Status != 0 {
			t.Errorf("%s: there is a button that approves", kind)
		}
	}
}

// A message that failed while the clock was a day ahead is tried again at once
// when the clock is right.
func TestTheClockWasAheadOfADelivery(t *testing.T) {
	o := newOffice(t, "slack")
	a := o.ask()
	o.later(24 * time.Hour)
	o.there.Fail("postMessage", 1, standin.Fault{Error: "fatal_error"})
	_ = o.round()
	if d := o.delivery(a.ID, "slack"); d.State != "failed" {
		t.Fatalf("%+v", d)
	}
	o.later(-24 * time.Hour)
	o.rounds(1)
	if d := o.delivery(a.ID, "slack"); d.State != "sent" {
		t.Errorf("%+v", d)
	}
}

// The message of a finished request is not tried for ever.
func TestLastAttempt(t *testing.T) {
	o := newOffice(t, "webhook")
	a := o.ask()
	o.rounds(1)
	o.there.Fail("/hook", 100, standin.Fault{Status: 503})
	if err := o.Cancel(t.Context(), a.ID, "no longer wanted"); err != nil {
		t.Fatal(err)
	}
	before := len(o.there.Calls("/hook"))
	for range 20 {
		_ = o.round()
		o.later(time.Hour)
	}
	if d, n := o.delivery(a.ID, "webhook"), len(o.there.Calls("/hook"))-before; d.State != "final" || n != 12 {
		t.Errorf("%+v after %d calls", d, n)
	}
}
