package approvals

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/store"
)

// A host that is wired twice, for the user and in a project, asks twice about
// one call: at once, or one after the other. It gets the same answer twice.

// sameID is how long the host's id identifies a call.
const sameID = time.Minute

// Passed reports whether the same call passed a moment ago.
func (s *Service) Passed(a *store.Approval, ev *trammel.Event) bool {
	i := s.answered(a, ev.Session.ID, ev.Session.AgentID, ev.Tool.ID)
	return i >= 0 && !a.Asks[i].Used.IsZero()
}

func (s *Service) answered(a *store.Approval, session, agent, call string) int {
	return a.Answered(session, agent, call, s.Now().Add(-sameID))
}

// repeated returns the approval if this exact call has used it; nil if not.
func (s *Service) repeated(ctx context.Context, id string, ev *trammel.Event, p Policy) (*store.Approval, error) {
	digest, err := Digest(ev, p.Digest)
	if err != nil {
		return nil, err
	}
	a, err := s.Store.Approval(ctx, id)
	if err != nil {
		return nil, err
	}
	p.apply(a)
	if !s.Passed(a, ev) || digest != Shown(a) || s.count(a) != store.Approved {
		return nil, nil
	}
	what := spentAsk(a, s.answered(a, ev.Session.ID, ev.Session.AgentID, ev.Tool.ID))
	if is, err := s.sameCall(ctx, what, ev, true); !is || err != nil {
		return nil, err
	}
	return a, nil
}

// repeatedUse returns a grant whose last use was by this exact call; nil if
// there is none.
func (s *Service) repeatedUse(ctx context.Context, ev *trammel.Event, holds func(g *store.Grant) bool, counts bool) (*store.Grant, error) {
	all, err := s.Store.Grants(ctx)
	if err != nil || ev.Tool.ID == "" {
		return nil, err
	}
	for _, g := range all {
		before := *g
		before.Uses--
		if g.Most == 0 || g.Uses == 0 || s.Now().Sub(g.Last.Time) > sameID || !holds(&before) {
			continue
		}
		if is, err := s.sameCall(ctx, spentUse(g, before.Uses), ev, counts); is || err != nil {
			return g, err
		}
	}
	return nil, nil
}

// sameCall reports whether an event is another report of the call that has used an
// approval. counts says that it is a report, and not only a look.
func (s *Service) sameCall(ctx context.Context, what string, ev *trammel.Event, counts bool) (is bool, err error) {
	if is, err = s.spentBy(ctx, what, ev.Tool.ID); !is || err != nil || !counts || s.Spent == nil {
		return is, err
	}
	return state.Passed{State: s.Spent}.Again(ctx, ev, what)
}
