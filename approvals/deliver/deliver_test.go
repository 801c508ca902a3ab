package deliver_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/deliver"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/standin"
)

// channels-wire: a message that cannot be sent decides nothing, is tried again
// later, and does not keep other channels waiting.
func TestSendFailure(t *testing.T) {
	for name, c := range map[string]struct {
		fault standin.Fault
		pause time.Duration
		says  string
	}{
		"server error": {standin.Fault{Status: 500, Code: 1, Error: "fatal_error"}, time.Second, ""},
		"not in chat":  {standin.Fault{Status: 400, Code: 230002, Error: "not_in_channel"}, time.Second, ""},
		"too many":     {standin.Fault{Status: 429, RetryAfter: "7"}, 7 * time.Second, "429"},
		"too many 2":   {standin.Fault{Code: 230020, Error: "ratelimited"}, 2 * time.Second, ""},
		"hangs":        {standin.Fault{Hang: true}, time.Second, "cannot reach"},
	} {
		for kind, path := range map[string]string{"feishu": "/im/v1/messages", "slack": "chat.postMessage", "webhook": "/hook"} {
			if kind == "webhook" && c.fault.Status == 0 && !c.fault.Hang {
				continue // 200 is delivered
			}
			t.Run(name+" "+kind, func(t *testing.T) {
				o := newOffice(t, kind, "feishu-encrypted")
				if kind == "feishu" {
					o = newOffice(t, kind, "slack")
				}
				if c.fault.Hang {
					o.timeout = time.Second
				}
				o.restart()
				o.there.Fail(path, 1, c.fault)
				a := o.ask()
				if err := o.round(); err == nil {
					t.Error("nobody was told that it failed")
				}
				d := o.delivery(a.ID, kind)
				if d.State != "failed" || d.Attempts != 1 || d.Next.Sub(o.now()) < c.pause || !strings.Contains(d.Error, c.says) {
					t.Errorf("%+v", d)
				}
				if len(o.get(a.ID).Deliveries) != 2 || o.get(a.ID).State != store.Pending {
					t.Errorf("%+v", o.get(a.ID))
				}
				o.timeout = time.Minute
				o.restart()
				o.rounds(1)
				if d := o.delivery(a.ID, kind); d.State != "failed" {
					t.Errorf("it was tried again at once: %+v", d)
				}
				o.later(10 * time.Second)
				o.rounds(1)
				if d := o.delivery(a.ID, kind); d.State != "sent" || d.Error != "" {
					t.Errorf("%+v", d)
				}
				o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
				if o.get(a.ID).State != store.Approved {
					t.Error("the message that came late could not be answered")
				}
			})
		}
	}
}

// One message that a platform does not take stops none of those behind it, and a
// platform that takes none is not asked about each of them.
func TestOneBadMessage(t *testing.T) {
	for faults, want := range map[int]int{1: 4, 2: 3, 100: 0} {
		o := newOffice(t, "webhook")
		o.there.Fail("/hook", faults, standin.Fault{Status: 500})
		for range 5 {
			o.ask()
		}
		if err := o.round(); err == nil {
			t.Error("nobody was told that it failed")
		}
		if calls := len(o.there.Calls("/hook")); calls != min(faults, 3)+want {
			t.Errorf("%d faults: %d calls", faults, calls)
		}
	}
}

// A channel that hangs does not keep another one from telling people.
func TestOneChannelHangs(t *testing.T) {
	o := newOffice(t, "webhook", "slack")
	o.there.Fail("/hook", 100, standin.Fault{Hang: true})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- o.worker.Run(ctx) }()
	for range 3 {
		a := o.ask()
		waitFor(t, func() bool { return o.delivery(a.ID, "slack").State == "sent" })
		if d := o.delivery(a.ID, "webhook"); d.State == "sent" {
			t.Errorf("%+v", d)
		}
	}
	stop()
	<-done
}

// The pauses between attempts grow, and a webhook keeps its id.
func TestPauses(t *testing.T) {
	o := newOffice(t, "webhook")
	o.there.Fail("/hook", 6, standin.Fault{Status: 503})
	a := o.ask()
	for _, want := range []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 10 * time.Minute} {
		_ = o.round()
		got := o.delivery(a.ID, "webhook").Next.Sub(o.now())
		if got != want {
			t.Errorf("a pause of %s, want %s", got, want)
		}
		o.later(got)
	}
	o.rounds(1)
	ids := map[string]bool{}
	for _, c := range o.there.Calls("/hook") {
		ids[c.Header.Get("webhook-id")] = true
	}
	if n := len(o.there.Calls("/hook")); n != 7 || len(ids) != 1 {
		t.Errorf("%d calls with %d ids", n, len(ids))
	}
}

