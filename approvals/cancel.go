package approvals

import (
	"context"

	"github.com/trammel-dev/trammel/store"
)

// Cancel ends an open request: one that waits is cancelled, one that was
// approved and not used is revoked. What has ended stays as it is.
func (s *Service) Cancel(ctx context.Context, id, why string) error {
	_, err := s.change(ctx, id, func(a *store.Approval) (string, error) {
		switch a.State {
		case store.Pending:
			a.State = store.Cancelled
		case store.Approved:
			a.State = store.Revoked
		default:
			return "", nil
		}
		a.Why = why
		return string(a.State), nil
	})
	return err
}

// EndSession cancels what only this session waits for.
func (s *Service) EndSession(ctx context.Context, session string) error {
	list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending, store.Approved}, Session: session})
	if err != nil {
		return err
	}
	for _, a := range list {
		if only(a, session) {
			if err := s.Cancel(ctx, a.ID, "the session has ended"); err != nil {
				return err
			}
		}
	}
	return nil
}

func only(a *store.Approval, session string) bool {
	for _, k := range a.Asks {
		if k.Session != session && k.Used.IsZero() {
			return false
		}
	}
	return true
}
