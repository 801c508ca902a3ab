package approvals

import (
	"context"
	"errors"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// skew is how far clocks may differ. Each process uses its own. A process whose
// clock is ahead ends a request early. A process that sees a request, or a vote
// on it, further in the future than this refuses it. A smaller difference is
// not noticed, and prolongs an open request until a process with the right time
// ends it.
const skew = 30 * time.Second

// clockOf refuses if this process is too far behind what the approval has seen.
func (s *Service) clockOf(a *store.Approval) error {
	last := a.Created
	for _, v := range a.Votes {
		if v.At.After(last.Time) {
			last = v.At
		}
	}
	if behind := last.Sub(s.Now()); behind > skew {
		return refuse(RefusedClock, "the clock of this machine is %s behind the one that wrote the approval", Span(behind))
	}
	return nil
}

// due is the state that follows from the time alone.
func (s *Service) due(a *store.Approval) store.State {
	now := s.Now()
	switch {
	case a.State == store.Pending && !a.Expires.IsZero() && !now.Before(a.Expires.Time):
		return store.Expired
	case a.State == store.Approved && !a.Until.IsZero() && !now.Before(a.Until.Time):
		return store.Lapsed
	}
	return a.State
}

// settle stores that an approval is over, if that is why it was refused: it
// stays over if the clock is set back.
func (s *Service) settle(ctx context.Context, id string, refused error) {
	var r *Refusal
	if errors.As(refused, &r) && r.Code == RefusedExpired {
		_, _ = s.look(ctx, id) // it is refused in any case
	}
}

// leftAhead cancels a request of this session only, if the clock was set back
// since it was made: nobody could decide it until the clock has caught up.
func (s *Service) leftAhead(ctx context.Context, a *store.Approval, session string) (ended bool, err error) {
	if s.clockOf(a) == nil || !only(a, session) {
		return false, nil
	}
	return true, s.Cancel(ctx, a.ID, "the clock was set back after the request was made")
}
