package approvals

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/store"
)

// Policy is the configuration at the time when an approval is used. It takes
// precedence over what the store says.
type Policy struct {
	Digest string
	Needs  *store.Needs  // nil takes the stored ones
	Window time.Duration // 0 takes the stored one
	User   string        // who runs the agent, and so may not vote; "" takes the stored one
}

func (p *Policy) apply(a *store.Approval) {
	if p.Needs != nil {
		a.Needs = *p.Needs
	}
	if p.Window > 0 {
		a.Window = p.Window
	}
	if p.User != "" {
		a.User = p.User
	}
}

// Consume uses an approval for one call, right before the call runs. In one
// step it checks that the call is the one that people saw, that the votes are
// genuine, that the approval has not expired and that it was not used before,
// and stores the use, which is recorded when Consume returns. After an error the
// call must not run.
func (s *Service) Consume(ctx context.Context, id string, ev *trammel.Event, p Policy) (*store.Approval, error) {
	digest, err := Digest(ev, p.Digest)
	if err != nil {
		return nil, err
	}
	used := -1
	a, notes, err := s.write(ctx, id, func(a *store.Approval) (string, error) {
		used = a.Unused(ev.Session.ID, ev.Session.AgentID)
		p.apply(a)
		a.Account = cmp.Or(ev.Session.Account, a.Account)
		switch {
		case s.due(a) == store.Lapsed:
			return "", refuse(RefusedExpired, "it was approved, but not used in time")
		case a.State != store.Approved:
			return "", refuse(RefusedState, "%s", outcome(a))
		case digest != Shown(a):
			return "", refuse(RefusedChanged, "the call is not the one that was approved")
		case s.count(a) != store.Approved:
			return "", refuse(RefusedNotApprover, "the stored votes do not add up to an approval: somebody has changed the store")
		case used < 0:
			return "", refuse(RefusedState, "it has been used")
		}
		if err := s.signedFor(a, used); err != nil {
			return "", err
		}
		if err := s.unspent(ctx, spentAsk(a, used)); err != nil {
			return "", err
		}
		a.Asks[used].Used, a.Asks[used].Call = store.At(s.Now()), ev.Tool.ID
		if !slices.ContainsFunc(a.Asks, func(k store.Ask) bool { return k.Waits() }) {
			a.State = store.Consumed
		}
		return "consumed", s.clockOf(a)
	})
	if err == nil {
		return a, errors.Join(s.spendOn(ctx, spentAsk(a, used), ev), s.record(ctx, notes))
	}
	if a, _ := s.repeated(ctx, id, ev, p); a != nil {
		return a, nil
	}
	s.settle(ctx, id, err)
	return nil, err
}

// signedFor checks when the votes were given and for how many calls, as signed
// in the votes: others could have written the rest of the stored request.
func (s *Service) signedFor(a *store.Approval, ask int) error {
	asks, last := len(a.Asks), time.Time{}
	for i := range a.Votes {
		v := &a.Votes[i]
		if !v.Approve || !s.proved(v.Key, statement(a, v), v.Proof, v.Approver) {
			continue
		}
		if asks = min(asks, v.Asks); v.At.After(last) {
			last = v.At.Time
		}
	}
	switch {
	case ask >= asks:
		return refuse(RefusedChanged, "the approvers saw %d waiting calls, but not this one: somebody has changed the store", asks)
	case a.Window > 0 && !s.Now().Before(last.Add(a.Window)):
		return refuse(RefusedExpired, "it was approved, but not used in time")
	}
	return nil
}
