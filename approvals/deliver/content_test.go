package deliver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/standin"
)

// approvals, full visibility: who cannot see the whole call in the message, nor
// on a page, cannot approve it with a click. Rejecting is always possible.
func TestTooLong(t *testing.T) {
	for _, c := range []struct {
		size    int
		public  string
		approve map[string]bool
	}{
		{1000, "", map[string]bool{"slack": true, "feishu": true}},
		{9_000, "", map[string]bool{"slack": true, "feishu": true}},
		{20_000, "", map[string]bool{"slack": false, "feishu": true}},
		{60_000, "", map[string]bool{"slack": false, "feishu": false}},
		{200_000, "", map[string]bool{"slack": false, "feishu": false}},
		{200_000, "https://trammel.example", map[string]bool{"slack": true, "feishu": true}},
	} {
		o := newOffice(t, "slack", "feishu")
		o.public = c.public
		o.restart()
		o.args = map[string]any{"text": strings.Repeat("0123456789", c.size/10) + "THE END"}
		a := o.ask()
		o.rounds(1)
		for kind, approve := range c.approve {
			shown := o.shown(kind, a.ID)
			link := c.public != "" && strings.Contains(shown, c.public+"/approvals/"+a.ID)
			if whole := strings.Contains(shown, "THE END"); approve && !whole && !link {
				t.Errorf("%d bytes in %s: approvable, but not whole", c.size, kind)
			}
			got := o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "approve"})
			if (got.Status == 200) != approve {
				t.Errorf("%d bytes in %s: %+v, want a button: %v", c.size, kind, got, approve)
			}
			how := "trammel approvals show"
			if c.public != "" {
				how = "before you approve"
			}
			whole := strings.Contains(shown, "THE END")
			if !whole && (!strings.Contains(shown, "too long") || !strings.Contains(shown, how)) {
				t.Errorf("%d bytes in %s: it does not say why, or where to look", c.size, kind)
			}
		}
	}
	o := newOffice(t, "slack", "feishu")
	o.args = map[string]any{"text": strings.Repeat("x", 300_000)}
	a := o.ask()
	o.rounds(1)
	o.click("slack", standin.Click{Approval: a.ID, User: "al", Decision: "reject"})
	if o.get(a.ID).State != store.Rejected {
		t.Error("it could not be rejected")
	}
}

// What a model writes is no markup on any platform, hides nothing, and shows no
// secret, in whatever field it stands (APR-15). The stand-in checks the markup.
func TestForeignText(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes with the race detector")
	}
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	unseen := []string{token, "\u202e", "\u2066", "\u200d", "\ufeff", "\u00ad", "\u3164", "\U000e0041", "\x1b", "\x00", `\u001b`, `\u0000`,
		`\x1b`}
	for _, text := range []string{"<!channel> <@U1> <https://evil|safe>", "```\n*Approved*\n```", "`a` ``b`` ```", "<at id=all></at>",
		"**b** [x](http://e) ![i](k)", "a\u202eb\x1b[2J\x00\u2066\u200d\ufeff\u00ad\u3164\U000e0041", "</font><font color='red'>", token,
		"&lt;!here&gt;", strings.Repeat("`", 5000), strings.Repeat("<", 5000), strings.Repeat("&", 9000), strings.Repeat("价", 4000),
		strings.Repeat("\u202e", 3000), strings.Repeat("<!channel> ", 10_000), strings.Repeat("\"\\\n", 3000)} {
		o := newOffice(t, "slack", "feishu", "webhook")
		o.args = map[string]any{"text": text, "list": []any{text}, text: int64(1)}
		o.terms = func(n *store.Needs) { n.Factors[0].N = 2 }
		a := o.ask()
		foul := func() {
			if _, err := o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) {
				a.Tool, a.Summary, a.Reason, a.Agent, a.Hook, a.Dir, a.Source, a.User = text, text, text, text, text, text, text, text
				a.Parents, a.Effects = []string{text, text}, []string{text}
				for i := range a.Votes {
					a.Votes[i].Comment = text
				}
				return nil, nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		foul()
		o.rounds(1)
		if _, err := o.Decide(t.Context(), approvals.Decision{Approval: a.ID, Nonce: a.Nonce, Digest: a.Digest, Approve: true,
			Identity: "slack:T1/al", Signer: o.key}); err == nil {
			t.Error("the tool is another, and it was approved")
		}
		if _, err := o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) {
			a.Votes = []store.Vote{{Approver: "al", Approve: true}, {Approver: "bo", Approve: false}}
			return nil, nil
		}); err != nil {
			t.Fatal(err)
		}
		foul()
		o.rounds(1)
		for _, kind := range []string{"slack", "feishu"} {
			shown := o.shown(kind, a.ID)
			for _, never := range unseen {
				if strings.Contains(shown, never) {
					t.Errorf("%s shows %q of %.40q", kind, never, text)
				}
			}
		}
		for _, c := range o.there.Calls("/hook") {
			if strings.Contains(string(c.Raw), token) {
				t.Errorf("the webhook was told %q", text)
			}
		}
	}
}

