package process

import (
	"context"
	"errors"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// consent is an approval for exactly this request, which is used when the call
// passes.
type consent struct {
	service *approvals.Service
	id      string
	event   *trammel.Event
	policy  approvals.Policy
}

// approval asks people about the request, or finds their answer. It returns nil
// if they have approved it.
func (c *call) approval(g *Gate) (*Response, error) {
	waits := c.nok(CodeApproval, AwaitApproval, g.Reason)
	if c.p.options.Desk == nil {
		waits.Instruction = "No approvals are set up here, so nobody can be asked. Run it where they are."
		return waits, nil
	}
	s, err := c.p.options.Desk.Service(c.ctx)
	if err != nil {
		return nil, err
	}
	request, err := c.request(g)
	if err != nil {
		return nil, err
	}
	a, err := s.Ask(c.ctx, request)
	if err != nil {
		return nil, err
	}
	session, agent := c.run.ID, c.req.Actor.ID
	switch {
	case a.State == store.Pending:
		a, err = s.Park(c.ctx, a.ID, session, agent)
	case !a.State.Open():
		a, err = s.Tell(c.ctx, a.ID, session, agent, request.Event.Tool.ID)
	}
	if err != nil {
		return nil, err
	}
	waits.ApprovalID, waits.Instruction = a.ID, approvals.Message(a)
	switch {
	case a.State == store.Approved && a.Edit != nil:
		out := c.nok(CodeApprovalDenied, InstructAgent, "It was approved with other arguments: request exactly those.")
		out.ApprovalID, out.Instruction = a.ID, approvals.EditedNote(a)
		return out, nil
	case a.State == store.Approved:
		c.consents = append(c.consents, consent{s, a.ID, request.Event, approvals.Policy{Digest: request.Policy, Needs: &request.Needs,
			Window: request.Window, User: request.User}})
		return nil, nil
	case a.State == store.Rejected:
		waits.Code, waits.Route = CodeApprovalDenied, Blocked
	case a.State != store.Pending:
		waits.Code = CodeApprovalOver
	}
	return waits, nil
}

// request binds the question to the exact request, its scope, the revision of
// the pack and the gate that asks.
func (c *call) request(g *Gate) (*approvals.Request, error) {
	o, m := &c.p.options, &c.d.Manifest
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "trammel", Time: c.now,
		Session: trammel.Session{ID: c.run.ID, AgentID: c.req.Actor.ID, Project: o.Project, Dir: o.Project, User: o.User},
		Tool: &trammel.ToolCall{ID: newID(""), Name: m.ID + "." + c.req.Action, Input: map[string]any{
			"payload": c.req.Payload, "run_id": c.run.ID, "actor": c.req.Actor.Role + ":" + c.req.Actor.ID,
			"scope": g.Approval.Scope, "process": m.ID + " " + m.Version}}}
	policy := digestOf(map[string]any{"profile": c.d.Digest, "revision": c.d.Revision, "gate": g})
	needs, terms, err := Needs(&o.Desk.Settings, g.Approval)
	return &approvals.Request{Event: ev, Hook: m.ID + "/" + g.ID, Source: c.d.Manifest.ProfilePath, Policy: policy, Reason: g.Reason,
		User: o.User, Needs: needs, Expires: terms.Expires, Window: terms.Window}, err
}

// Needs are the people whom an approval needs, and its terms: the group or the
// person that its role names, if there is one.
func Needs(s *approvals.Settings, n *Needed) (needs store.Needs, t approvals.Terms, err error) {
	if n != nil {
		if _, group := s.Groups[n.Role]; group {
			t.Approvers = []string{"group:" + n.Role}
		} else if _, person := s.People[n.Role]; person {
			t.Approvers = []string{n.Role}
		}
	}
	t = s.Merged(&t)
	needs, err = s.Needs(&t)
	return needs, t, err
}

// use uses the approvals. If anything has changed since people saw the request,
// it fails.
func (c *call) use(ctx context.Context) *Response {
	for _, k := range c.consents {
		_, err := k.service.Consume(ctx, k.id, k.event, k.policy)
		var refused *approvals.Refusal
		switch {
		case errors.As(err, &refused):
			out := c.nok(CodeApprovalOver, AwaitApproval, refused.Detail)
			out.ApprovalID = k.id
			return out
		case err != nil:
			return &Response{Status: StatusError, Code: CodeInternal, Reason: err.Error()}
		}
	}
	return nil
}
