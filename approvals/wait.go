package approvals

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// recheck is how often a waiting call checks the clock and the policy, even if
// nothing has changed in the store.
const recheck = time.Second

// Wait returns the approval when it is decided, or its state when ctx ends, or
// its last known state if that cannot be read in time. still, if set, is called
// regularly; if it returns a reason, the request is cancelled.
func (s *Service) Wait(ctx context.Context, id string, still func() (why string)) (*store.Approval, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	read, end := lastLook(ctx)
	defer end()
	decided, err := s.Store.Decided(ctx, id)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(recheck)
	defer tick.Stop()
	for last := (*store.Approval)(nil); ; {
		a, err := s.look(read, id)
		if err != nil && last != nil && ctx.Err() != nil {
			return last, nil
		}
		if err != nil || a.State != store.Pending || ctx.Err() != nil {
			return a, err
		}
		last = a
		if err := s.prompt(read, a); err != nil { // maybe nobody else sweeps
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-decided:
		case <-tick.C:
			if still == nil {
				continue
			}
			if why := still(); why != "" {
				if err := s.Cancel(read, id, why); err != nil {
					return nil, err
				}
			}
		}
	}
}

// look reads the current state of an approval.
func (s *Service) look(ctx context.Context, id string) (*store.Approval, error) {
	a, err := s.Store.Approval(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.applyDue(ctx, a)
}

// lookTime is how long the look after the end of a wait may take.
const lookTime = 200 * time.Millisecond

// lastLook is a context for looks during a wait, and a last one after its end.
func lastLook(ctx context.Context) (context.Context, context.CancelFunc) {
	look, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(lookTime, stop) })
	return look, stop
}

// Tell stores that the agent has learned the result of its request, for one call.
func (s *Service) Tell(ctx context.Context, id, session, agent, call string) (*store.Approval, error) {
	return s.change(ctx, id, func(a *store.Approval) (string, error) {
		if i := a.Unused(session, agent); i >= 0 && !a.State.Open() {
			a.Asks[i].Told, a.Asks[i].Call = store.At(s.Now()), call
		}
		return "", nil
	})
}

// Park stores that the agent was told to repeat the call later.
func (s *Service) Park(ctx context.Context, id, session, agent string) (*store.Approval, error) {
	return s.change(ctx, id, func(a *store.Approval) (string, error) {
		if i := a.Unused(session, agent); i >= 0 {
			a.Asks[i].Parked = store.At(s.Now())
		}
		return "", nil
	})
}
