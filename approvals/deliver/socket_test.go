package deliver_test

import (
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/standin"
)

// connected is an office that listens to Slack over a socket.
func connected(t *testing.T) *office {
	o := newOffice(t, "slack-socket")
	go func() { _ = o.worker.Run(t.Context()) }()
	return o
}

// told asks, and waits until the message is out and somebody listens.
func (o *office) told() *store.Approval {
	o.t.Helper()
	a := o.ask()
	waitFor(o.t, func() bool { return o.delivery(a.ID, "slack-socket").State == "sent" })
	o.there.Slack.Connected()
	return a
}

// Socket Mode: clicks and dialogs come over a socket that we open, and again
// after Slack has closed it.
func TestSocketMode(t *testing.T) {
	o := connected(t)
	for _, decision := range []string{"approve", "reject"} {
		a := o.told()
		o.click("slack-socket", standin.Click{Approval: a.ID, User: "al", Decision: "approve", Tamper: standin.Message})
		if o.get(a.ID).State != store.Pending {
			t.Error("a foreign message decided")
		}
		o.click("slack-socket", standin.Click{Approval: a.ID, User: "al", Decision: decision, Comment: "no"})
		if got := o.get(a.ID); len(got.Votes) != 1 || got.Votes[0].Approve != (decision == "approve") {
			t.Errorf("%s: %s %v", decision, got.State, got.Votes)
		}
		o.there.Slack.Disconnect()
	}
	o.there.Slack.Connected()
	if n := len(o.there.Calls("apps.connections.open")); n < 3 {
		t.Errorf("%d connections", n)
	}
}

// What Slack sends a second time counts once.
func TestSocketReplay(t *testing.T) {
	o := connected(t)
	o.terms = func(n *store.Needs) { n.Factors[0].N = 2 }
	a := o.told()
	for range 2 {
		o.click("slack-socket", standin.Click{Approval: a.ID, User: "al", Decision: "approve", ID: "1700000009.1"})
	}
	if got := o.get(a.ID); len(got.Votes) != 1 || got.State != store.Pending {
		t.Errorf("%s %v", got.State, got.Votes)
	}
}

// A click that takes its time does not keep another waiting: each has to be
// acknowledged within three seconds.
func TestSocketAtOnce(t *testing.T) {
	o := connected(t)
	a, b := o.told(), o.told()
	o.there.Fail("views.open", 1, standin.Fault{Hang: true})
	var group sync.WaitGroup
	group.Go(func() { o.there.Slack.Click(standin.Click{Approval: a.ID, User: "al", Decision: "reject"}) })
	waitFor(t, func() bool { return len(o.there.Calls("views.open")) > 0 })
	began := time.Now()
	o.there.Slack.Click(standin.Click{Approval: b.ID, User: "al", Decision: "approve"})
	if took := time.Since(began); took > time.Minute || o.get(b.ID).State != store.Approved {
		t.Errorf("it took %s, and is %s", took, o.get(b.ID).State)
	}
	o.there.Slack.Disconnect() // what was begun is brought to its end
	group.Wait()
	if o.get(a.ID).State != store.Rejected {
		t.Errorf("the other is %s", o.get(a.ID).State)
	}
}

// A Slack that ends each connection at once is not asked for one all the time.
func TestSocketThatEnds(t *testing.T) {
	o := newOffice(t, "slack-socket")
	o.there.Slack.EndAtOnce(1000)
	began := time.Now()
	go func() { _ = o.worker.Run(t.Context()) }()
	waitFor(t, func() bool { return len(o.there.Calls("apps.connections.open")) > 2 })
	if took := time.Since(began); took < 1500*time.Millisecond {
		t.Errorf("three connections within %s", took)
	}
}
