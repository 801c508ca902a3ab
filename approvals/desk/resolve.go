package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/store"
)

// Question is a question to people about an event.
type Question struct {
	Hook    string
	Source  string
	Reason  string
	Policy  string // the digest of the configuration
	User    string
	Effects []string
	Terms   approvals.Terms
	// Still, if set, says why the question is no longer needed, "" if it is.
	Still func() string
}

// parkMargin is the part of the time limit that is reserved for parking the
// call and answering: a tenth, within limits. Many calls may have to be parked
// at once.
func parkMargin(left time.Duration) time.Duration {
	return min(max(left/10, 300*time.Millisecond), 2*time.Second)
}

// Resolve asks, waits as its mode says, and answers: allow, with the approval
// that Commit will use, or deny, with a text for the model.
func (d *Desk) Resolve(ctx context.Context, ev *trammel.Event, q *Question) (trammel.Answer, error) {
	s, err := d.Service(ctx)
	if err != nil {
		return trammel.Answer{}, err
	}
	r, t, err := d.request(ev, q)
	if err != nil {
		return trammel.Answer{}, err
	}
	g, err := s.Granted(ctx, r)
	if err != nil {
		return trammel.Answer{}, err
	}
	if g != nil {
		about := fmt.Sprintf("grant %s of %s (%s) answers, use %d", g.ID, g.By, g.Scope, g.Uses)
		return trammel.Answer{Decision: trammel.Allow, Diagnostics: []string{about}}, nil
	}
	a, err := s.Ask(ctx, r)
	if err != nil {
		return trammel.Answer{}, err
	}
	if a.State == store.Pending && t.Mode != "park" {
		wait, stop := patience(ctx, t)
		defer stop()
		if d.Ending != nil {
			defer context.AfterFunc(d.Ending, stop)()
		}
		if a, err = s.Wait(wait, a.ID, q.Still); err != nil {
			return trammel.Answer{}, err
		}
		if a.State != store.Pending { // the process that decided may not be able to record it
			if err := s.OnRecord(ctx, a.ID); err != nil {
				return trammel.Answer{}, err
			}
		}
	}
	if err := d.there(); err != nil {
		return trammel.Answer{}, err
	}
	passed := s.Passed(a, ev)
	switch {
	case passed:
	case a.State == store.Pending:
		a, err = park(ctx, s, a, ev)
	case !a.State.Open():
		a, err = s.Tell(ctx, a.ID, ev.Session.ID, ev.Session.AgentID, ev.Tool.ID)
	}
	if err != nil {
		return trammel.Answer{}, err
	}
	return answer(a, passed || a.State == store.Approved)
}

// replyTime is how long the answer may take once a call is parked.
const replyTime = 100 * time.Millisecond

// park stores that the agent was asked to repeat the call. If that takes too
// long, the agent is asked anyway: the request stays open.
func park(ctx context.Context, s *approvals.Service, a *store.Approval, ev *trammel.Event) (*store.Approval, error) {
	if until, bounded := ctx.Deadline(); bounded {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, until.Add(-replyTime))
		defer stop()
	}
	parked, err := s.Park(ctx, a.ID, ev.Session.ID, ev.Session.AgentID)
	if err != nil && ctx.Err() != nil {
		return a, nil
	}
	return parked, err
}

// there returns an error if nobody is waiting for the answer.
func (d *Desk) there() error {
	if d.Gone != nil && d.Gone() {
		return errors.New("the agent is no longer waiting for the answer")
	}
	return nil
}

// request is the request to people, with its terms.
func (d *Desk) request(ev *trammel.Event, q *Question) (*approvals.Request, *approvals.Terms, error) {
	t := d.Settings.Merged(&q.Terms)
	needs, err := d.Settings.Needs(&t)
	if err != nil {
		return nil, nil, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	if t.OnTimeout == "keep" {
		t.Expires = 0
	}
	return &approvals.Request{Event: ev, Hook: q.Hook, Source: q.Source, Policy: q.Policy, Reason: q.Reason, Effects: q.Effects,
		User: q.User, Needs: needs, Expires: t.Expires, Window: t.Window}, &t, nil
}

// patience limits the wait: to the hook's time limit minus the time to park,
// and in mode auto to the hold time.
func patience(ctx context.Context, t *approvals.Terms) (context.Context, context.CancelFunc) {
	until, bounded := ctx.Deadline()
	if bounded {
		until = until.Add(-parkMargin(time.Until(until)))
	}
	if hold := time.Now().Add(t.Hold); t.Mode != "block" && (!bounded || hold.Before(until)) {
		until, bounded = hold, true
	}
	if !bounded {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, until)
}

// answer is the hook's answer for a call, given the state of its request and
// whether it may run.
func answer(a *store.Approval, may bool) (trammel.Answer, error) {
	about := fmt.Sprintf("approval %s is %s", a.ID, a.State)
	for _, v := range a.Votes {
		about += fmt.Sprintf(", %s by %s (%s)", map[bool]string{true: "approved", false: "rejected"}[v.Approve], v.Approver, v.Identity)
	}
	out := trammel.Answer{Diagnostics: []string{about}, Approval: a.ID}
	if !may {
		out.Decision, out.Reason = trammel.Deny, approvals.Message(a)
		out.Findings = []trammel.Finding{{Code: a.State.Finding(), Severity: "error", Target: a.ID}}
		return out, nil
	}
	out.Decision = trammel.Allow
	if a.Edit != nil {
		edited, err := strict.Object(a.Edit.Args, strict.Limits{})
		if err != nil {
			return trammel.Answer{}, fmt.Errorf("the edited arguments are damaged: %w", err)
		}
		out.Input = edited
		out.Context = []string{approvals.EditedNote(a)}
	}
	return out, nil
}

// Commit uses the approval, under the terms of the question. The use of a grant
// was counted when it answered.
func (d *Desk) Commit(ctx context.Context, ev *trammel.Event, a *trammel.Answer, q *Question) error {
	s, err := d.Service(ctx)
	if err != nil {
		return err
	}
	r, _, err := d.request(ev, q)
	if err == nil {
		err = d.there()
	}
	if err != nil {
		return err
	}
	_, err = s.Consume(ctx, a.Approval, ev, approvals.Policy{Digest: q.Policy, Needs: &r.Needs, Window: r.Window,
		User: q.User})
	return err
}

// EndSession cancels what only this session has asked for.
func (d *Desk) EndSession(ctx context.Context, session string) error {
	s, err := d.Service(ctx)
	if err != nil || session == "" {
		return err
	}
	return s.EndSession(ctx, session)
}

// Withdraw cancels the request that only this call of the session is waiting for.
func (d *Desk) Withdraw(ctx context.Context, session, call string) error {
	s, err := d.Service(ctx)
	if err != nil {
		return err
	}
	return s.Withdraw(ctx, session, call)
}
