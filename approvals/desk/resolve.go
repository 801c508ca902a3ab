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

// Question is what people are asked about an event.
type Question struct {
	Hook    string
	Source  string
	Reason  string
	Policy  string // the digest of the configuration
	User    string
	Effects []string
	Terms   approvals.Terms
	// Still, if set, says why the question is no longer wanted, "" if it is.
	Still func() string
}

// parkMargin is kept of the time there is, to note that the call is parked and
// to say so: a tenth, within bounds. Many calls may have to be parked at once.
func parkMargin(left time.Duration) time.Duration {
	return min(max(left/10, 300*time.Millisecond), 2*time.Second)
}

// Resolve asks, waits as its mode says, and answers: allow with the approval
// that Commit uses up, or deny with what the model should know.
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
		if a.State != store.Pending { // who decided may not be able to record it
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

// toSaySo is how long it may take to answer once a call is parked.
const toSaySo = 100 * time.Millisecond

// park notes that the agent is told to come again. If that takes too long, it is
// told so without the note: the request waits all the same.
func park(ctx context.Context, s *approvals.Service, a *store.Approval, ev *trammel.Event) (*store.Approval, error) {
	if until, bounded := ctx.Deadline(); bounded {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, until.Add(-toSaySo))
		defer stop()
	}
	parked, err := s.Park(ctx, a.ID, ev.Session.ID, ev.Session.AgentID)
	if err != nil && ctx.Err() != nil {
		return a, nil
	}
	return parked, err
}

// there reports whether anybody waits for the answer.
func (d *Desk) there() error {
	if d.Gone != nil && d.Gone() {
		return errors.New("the agent no longer waits for the answer")
	}
	return nil
}

// request is what people are asked, and on which terms.
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

// patience bounds the wait: by the hook's own time, less what it takes to park,
// and in mode auto by how long a call is held.
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

// answer is what a hook says about a call whose request has come this far, and
// which may go on or not.
func answer(a *store.Approval, may bool) (trammel.Answer, error) {
	about := fmt.Sprintf("approval %s is %s", a.ID, a.State)
	for _, v := range a.Votes {
		about += fmt.Sprintf(", %s by %s (%s)", map[bool]string{true: "approved", false: "rejected"}[v.Approve], v.Approver, v.Identity)
	}
	out := trammel.Answer{Diagnostics: []string{about}, Approval: a.ID}
	if !may {
		out.Decision, out.Reason = trammel.Deny, approvals.Message(a)
		out.Findings = []trammel.Finding{{Code: "approval_" + string(a.State), Severity: "error", Target: a.ID}}
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

// Commit uses the approval up, under the terms of the question. What a grant
// has answered was used up then.
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

// Withdraw cancels what only this call of the session waits for.
func (d *Desk) Withdraw(ctx context.Context, session, call string) error {
	s, err := d.Service(ctx)
	if err != nil {
		return err
	}
	return s.Withdraw(ctx, session, call)
}