// FIM-30, channels-wire: a token that is not taken any more is renewed once.
func TestTokenRefresh(t *testing.T) {
	o := newOffice(t, "feishu")
	o.ask()
	o.rounds(1)
	o.ask()
	o.rounds(1)
	if n := o.there.Feishu.Tokens(); n != 1 {
		t.Errorf("%d tokens for two messages", n)
	}
	o.there.Feishu.ExpireToken()
	o.ask()
	o.rounds(1)
	if n, m := o.there.Feishu.Tokens(), o.there.Feishu.Messages(); n != 2 || m != 3 {
		t.Errorf("%d tokens, %d messages", n, m)
	}
	before := len(o.there.Calls("/im/v1/messages"))
	o.there.Fail("/im/v1/messages", 5, standin.Fault{Code: 99991664})
	o.ask()
	if err := o.round(); err == nil {
		t.Error("it did not fail")
	}
	if n := len(o.there.Calls("/im/v1/messages")) - before; n != 2 {
		t.Errorf("%d attempts, want 2", n)
	}
}

// A token is not used up to its very end.
func TestTokenRunsOut(t *testing.T) {
	o := newOffice(t, "feishu")
	for _, c := range []struct {
		later  time.Duration
		tokens int
	}{{0, 1}, {7139 * time.Second, 1}, {time.Second, 2}} {
		o.later(c.later)
		o.ask()
		o.rounds(1)
		if n := o.there.Feishu.Tokens(); n != c.tokens {
			t.Errorf("%s later: %d tokens, want %d", c.later, n, c.tokens)
		}
	}
}

// FIM-22, channels-wire: a restart between sending and clicking changes nothing, and no
// message is sent twice.
func TestRestart(t *testing.T) {
	each(t, func(t *testing.T, kind string, o *office) {
		a := o.ask()
		o.rounds(1)
		o.restart()
		o.rounds(2)
		if n := len(o.there.Calls("postMessage")) + len(o.there.Calls("/im/v1/messages")) + len(o.there.Calls("/hook")); n != 1 {
			t.Errorf("%d messages", n)
		}
		o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
		if o.get(a.ID).State != store.Approved {
			t.Error("the click did not count")
		}
		if kind == "feishu-legacy" { // its card changes after the answer to the click
			waitFor(t, func() bool { return strings.Contains(o.shown(kind, a.ID), "Approved by") })
		}
		o.later(6 * time.Minute) // nobody used it
		if err := o.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		o.restart()
		o.rounds(1)
		if d := o.delivery(a.ID, kind); d.State != "final" || !strings.Contains(o.shown(kind, a.ID), map[bool]string{true: "lapsed",
			false: "not used in time"}[kind == "webhook"]) {
			t.Errorf("%+v %s", d, o.shown(kind, a.ID))
		}
	})
}

// Several servers on one store send each message once.
func TestReplicas(t *testing.T) {
	o := newOffice(t, "slack")
	for range 12 {
		o.ask()
	}
	workers := []*deliver.Worker{o.worker}
	for range 3 {
		o.restart()
		workers = append(workers, o.worker)
	}
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() { _ = w.Round(t.Context()) })
	}
	wg.Wait()
	if n := o.there.Slack.Messages(); n != 12 {
		t.Errorf("%d messages for 12 requests", n)
	}
}

// A server that died while it sent is replaced, after a while. Feishu can tell
// that it has the message already.
func TestDiedWhileSending(t *testing.T) {
	o := newOffice(t, "feishu")
	a := o.ask()
	o.rounds(1)
	_, err := o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) {
		a.Deliveries[0] = store.Delivery{Channel: "feishu", State: "waiting", Attempts: 1, Next: store.At(o.now().Add(30 * time.Second))}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	o.rounds(1)
	if d := o.delivery(a.ID, "feishu"); d.State != "waiting" {
		t.Errorf("it was taken from a server that may be alive: %+v", d)
	}
	o.later(31 * time.Second)
	o.rounds(1)
	if d := o.delivery(a.ID, "feishu"); d.State != "sent" || d.Ref != "om_1" || o.there.Feishu.Messages() != 1 {
		t.Errorf("%+v, %d messages", d, o.there.Feishu.Messages())
	}
}

// A server that took longer than it may does not undo what another has done.
func TestTooSlow(t *testing.T) {
	o := newOffice(t, "slack")
	a := o.ask()
	o.worker.Channels["slack"] = slow{o.worker.Channels["slack"], func() {
		_, err := o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) {
			a.Deliveries[0].Next, a.Deliveries[0].Attempts = store.At(o.now().Add(time.Minute)), 2 // another has claimed it
			return nil, nil
		})
		if err != nil {
			t.Error(err)
		}
	}}
	o.rounds(1)
	if d := o.delivery(a.ID, "slack"); d.State != "waiting" || d.Attempts != 2 {
		t.Errorf("%+v", d)
	}
}

