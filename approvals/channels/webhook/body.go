package webhook

import (
	"encoding/json"
	"time"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/store"
)

// message is the body that is sent. Secrets in arguments are masked; the digest
// is of the real ones.
type message struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      data      `json:"data"`
}

type data struct {
	ID          string     `json:"approval_id"`
	Nonce       string     `json:"nonce,omitempty"` // while people can decide
	State       string     `json:"status"`
	Summary     string     `json:"summary"`
	Tool        string     `json:"tool"`
	Args        any        `json:"args"`
	ArgsText    string     `json:"args_text"` // with every character visible
	Digest      string     `json:"args_sha256"`
	Truncated   bool       `json:"args_truncated"` // never
	Masked      int        `json:"args_masked"`
	Edited      bool       `json:"args_edited,omitempty"`
	Requester   requester  `json:"requester"`
	Reason      string     `json:"reason"`
	Policy      policy     `json:"policy"`
	Required    required   `json:"required"`
	Votes       []vote     `json:"votes,omitempty"`
	Expires     store.Time `json:"expires_at"`
	DecisionURL string     `json:"decision_url,omitempty"`
	ViewURL     string     `json:"view_url,omitempty"`
	Remember    []string   `json:"remember,omitempty"` // what a grant would let through, a line each
}

type requester struct {
	Agent   string   `json:"agent"`
	Host    string   `json:"host"`
	Session string   `json:"session"`
	User    string   `json:"user"`
	Parent  *string  `json:"parent"`
	Parents []string `json:"parents,omitempty"`
}

type policy struct {
	ID   string `json:"id"`
	Hash string `json:"hash"`
}

type required struct {
	Approvals int            `json:"approvals"`
	Approvers []string       `json:"approvers"`
	Factors   []store.Factor `json:"factors"`
}

type vote struct {
	Approver string     `json:"approver"`
	Decision string     `json:"decision"`
	Comment  string     `json:"comment,omitempty"`
	At       store.Time `json:"at"`
}

func (w *webhook) body(kind string, a *store.Approval) []byte {
	v := show.Of(a)
	m := message{Type: "approval." + kind, Timestamp: w.moment(kind, a), Data: data{ID: a.ID, State: string(a.State), Summary: v.Summary,
		Tool: v.Tool,
		Args: masked(a), ArgsText: v.Args.Text, Digest: v.Digest, Masked: v.Args.Masked, Edited: a.Edit != nil, Reason: v.Reason,
		Requester: requester{Agent: show.Safe(a.Agent), Host: a.Host, Session: a.First().Session, User: show.Safe(a.User)},
		Policy:    policy{show.Safe(a.Hook), a.PolicyDigest}, Required: required{Factors: a.Needs.Factors}, Expires: a.Expires,
		ViewURL: w.env.FullView(a)}}
	for _, p := range a.Parents {
		m.Data.Requester.Parents = append(m.Data.Requester.Parents, show.Safe(p))
	}
	if len(a.Parents) > 0 {
		m.Data.Requester.Parent = &m.Data.Requester.Parents[0]
	}
	for _, f := range a.Needs.Factors {
		m.Data.Required.Approvals += f.N
		m.Data.Required.Approvers = append(m.Data.Required.Approvers, f.Approvers...)
	}
	for _, b := range a.Votes {
		m.Data.Votes = append(m.Data.Votes, vote{b.Approver, word(b.Approve), show.Safe(b.Comment), b.At})
	}
	if a.State == store.Pending {
		m.Data.Nonce = a.Nonce
		m.Data.Remember = w.remember(a)
		if len(w.in) > 0 && w.env.Public != "" {
			m.Data.DecisionURL = w.env.Public + "/v1/channels/" + w.name + "/callback"
		}
	}
	text, _ := json.Marshal(m) // texts and numbers
	return text
}

func (w *webhook) remember(a *store.Approval) (lines []string) {
	if len(w.in) == 0 || w.env.CallPattern == nil {
		return nil
	}
	match, err := w.env.CallPattern(a)
	if err != nil {
		return nil
	}
	for _, line := range match.Describe() {
		lines = append(lines, show.Safe(line))
	}
	return lines
}

func masked(a *store.Approval) any {
	raw := a.Args
	if a.Edit != nil {
		raw = a.Edit.Args
	}
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return nil
	}
	safe, _ := secret.RedactValue(obj)
	return safe
}

// moment is the time of the event, so that a retry has the same body.
func (w *webhook) moment(kind string, a *store.Approval) time.Time {
	switch {
	case kind == "requested":
		return a.Created.Time
	case (kind == "approved" || kind == "rejected") && !a.Decided.IsZero():
		return a.Decided.Time
	case kind == "expired" && !a.Expires.IsZero():
		return a.Expires.Time
	}
	return w.env.Now().UTC()
}

func word(approve bool) string {
	if approve {
		return "approve"
	}
	return "reject"
}
