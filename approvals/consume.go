package approvals

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/store"
)

// Policy is what the configuration says when an approval is used. It counts, and
// not what the store says that it was.
type Policy struct {
	Digest string
	Needs  *store.Needs  // nil takes the stored ones
	Window time.Duration // 0 takes the stored one
	User   string        // who runs the agent, and so has no say; "" takes the stored one
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

// Consume uses an approval for one call, right before the call goes on. That
// the call is the one that people saw, that their votes are theirs, that the
// time is not over and that the call has not gone through before is checked
// and written in one step, and is on record when Consume returns. An error is a
// no.
func (s *Service) Consume(ctx context.Context, id string, ev *trammel.Event, p Policy) (*store.Approval, error) {
	digest, err := Digest(ev, p.Digest)
	if err != nil {
		return nil, err
	}
	used := -1
	a, notes, err := s.write(ctx, id, func(a *store.Approval) (string, error) {
		used = a.Unused(ev.Session.ID, ev.Session.AgentID)
		p.apply(a)
		switch {
		case a.State == store.Approved && s.due(a) == store.Lapsed:
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
		return a, errors.Join(s.spend(ctx, spentAsk(a, used), ev.Tool.ID), s.record(ctx, notes))
	}
	if a, failed := s.repeated(ctx, id, ev, p); a != nil && failed == nil {
		return a, nil
	}
	return nil, err
}

// signedFor checks what the votes themselves say of when they were given and
// for how many calls: the rest of the record can be written by others.
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
		return refuse(RefusedChanged, "the people who approved saw %d waiting calls, and not this one: somebody has changed the store", asks)
	case a.Window > 0 && !s.Now().Before(last.Add(a.Window)):
		return refuse(RefusedExpired, "it was approved, but not used in time")
	}
	return nil
}
