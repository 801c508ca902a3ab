package approvals

import (
	"context"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/store"
)

// Consume uses an approval for one call, right before the call goes on. That
// the call is the one that people saw, that their votes are theirs, that the
// time is not over and that the call has not gone through before is checked
// and written in one step. An error is a no.
func (s *Service) Consume(ctx context.Context, id string, ev *trammel.Event, policy string) (*store.Approval, error) {
	digest, err := Digest(ev, policy)
	if err != nil {
		return nil, err
	}
	return s.change(ctx, id, func(a *store.Approval) (string, error) {
		i := a.Unused(ev.Session.ID, ev.Session.AgentID)
		switch {
		case a.State == store.Approved && s.due(a) == store.Lapsed:
			return "", refuse(RefusedExpired, "it was approved, and the time to use it is over")
		case a.State != store.Approved:
			return "", refuse(RefusedState, "%s", outcome(a))
		case digest != Shown(a):
			return "", refuse(RefusedChanged, "the call is not the one that was approved")
		case s.count(a) != store.Approved:
			return "", refuse(RefusedNotApprover, "the stored votes do not add up to an approval: somebody has changed the store")
		case i < 0:
			return "", refuse(RefusedState, "it has been used")
		}
		a.Asks[i].Used = store.At(s.Now())
		a.State = store.Consumed
		for _, k := range a.Asks {
			if k.Used.IsZero() {
				a.State = store.Approved
			}
		}
		return "consumed", nil
	})
}
