package server

import (
	"encoding/json"
	"net/http"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// Approval is a request as people see it: secrets are masked, and every
// character is visible.
type Approval struct {
	ID        string      `json:"id"`
	Seq       int64       `json:"seq"`
	Nonce     string      `json:"nonce"`
	Digest    string      `json:"digest"`
	State     store.State `json:"state"`
	Status    string      `json:"status"`
	Tool      string      `json:"tool"`
	Summary   string      `json:"summary"`
	Arguments string      `json:"arguments"`
	Asked     string      `json:"asked,omitempty"` // the arguments before an approver changed them
	Masked    int         `json:"masked,omitempty"`
	Hidden    int         `json:"hidden,omitempty"`
	Reason    string      `json:"reason,omitempty"`
	Asker     string      `json:"asker"`
	Rule      string      `json:"rule"`
	Needs     string      `json:"needs"`
	Votes     []string    `json:"votes,omitempty"`
	Effects   []string    `json:"effects,omitempty"`
	Host      string      `json:"host"`
	Project   string      `json:"project,omitempty"`
	Sessions  []string    `json:"sessions"`
	Created   store.Time  `json:"created"`
	Expires   store.Time  `json:"expires"`
	Until     store.Time  `json:"until"`
}

func viewOf(a *store.Approval) *Approval {
	v := show.Of(a)
	out := &Approval{ID: a.ID, Seq: a.Seq, Nonce: a.Nonce, Digest: v.Digest, State: a.State, Status: v.Status, Tool: v.Tool,
		Summary:   v.Summary,
		Arguments: v.Args.Text, Masked: v.Args.Masked, Hidden: v.Args.Hidden, Reason: v.Reason, Asker: v.Asker, Rule: v.Rule, Needs: v.Needs,
		Votes: v.Votes, Effects: v.Effects, Sessions: v.Sessions, Host: a.Host, Project: visible.Line(a.Project),
		Created: a.Created, Expires: a.Expires, Until: a.Until}
	if v.Asked != nil {
		out.Asked = v.Asked.Text
	}
	return out
}

// ApprovalList is a page, newest first. Next is the before of the next one.
type ApprovalList struct {
	Approvals []*Approval `json:"approvals"`
	Next      int64       `json:"next,omitempty"`
}

func (s *Server) listApprovals(_ http.ResponseWriter, r *http.Request) (any, error) {
	svc, f, before, err := s.asked(r, filter.Approvals)
	if err != nil {
		return nil, err
	}
	list, err := svc.Store.Approvals(r.Context(), store.Query{Filter: f, Before: before, Most: page})
	if err != nil {
		return nil, err
	}
	out := ApprovalList{Approvals: []*Approval{}}
	for _, a := range list {
		out.Approvals = append(out.Approvals, viewOf(a))
	}
	if len(list) == page {
		out.Next = list[len(list)-1].Seq
	}
	return out, nil
}

func (s *Server) getApproval(_ http.ResponseWriter, r *http.Request) (any, error) {
	svc, err := s.service(r.Context())
	if err != nil {
		return nil, err
	}
	a, err := svc.Store.Approval(r.Context(), r.PathValue("id"))
	return approvalView(r, a, err)
}

func approvalView(r *http.Request, a *store.Approval, err error) (any, error) {
	if err != nil {
		return nil, unknown(err, "there is no approval "+r.PathValue("id"))
	}
	return viewOf(a), nil
}

// Decision is a person's decision about an approval. It repeats what was shown.
type Decision struct {
	Nonce    string `json:"nonce"`
	Digest   string `json:"digest"`
	Decision string `json:"decision"` // approve or reject
	Comment  string `json:"comment,omitempty"`
	// Arguments are the complete arguments to run instead.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Secret is the authority secret, needed if the client's credential is not a proof.
	Secret string `json:"secret,omitempty"`
}

func (s *Server) decide(w http.ResponseWriter, r *http.Request) (any, error) {
	var in Decision
	if err := read(r, &in); err != nil {
		return nil, err
	}
	if in.Decision != "approve" && in.Decision != "reject" {
		return nil, malformed("decision is neither approve nor reject")
	}
	a, err := s.vote(r, r.PathValue("id"), &in)
	return approvalView(r, a, err)
}

// vote records the vote of the person who made the request.
func (s *Server) vote(r *http.Request, id string, d *Decision) (*store.Approval, error) {
	who := auth.From(r.Context())
	if !s.decisions.Allow(who.Of()) {
		return nil, auth.ErrTooMany
	}
	if who.Role < auth.Approver && d.Secret == "" {
		return nil, &badRequest{http.StatusForbidden, "this needs the role approver, but you are " + who.Role.String()}
	}
	who, err := s.Auth.Decider(r, d.Secret)
	if err != nil {
		return nil, err
	}
	if who.Role < auth.Approver {
		return nil, &badRequest{http.StatusForbidden, "this needs the role approver, but you are " + who.Role.String()}
	}
	svc, err := s.service(r.Context())
	if err != nil {
		return nil, err
	}
	decision := approvals.Decision{Approval: id, Nonce: d.Nonce, Digest: d.Digest, Approve: d.Decision == "approve", Comment: d.Comment,
		Identity: who.Identity, Channel: channelOf(who), Signer: who.Key}
	if len(d.Arguments) > 0 {
		a, err := svc.Store.Approval(r.Context(), id)
		if err != nil {
			return nil, err
		}
		if decision.Edit, err = s.Program.Edit(r.Context(), a, d.Arguments); err != nil {
			return nil, err
		}
	}
	return svc.Decide(r.Context(), decision)
}

// channelOf is how the person reached us.
func channelOf(p *auth.Person) string {
	switch {
	case p.CSRF != "":
		return "console"
	case p.Credential == "":
		return "socket"
	}
	return "api"
}

func (s *Server) cancel(w http.ResponseWriter, r *http.Request) (any, error) {
	svc, err := s.service(r.Context())
	if err != nil {
		return nil, err
	}
	if err := svc.Cancel(r.Context(), r.PathValue("id"), "cancelled by "+auth.From(r.Context()).Name); err != nil {
		return nil, err
	}
	return s.getApproval(w, r)
}
