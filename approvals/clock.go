package approvals

import (
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
