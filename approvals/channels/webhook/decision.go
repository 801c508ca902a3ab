package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/store"
)

// VerifyAndParse implements channels.Answerer. The holder of the decision
// secret says who decided: that is the system that authenticates people.
func (w *webhook) VerifyAndParse(_ context.Context, c *channels.Callback) (*channels.Decision, *channels.Reply, error) {
	id, err := verify(w.in, c.Header, c.Body, w.env.Now())
	if err != nil {
		return nil, nil, err
	}
	d, err := decision(c.Body)
	if err != nil {
		return nil, nil, channels.Malformed(err.Error())
	}
	d.Event = id
	return d, nil, nil
}

// decision reads {"type":"approval.decision","data":{…}}, and refuses unknown
// fields: one could change the meaning.
func decision(body []byte) (*channels.Decision, error) {
	f, err := strict.Read(body)
	if err != nil {
		return nil, err
	}
	d := &channels.Decision{}
	if f.String("type") != "approval.decision" {
		f.Refuse("type", "approval.decision")
	}
	f.Any("timestamp")
	there := f.Part("data", func(f *strict.Fields) {
		d.Approval, d.Nonce, d.Digest = f.String("approval_id"), f.String("nonce"), f.String("args_sha256")
		switch f.String("decision") {
		case "approve":
			d.Approve = true
		case "reject":
		default:
			f.Refuse("decision", "approve or reject")
		}
		f.Part("decider", func(f *strict.Fields) {
			d.Identity = "webhook:" + f.String("id")
			f.String("display")
		})
		d.Comment = f.String("comment")
		if args := f.Object("edited_args"); args != nil {
			text, err := canonical.Append(nil, args)
			f.Fail(err)
			d.Edit = json.RawMessage(text)
		}
		f.Part("remember", func(f *strict.Fields) { d.Remember = remember(f) })
		if d.Approval == "" || strings.TrimPrefix(d.Identity, "webhook:") == "" {
			f.Refuse("approval_id or decider.id", "a string")
		}
	})
	if !there {
		f.Refuse("data", "an object")
	}
	return d, f.Done()
}

// remember reads for which calls, and for how many seconds, a decision is valid.
func remember(f *strict.Fields) *channels.Remember {
	r := &channels.Remember{For: approvals.DefaultGrant}
	switch f.String("scope") {
	case "session":
		r.Scope = approvals.ScopeSession
	case "project":
		r.Scope = approvals.ScopeRule
	default:
		f.Refuse("scope", "session or project")
	}
	most := int64(approvals.MaxGrant / time.Second)
	if _, there := f.Rest()["ttl_s"]; there {
		seconds := f.Int("ttl_s")
		if seconds < 1 || seconds > most {
			f.Refuse("ttl_s", fmt.Sprintf("1 to %d", most))
		}
		r.For = time.Duration(min(seconds, most)) * time.Second
	}
	return r
}

// RenderReply implements channels.Answerer.
func (w *webhook) RenderReply(o *channels.Outcome) channels.Reply {
	if o.Refusal != nil {
		return channels.JSON(o.Refusal.Status(), map[string]any{"error": o.Refusal.Detail, "code": o.Refusal.Code})
	}
	out := map[string]any{"status": o.Now.State, "remaining": remaining(o.Now)}
	if o.Granted != nil {
		out["grant"] = map[string]any{"id": o.Granted.ID, "expires_at": o.Granted.Expires}
	}
	return channels.JSON(http.StatusOK, out)
}

// remaining is how many approvals are still missing, at least.
func remaining(a *store.Approval) int {
	if a.State != store.Pending {
		return 0
	}
	need, have := 0, 0
	for _, f := range a.Needs.Factors {
		need += f.N
	}
	for _, v := range a.Votes {
		if v.Approve && v.Edit == a.EditDigest() {
			have++
		}
	}
	return max(need-have, 1)
}
