package deliver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
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

// Who uses another method learns which one counts.
func TestAllowedMethod(t *testing.T) {
	o := newOffice(t, "webhook")
	got, err := http.Get(o.callback.URL + "/v1/channels/webhook/callback")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusMethodNotAllowed || got.Header.Get("Allow") != http.MethodPost {
		t.Errorf("%d, Allow %q", got.StatusCode, got.Header.Get("Allow"))
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
// a while, and not before. It does not wait for a clock that was set back.
func TestDiedWhileHandling(t *testing.T) {
	for _, wait := range []time.Duration{time.Minute, -time.Minute} {
		o := newOffice(t, "webhook")
		a := o.ask()
		o.rounds(1)
		o.later(2 * time.Minute)
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
		o.later(wait)
		if got := o.click("webhook", c); got.Status != 200 || o.get(a.ID).State != store.Approved {
			t.Errorf("%v later: %+v", wait, got)
		}
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

// channels-wire, "remember": an approver's system can have calls like this one
// pass for a while. It is told which those are; and who could not decide alone,
// or says something else with it, grants nothing and has not voted (APR-18).
func TestRemember(t *testing.T) {
	o := newOffice(t, "webhook")
	callPattern := func(a *store.Approval) (approvals.CallPattern, error) {
		ev, err := approvals.EventOf(a, trammel.Shapes{})
		if err != nil {
			return approvals.CallPattern{}, err
		}
		return approvals.PatternOf(ev)
	}
	o.callPattern = callPattern
	o.restart()
	a := o.ask()
	o.rounds(1)
	_, m := o.there.Webhook.Received(a.ID)
	if lines := fmt.Sprint(m["data"].(map[string]any)["remember"]); lines != "[exactly these arguments]" {
		t.Errorf("the webhook was told that a grant is for %s", lines)
	}
	send := func(a *store.Approval, who, rest string) standin.Answer {
		return o.there.Webhook.Send(standin.Click{}, `{"type":"approval.decision","data":{"approval_id":"`+a.ID+`","nonce":"`+a.Nonce+
			`","args_sha256":"`+a.Digest+`","decider":{"id":"`+who+`"},`+rest+`}}`)
	}
	for _, c := range []struct {
		who, rest string
		status    int
	}{
		{"al", `"decision":"approve","remember":{"scope":"everything"}`, 422},
		{"al", `"decision":"approve","remember":{"scope":"session","ttl_s":0}`, 422},
		{"al", `"decision":"approve","remember":{"scope":"session","ttl_s":86401}`, 422},
		{"al", `"decision":"approve","remember":{"scope":"session","ttl_s":9223372036854775807}`, 422},
		{"al", `"decision":"approve","remember":{"scope":"session","for":5}`, 422},
		{"al", `"decision":"reject","remember":{"scope":"session"}`, 422},
		{"al", `"decision":"approve","remember":{"scope":"session"},"edited_args":{"amount":1,"n":1}`, 422},
		{"cy", `"decision":"approve","remember":{"scope":"session"}`, 403}, // who asked
		{"di", `"decision":"approve","remember":{"scope":"session"}`, 403},
	} {
		if got := send(a, c.who, c.rest); got.Status != c.status {
			t.Errorf("%s %s: %+v, want %d", c.who, c.rest, got, c.status)
		}
	}
	o.terms = func(n *store.Needs) { n.Factors[0].N = 2 }
	b := o.ask()
	o.rounds(1)
	if got := send(b, "al", `"decision":"approve","remember":{"scope":"project"}`); got.Status != 403 || !strings.Contains(got.Raw, "alone") {
		t.Errorf("two are needed, and one has granted: %+v", got)
	}
	grants, err := o.Store.Grants(t.Context())
	if err != nil || len(grants) > 0 || len(o.get(a.ID).Votes)+len(o.get(b.ID).Votes) > 0 {
		t.Fatalf("%v %v", grants, err)
	}
	got := send(a, "al", `"decision":"approve","comment":"today","remember":{"scope":"session","ttl_s":600}`)
	if grants, err = o.Store.Grants(t.Context()); err != nil || len(grants) != 1 || got.Status != 200 || o.get(a.ID).State != store.Approved {
		t.Fatalf("%+v %v %v", got, grants, err)
	}
	if g := grants[0]; g.By != "al" || g.Session != "s1" || g.Reason != "today" || g.Expires.Sub(o.now()) != 10*time.Minute || !o.Live(g) ||
		!strings.Contains(got.Raw, g.ID) {
		t.Errorf("%+v, and the answer is %s", g, got.Raw)
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
