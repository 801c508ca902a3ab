package deliver_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/standin"
)

func (o *office) send(method, name, body string) (status int, said string) {
	o.t.Helper()
	req, _ := http.NewRequest(method, o.callback.URL+"/v1/channels/"+name+"/callback", strings.NewReader(body))
	got, err := http.DefaultClient.Do(req)
	if err != nil {
		o.t.Fatal(err)
	}
	defer got.Body.Close()
	text, _ := io.ReadAll(got.Body)
	return got.StatusCode, string(text)
}

// Whatever arrives at a callback without proof is refused: other methods (a
// link that a scanner follows is a GET), other channels, too much.
func TestStrangers(t *testing.T) {
	o := newOffice(t, "feishu", "slack", "webhook")
	for _, c := range []struct {
		method, name, body string
		status             int
	}{
		{"GET", "slack", "", 405}, {"HEAD", "feishu", "", 405}, {"PUT", "webhook", "{}", 405},
		{"POST", "nowhere", "{}", 404},
		{"POST", "slack", "", 401}, {"POST", "feishu", "", 401}, {"POST", "webhook", "", 401},
		{"POST", "feishu", `{"header":{},"event":{"action":{}}}`, 401}, {"POST", "feishu", `{"encrypt":"AAAA"}`, 401},
		{"POST", "webhook", strings.Repeat("x", 300<<10), 413}, {"POST", "slack", strings.Repeat("x", 300<<10), 413},
	} {
		if status, said := o.send(c.method, c.name, c.body); status != c.status {
			t.Errorf("%s %s %.40s: %d %s, want %d", c.method, c.name, c.body, status, said, c.status)
		}
	}
}

// channels-wire: the question whether an address is ours is answered to who
// knows the token.
func TestChallenge(t *testing.T) {
	const question = `{"challenge":"ajls384kdjx98XX","token":"vtok","type":"url_verification"}`
	plain, sealed := newOffice(t, "feishu"), newOffice(t, "feishu-encrypted")
	for _, c := range []struct {
		o          *office
		name, body string
		status     int
	}{
		{plain, "feishu", question, 200},
		{plain, "feishu", strings.Replace(question, "vtok", "other", 1), 401},
		{sealed, "feishu-encrypted", `{"encrypt":"` + standin.Encrypt("ek-123", []byte(question)) + `"}`, 200},
		{sealed, "feishu-encrypted", `{"encrypt":"` + standin.Encrypt("other", []byte(question)) + `"}`, 401},
		{plain, "feishu", `{"encrypt":"` + standin.Encrypt("ek-123", []byte(question)) + `"}`, 401},
	} {
		status, said := c.o.send("POST", c.name, c.body)
		if status != c.status || (status == 200) != (said == `{"challenge":"ajls384kdjx98XX"}`) {
			t.Errorf("%s: %d %s", c.body, status, said)
		}
	}
}

// locked is a store that cannot take anything at the moment.
type locked struct{ store.Store }

func (locked) Change(context.Context, string, func(*store.Approval) ([]store.Note, error)) (*store.Approval, error) {
	return nil, context.DeadlineExceeded
}

// A vote that the store could not take is not lost: the platform is told so,
// and the same callback counts when it comes again.
func TestStoreFails(t *testing.T) {
	each(t, func(t *testing.T, kind string, o *office) {
		a := o.ask()
		o.rounds(1)
		good := o.Service.Store
		o.Service.Store = locked{good}
		c := standin.Click{Approval: a.ID, User: "al", Decision: "approve", ID: "one"}
		if got := o.click(kind, c); got.Status != 503 {
			t.Errorf("%+v", got)
		}
		o.Service.Store = good
		if got := o.click(kind, c); got.Status != 200 || o.get(a.ID).State != store.Approved {
			t.Errorf("%+v", got)
		}
	})
}

// A callback whose server died while it handled it can be handled again, after
// a while, and not before.
func TestDiedWhileHandling(t *testing.T) {
	o := newOffice(t, "webhook")
	a := o.ask()
	o.rounds(1)
	good := o.Service.Store
	o.Service.Store = dies{good}
	func() {
		defer func() { _ = recover() }()
		o.intake.Take(t.Context(), "webhook", &channels.Decision{Approval: a.ID, Nonce: a.Nonce, Digest: a.Digest, Approve: true,
			Identity: "webhook:al", Event: "one"})
	}()
	o.Service.Store = good
	c := standin.Click{Approval: a.ID, User: "al", Decision: "approve", ID: "one"}
	if got := o.click("webhook", c); got.Status != 409 {
		t.Errorf("%+v", got)
	}
	o.later(time.Minute)
	if got := o.click("webhook", c); got.Status != 200 || o.get(a.ID).State != store.Approved {
		t.Errorf("%+v", got)
	}
}

// dies is a store whose server loses its power when it writes.
type dies struct{ store.Store }

func (dies) Change(context.Context, string, func(*store.Approval) ([]store.Note, error)) (*store.Approval, error) {
	panic("power failure")
}

// An id that was used for one decision does not answer for another.
func TestSameID(t *testing.T) {
	o := newOffice(t, "webhook")
	a, b := o.ask(), o.ask()
	o.rounds(1)
	for _, c := range []struct {
		approval string
		status   int
	}{{a.ID, 200}, {b.ID, 409}, {a.ID, 200}} {
		if got := o.click("webhook", standin.Click{Approval: c.approval, User: "al", Decision: "approve", ID: "one"}); got.Status != c.status {
			t.Errorf("%+v, want %d", got, c.status)
		}
	}
	if o.get(b.ID).State != store.Pending {
		t.Error("the second counted")
	}
}

// An approver's system can change the arguments; guards have their say first.
func TestEdit(t *testing.T) {
	o := newOffice(t, "webhook")
	o.intake.Edit = func(_ context.Context, a *store.Approval, args []byte) (*store.Edit, error) {
		if strings.Contains(string(args), "70000") {
			return nil, &approvals.Refusal{Code: approvals.RefusedGuard, Detail: "a guard denies it"}
		}
		return approvals.NewEdit(a, args)
	}
	a := o.ask()
	o.rounds(1)
	send := func(amount, who, digest string) standin.Answer {
		return o.there.Webhook.Send(standin.Click{}, `{"type":"approval.decision","data":{"approval_id":"`+a.ID+`","nonce":"`+a.Nonce+
			`","args_sha256":"`+digest+`","decision":"approve","decider":{"id":"`+who+`"},"edited_args":{"amount":`+amount+`,"n":1}}}`)
	}
	if got := send("70000", "al", a.Digest); got.Status != 422 || o.get(a.ID).Edit != nil {
		t.Errorf("%+v", got)
	}
	if got := send(`"[REDACTED:password]"`, "al", a.Digest); got.Status != 422 || !strings.Contains(got.Raw, "a mask") {
		t.Errorf("%+v", got)
	}
	if got := send("50000", "di", a.Digest); got.Status != 403 || o.get(a.ID).Edit != nil {
		t.Errorf("%+v", got)
	}
	if got := send("50000", "al", a.Digest); got.Status != 200 {
		t.Errorf("%+v", got)
	}
	if now := o.get(a.ID); now.State != store.Approved || string(now.Edit.Args) != `{"amount":50000,"n":1}` {
		t.Errorf("%s %+v", now.State, now.Edit)
	}
}
