package approvals

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// supersede cancels requests that a new one replaces: the same question of this
// session under another policy, and a parked request if the agent comes back
// with other arguments. Parallel calls of an agent do not replace each other,
// and neither do calls between which it alternates.
func (s *Service) supersede(ctx context.Context, a *store.Approval) error {
	ask := &a.Asks[0]
	if ask.Session == "" {
		return nil
	}
	list, err := s.Store.Approvals(ctx, store.Query{Session: ask.Session, States: []store.State{store.Pending, store.Approved,
		store.Cancelled}})
	if err != nil {
		return err
	}
	alternates := slices.ContainsFunc(list, func(old *store.Approval) bool { return old.CallKey == a.CallKey && superseded(old) })
	for _, old := range list {
		why := ""
		switch {
		case !old.State.Open() || old.ID == a.ID || old.Hook != a.Hook || old.Tool != a.Tool || !only(old, ask.Session):
		case old.CallKey == a.CallKey && old.PolicyDigest != a.PolicyDigest:
			why = "the policy has changed"
		case old.State == store.Pending && old.CallKey != a.CallKey && !alternates && s.abandoned(old, ask):
			why = othersAsked + a.ID
		}
		if why != "" {
			if err := s.Cancel(ctx, old.ID, why); err != nil {
				return err
			}
		}
	}
	return nil
}

const othersAsked = "the agent asks for other arguments now: "

func superseded(a *store.Approval) bool {
	return strings.HasPrefix(a.Why, othersAsked)
}

// sideBySide is how close in time two calls count as parallel.
const sideBySide = 2 * time.Second

// abandoned reports whether only this agent asked, and its call was parked a while ago.
func (s *Service) abandoned(a *store.Approval, ask *store.Ask) bool {
	return !slices.ContainsFunc(a.Asks, func(k store.Ask) bool {
		return k.Session != ask.Session || k.Agent != ask.Agent || k.Parked.IsZero() || s.Now().Sub(k.Parked.Time) < sideBySide
	})
}
