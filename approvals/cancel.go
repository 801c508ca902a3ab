package approvals

import (
	"context"
	"errors"
	"slices"

	"github.com/trammel-dev/trammel/store"
)

// Cancel ends an open request: a pending one is cancelled, an approved but
// unused one is revoked. A request that has ended does not change.
func (s *Service) Cancel(ctx context.Context, id, why string) error {
	return s.takeBack(ctx, id, func(a *store.Approval) (string, error) { return end(a, why), nil })
}

// takeBack is change for what may revoke an approval: that is marked outside of
// the store, too.
func (s *Service) takeBack(ctx context.Context, id string, change func(a *store.Approval) (note string, err error)) error {
	a, err := s.change(ctx, id, change)
	if err != nil || a.State != store.Revoked {
		return err
	}
	for i := range a.Asks {
		if a.Asks[i].Used.IsZero() {
			err = errors.Join(err, s.spend(ctx, spentAsk(a, i), ""))
		}
	}
	return err
}

// end ends an open request and returns its new state, "" if it had ended already.
func end(a *store.Approval, why string) (note string) {
	switch a.State {
	case store.Pending:
		a.State = store.Cancelled
	case store.Approved:
		a.State = store.Revoked
	default:
		return ""
	}
	a.Why = why
	return string(a.State)
}

// EndSession cancels requests that only this session is waiting for, and
// removes the session from the others.
func (s *Service) EndSession(ctx context.Context, session string) error {
	for before := int64(0); ; {
		list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending, store.Approved}, Session: session, Before: before})
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return s.endGrants(ctx, session)
		}
		for _, a := range list {
			before = a.Seq
			if err := s.withdrawSession(ctx, a.ID, session); err != nil {
				return err
			}
		}
	}
}

// Withdraw cancels the request of one call of a session that was cancelled, if
// nobody else is waiting for it.
func (s *Service) Withdraw(ctx context.Context, session, call string) error {
	list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending, store.Approved}, Session: session})
	if err != nil {
		return err
	}
	for _, a := range list {
		mine := func(k store.Ask) bool { return k.Session == session && k.Call == call && k.Waits() }
		other := func(k store.Ask) bool { return k.Waits() && !mine(k) }
		if slices.ContainsFunc(a.Asks, mine) && !slices.ContainsFunc(a.Asks, other) {
			if err := s.Cancel(ctx, a.ID, "the call was cancelled"); err != nil {
				return err
			}
		}
	}
	return nil
}

// withdrawSession ends what a session waits for.
func (s *Service) withdrawSession(ctx context.Context, id, session string) error {
	return s.takeBack(ctx, id, func(a *store.Approval) (string, error) {
		if only(a, session) {
			return end(a, "the session has ended"), nil
		}
		for i := range a.Asks {
			if k := &a.Asks[i]; k.Session == session && k.Waits() {
				k.Told = store.At(s.Now())
			}
		}
		return "left", nil
	})
}

// only reports whether this session is the only one that is waiting.
func only(a *store.Approval, session string) bool {
	return !slices.ContainsFunc(a.Asks, func(k store.Ask) bool { return k.Session != session && k.Waits() })
}
