package approvals

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// supersede cancels what a new request takes the place of: the same question of
// this session under another policy, and what this agent was told to come back
// for and came back with other arguments. Calls that an agent makes side by side
// are no replacement for each other, nor are calls between which it alternates.
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
	return a.State == store.Cancelled && strings.HasPrefix(a.Why, othersAsked)
}

// sideBySide is within which time two calls count as made at once.
const sideBySide = 2 * time.Second

// abandoned reports whether only this agent asked, and was sent away a while ago.
func (s *Service) abandoned(a *store.Approval, ask *store.Ask) bool {
	return !slices.ContainsFunc(a.Asks, func(k store.Ask) bool {
		return k.Session != ask.Session || k.Agent != ask.Agent || k.Parked.IsZero() || s.Now().Sub(k.Parked.Time) < sideBySide
	})
}