type slow struct {
	channels.Channel
	meanwhile func()
}

func (s slow) Deliver(ctx context.Context, a *store.Approval) (channels.Message, error) {
	s.meanwhile()
	return s.Channel.Deliver(ctx, a)
}

// A request that was decided before anybody was told is not told any more, and
// one whose policy names another channel is not told here.
func TestNothingToTell(t *testing.T) {
	o := newOffice(t, "slack", "webhook")
	a := o.ask()
	if err := o.Cancel(t.Context(), a.ID, "over"); err != nil {
		t.Fatal(err)
	}
	o.terms = func(n *store.Needs) { n.Channels = []string{"webhook"} }
	b := o.ask()
	o.rounds(1)
	o.terms = func(n *store.Needs) { n.Channels = []string{"slack"} }
	o.there.Fail("postMessage", 1, standin.Fault{Error: "fatal_error"})
	c := o.ask()
	_ = o.round()
	if err := o.Cancel(t.Context(), c.ID, "over"); err != nil {
		t.Fatal(err)
	}
	o.later(time.Minute)
	o.rounds(1)
	if d := o.delivery(c.ID, "slack"); d.State != "final" || d.Ref != "" {
		t.Errorf("%+v", d)
	}
	if types, _ := o.there.Webhook.Received(b.ID); o.there.Slack.Messages() != 0 || len(types) != 1 || len(o.there.Calls("/hook")) != 1 {
		t.Errorf("%d messages in Slack, %v", o.there.Slack.Messages(), types)
	}
}

// Each change is shown in place; reminders and escalations are also said again (APR-14, FIM-26).
func TestChanges(t *testing.T) {
	o := newOffice(t, "slack", "feishu", "webhook")
	o.terms = func(n *store.Needs) {
		n.Factors = []store.Factor{{Approvers: []string{"al", "bo"}, N: 2}}
		n.Reminders, n.Every, n.Escalate = []time.Duration{time.Minute}, 2*time.Minute, [][]string{{"cy"}}
	}
	a := o.ask()
	o.rounds(1)
	step := func(says string, do func()) {
		t.Helper()
		open := says != "Expired"
		do()
		o.rounds(1)
		for _, kind := range []string{"slack", "feishu"} {
			if shown := o.shown(kind, a.ID); !strings.Contains(shown, says) {
				t.Errorf("%s does not say %q: %s", kind, says, shown)
			} else if strings.Contains(shown, "Approval required") != open {
				t.Errorf("%s says that people can still decide, or not: %s", kind, shown)
			}
		}
	}
	sweep := func() {
		if err := o.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	step("waiting for more", func() { o.click("slack", standin.Click{Approval: a.ID, User: "al", Decision: "approve"}) })
	step("reminded", func() { o.later(61 * time.Second); sweep() })
	step("escalated", func() { o.later(61 * time.Second); sweep() })
	step("Expired", func() { o.later(10 * time.Minute); sweep() })
	if s, f := o.there.Slack.Messages(), o.there.Feishu.Messages(); s != 3 || f != 3 {
		t.Errorf("%d messages in Slack and %d in Feishu, want one and two reminders each", s, f)
	}
	types, _ := o.there.Webhook.Received(a.ID)
	if got := strings.Join(types, " "); got != "approval.requested approval.reminded approval.escalated approval.expired" {
		t.Error(got)
	}
}

// A webhook hears about every change, even one that happened between two polls.
func TestEveryStep(t *testing.T) {
	o := newOffice(t, "webhook")
	a := o.ask()
	o.rounds(1)
	o.click("webhook", standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
	_, err := o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) {
		a.State = store.Consumed
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	o.rounds(2)
	types, _ := o.there.Webhook.Received(a.ID)
	if got := strings.Join(types, " "); got != "approval.requested approval.approved approval.consumed" {
		t.Error(got)
	}
}

// A running worker is woken by what changes.
func TestRun(t *testing.T) {
	o := newOffice(t, "slack")
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- o.worker.Run(ctx) }()
	defer func() { stop(); <-done }()
	a := o.ask()
	waitFor(t, func() bool {
		_, ts := o.there.Slack.Message(a.ID)
		return ts != "" && o.delivery(a.ID, "slack").State == "sent"
	})
	o.click("slack", standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
	waitFor(t, func() bool { return strings.Contains(o.shown("slack", a.ID), "Approved by al") })
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for begin := time.Now(); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatal("it did not happen")
		}
	}
}