// However many have voted, a message says what is special about its arguments.
func TestRemarksStay(t *testing.T) {
	o := newOffice(t, "slack", "feishu")
	o.args = map[string]any{"token": "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "text": "a\u202eb"}
	a := o.ask()
	if _, err := o.Store.Change(t.Context(), a.ID, func(a *store.Approval) ([]store.Note, error) {
		for i := range 20 {
			a.Votes = append(a.Votes, store.Vote{Approver: fmt.Sprint("voter", i), Approve: true})
		}
		return nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	o.rounds(1)
	for _, kind := range []string{"slack", "feishu"} {
		for _, says := range []string{"1 value is masked", "1 invisible character"} {
			if shown := o.shown(kind, a.ID); !strings.Contains(shown, says) {
				t.Errorf("%s does not say %q: %s", kind, says, shown)
			}
		}
	}
}

// channels-wire: what a webhook is told, field by field.
func TestWebhookBody(t *testing.T) {
	o := newOffice(t, "webhook")
	o.public = "https://trammel.example"
	o.restart()
	a := o.ask()
	o.rounds(1)
	_, m := o.there.Webhook.Received(a.ID)
	data := m["data"].(map[string]any)
	for key, want := range map[string]any{"approval_id": a.ID, "nonce": a.Nonce, "tool": "pay", "args_sha256": a.Digest,
		"args_truncated": false,
		"reason":         "payments over 50k", "decision_url": "https://trammel.example/v1/channels/webhook/callback", "status": "pending",
		"expires_at": "2023-11-14T22:23:20.000000Z"} {
		if data[key] != want {
			t.Errorf("%s is %v, want %v", key, data[key], want)
		}
	}
	if m["type"] != "approval.requested" || m["timestamp"] != "2023-11-14T22:13:20Z" {
		t.Errorf("%v %v", m["type"], m["timestamp"])
	}
	for _, key := range []string{"args", "requester", "policy", "required"} {
		if _, ok := data[key].(map[string]any); !ok {
			t.Errorf("%s is %v", key, data[key])
		}
	}
	for _, c := range []struct {
		body   string
		status int
	}{
		{`{`, 422}, {`{}`, 422}, {`[]`, 422},
		{`{"type":"approval.decision"}`, 422},
		{`{"type":"other","data":{}}`, 422},
		{`{"type":"approval.decision","data":{"approval_id":"` + a.ID + `","decision":"maybe","decider":{"id":"al"}}}`, 422},
		{`{"type":"approval.decision","data":{"approval_id":"` + a.ID + `","decision":"approve","decider":{"id":""}}}`, 422},
		{`{"type":"approval.decision","data":{"approval_id":"` + a.ID + `","decision":"approve","decision":"reject","decider":{"id":"al"}}}`,
			422},
		{`{"type":"approval.decision","data":{"approval_id":"` + a.ID + `","decision":"approve","decider":{"id":"al"},"surprise":1}}`, 422},
		{`{"type":"approval.decision","data":{"approval_id":"apr_x","decision":"approve","decider":{"id":"al"}}}`, 404},
		{`{"type":"approval.decision","data":{"approval_id":"` + a.ID + `","decision":"approve","decider":{"id":"al"}}}`, 409},
		{`{"type":"approval.decision","data":{"approval_id":"` + a.ID + `","nonce":"` + a.Nonce +
			`","args_sha256":"00","decision":"approve","decider":{"id":"al"}}}`, 409},
		{`{"type":"approval.decision","data":{"approval_id":"` + a.ID + `","nonce":"` + a.Nonce + `","args_sha256":"` + a.Digest +
			`","decision":"approve","decider":{"id":"al"},"edited_args":{"amount":1}}}`, 422},
		{`{"type":"approval.decision","data":{"approval_id":"` + a.ID + `","nonce":"` + a.Nonce + `","args_sha256":"` + a.Digest +
			`","decision":"approve","decider":{"id":"al","display":"Al"},"comment":"ok"}}`, 200},
	} {
		if got := o.there.Webhook.Send(standin.Click{}, c.body); got.Status != c.status {
			t.Errorf("%s\nis answered %d %s, want %d", c.body, got.Status, got.Raw, c.status)
		}
	}
	if o.get(a.ID).State != store.Approved {
		t.Error("the one good decision did not count")
	}
}

// A reason that is needed is asked for, wherever somebody rejects.
func TestReasonNeeded(t *testing.T) {
	each(t, func(t *testing.T, kind string, o *office) {
		o.terms = func(n *store.Needs) { n.Comment = true }
		a := o.ask()
		o.rounds(1)
		got := o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "reject"})
		if !strings.Contains(got.Raw, "needs a reason") || o.get(a.ID).State != store.Pending {
			t.Errorf("%+v", got)
		}
		o.click(kind, standin.Click{Approval: a.ID, User: "al", Decision: "reject", Comment: "too much"})
		if o.get(a.ID).State != store.Rejected {
			t.Error("with a reason it was not rejected")
		}
	})
}

// If Slack cannot open the dialog, the rejection counts without a reason.
func TestNoDialog(t *testing.T) {
	o := newOffice(t, "slack")
	a := o.ask()
	o.rounds(1)
	o.there.Fail("views.open", 1, standin.Fault{Error: "expired_trigger_id"})
	o.there.Slack.Click(standin.Click{Approval: a.ID, User: "al", Decision: "reject"})
	if o.get(a.ID).State != store.Rejected {
		t.Error("a rejection was lost")
	}
}
